import { realpathSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { userDirectory } from '@hooks/config';
import { preloadCompiled } from './compiled.ts';

/** Runs the command line of this process. */
export async function start(): Promise<void> {
  // Beside what is trusted: Node's own choice, a directory for all users, is one where others could put code.
  const compiled = join(userDirectory(), 'compiled');
  enableCompileCache(compiled);

  // What this process runs is killed by its `exit` listeners, of which a signal alone knows nothing.
  for (const [signal, code] of Object.entries({ SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }))
    process.once(signal, () => process.exit(process.exitCode ?? code));

  const [, , command, ...rest] = process.argv;
  if (command === 'warm-worker') return worker(rest);
  if (command !== 'run' || rest.includes('--help')) return cli();
  // A hook is run for every tool call: the way to it loads nothing that it does not need.
  const keep = preloadCompiled(join(import.meta.dirname, 'hook.cjs'), compiled);
  const { runHookProcess } = await import('./hook-process.ts');
  const answered = runHookProcess(rest);
  // Behind its own listener: the answer comes first.
  process.on('exit', keep);
  await answered;
}

/** What keeps it from listening is told by the next cold start. */
async function worker(args: readonly string[]): Promise<void> {
  const { runWorker } = await import('./warm/worker.ts');
  await runWorker(args).catch(() => process.exit(1));
}

async function cli(): Promise<void> {
  // A reader that has seen enough: as a program ends that does not mind SIGPIPE.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(141);
  });
  const { runCli } = await import('./cli.ts');
  const { stdout, stderr, env, execPath, execArgv, argv } = process;
  const self = [execPath, ...execArgv, realpathSync(argv[1] ?? '')];
  const program = { stdout, stderr, env, self, cwd: () => process.cwd() };
  process.exitCode = await runCli(argv.slice(2), program);
}
