/** Copies bytes between a client and a server, and looks at nothing: what any process in between costs. */
import { spawn } from 'node:child_process';

const [, , command = '', ...args] = process.argv;
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
process.stdin.pipe(child.stdin);
child.stdout.pipe(process.stdout);
