/** Copies bytes between a client and a server without parsing them, as the minimal cost of a process in between. */
import { spawn } from 'node:child_process';

const [, , command = '', ...args] = process.argv;
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
process.stdin.pipe(child.stdin);
child.stdout.pipe(process.stdout);
