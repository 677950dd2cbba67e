#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { userDirectory } from '@hooks/config';
import { hookProcess } from './hook-process.ts';

// Beside what is trusted: Node's own choice, a directory for all users, is one where others could put code.
enableCompileCache(join(userDirectory(), 'compiled'));

// What this process runs is killed by its `exit` listeners, of which a signal alone knows nothing.
for (const [signal, code] of Object.entries({ SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }))
  process.once(signal, () => process.exit(process.exitCode ?? code));

const [, , command, ...rest] = process.argv;
void (command === 'run' && !rest.includes('--help') ? hook() : cli());

/** A hook is run for every tool call: the way to it loads nothing that it does not need. */
async function hook(): Promise<void> {
  // Should this process end without an answer, it is a refusal.
  process.exitCode = 2;
  try {
    const { runAsHook } = await import('./commands/run.ts');
    process.exitCode = await runAsHook(rest, hookProcess);
  } catch (error) {
    hookProcess.stderr.write(`hooks run failed: ${String(error)}\n`);
  }
}

async function cli(): Promise<void> {
  // A reader that has seen enough: as a program ends that does not mind SIGPIPE.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(141);
  });
  const { runCli } = await import('./cli.ts');
  process.exitCode = await runCli(process.argv.slice(2), process);
}
