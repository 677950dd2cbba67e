/** Begins a journal with a new key, and is killed at once. Gets the old private key and the new one. */
import { createPrivateKey } from 'node:crypto';
import { once } from 'node:events';
import { journal } from '../../src/index.ts';

const [, , sink = ''] = process.argv;
const [[replaces, key]] = await once(process, 'message');
journal({ sink, key: createPrivateKey(key), replaces: createPrivateKey(replaces) });
process.kill(process.pid, 'SIGKILL');
