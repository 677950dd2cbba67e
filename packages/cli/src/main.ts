#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { userDirectory } from '@hooks/config';
import { hookProcess } from './hook-process.ts';

// Beside what is trusted: Node's own choice, a directory for all users, is one where others could put code.
enableCompileCache(join(userDirectory(), 'compiled'));

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
  const { runCli } = await import('./cli.ts');
  process.exitCode = await runCli(process.argv.slice(2), process);
}
