import { realpathSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { userDirectory } from '@hooks/config';
import { preloadCompiled } from './compiled.ts';
import { forgetWorkspaceFolders, forgetWorkspaceVariables } from './workspace-variables.ts';

/** Runs the command line of this process. */
export async function start(): Promise<void> {
  const [, , command, ...rest] = process.argv;
  if (command === 'run' || command === 'warm-worker') forgetWorkspaceVariables(rest);
  if (command === 'mcp') forgetWorkspaceFolders();
  // Next to the trust decisions. Node's default is a directory for all users, where others could place code.
  const compiled = join(userDirectory(), 'compiled');
  enableCompileCache(compiled);

  // `exit` listeners kill the commands of this process, but a signal alone does not run them.
  for (const [signal, code] of Object.entries({ SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }))
    process.once(signal, () => process.exit(process.exitCode ?? code));

  if (command === 'warm-worker') return worker(rest);
  if (command !== 'run' || rest.includes('--help')) return cli();
  // A hook runs for every tool call, so load nothing else on the way to it.
  const keep = preloadCompiled(join(import.meta.dirname, 'hook.cjs'), compiled);
  const { runHookProcess } = await import('./hook-process.ts');
  const answered = runHookProcess(rest);
  // After the hook's own listener, so that the answer comes first.
  process.on('exit', keep);
  await answered;
}

/** Runs the worker. If it cannot listen, the next cold start reports why. */
async function worker(args: readonly string[]): Promise<void> {
  const { runWorker } = await import('./warm/worker.ts');
  await runWorker(args).catch(() => process.exit(1));
}

async function cli(): Promise<void> {
  // The reader has closed the pipe. Exit quietly, like a program on SIGPIPE.
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
