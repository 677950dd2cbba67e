import { readSync, writeSync } from 'node:fs';
import type { Program } from './program.ts';

/** What a hook needs of its process: the event is all of stdin. */
export interface HookProgram extends Program {
  readStdin(): Promise<string>;
}

/**
 * This process. What it reads and writes are files here, as pipes and terminals are: to load Node's streams takes
 * longer than most hooks take to answer.
 */
export const hookProcess: HookProgram = {
  readStdin,
  stdout: { write: (text) => write(1, text) },
  stderr: { write: (text) => write(2, text) },
  env: process.env,
  cwd: () => process.cwd(),
};

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  const chunk = Buffer.allocUnsafe(64 * 1024);
  try {
    for (let length = readSync(0, chunk); length > 0; length = readSync(0, chunk))
      chunks.push(Buffer.from(chunk.subarray(0, length)));
  } catch (error) {
    if (!isBusy(error)) throw error;
    for await (const rest of process.stdin) chunks.push(rest);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function write(file: 1 | 2, text: string): void {
  let rest = Buffer.from(text);
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(file, rest));
  } catch (error) {
    if (!isBusy(error)) throw error;
    (file === 1 ? process.stdout : process.stderr).write(rest);
  }
}

/** A pipe that its other end made non-blocking is waited for by the stream. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN';
}
