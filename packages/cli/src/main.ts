#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

enableCompileCache();
const [, , command, ...rest] = process.argv;
// A hook is run for every tool call: the way to it loads nothing that it does not need.
process.exitCode =
  command === 'run' && !rest.includes('--help')
    ? await (await import('./commands/run.ts')).runAsHook(rest, process)
    : await (await import('./cli.ts')).runCli(process.argv.slice(2), process);
