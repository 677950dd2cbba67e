import { runtime } from './node.ts';

/** Options of a git command. */
export interface GitOptions {
  readonly cwd: string;
  readonly signal?: AbortSignal;
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Written to git's standard input. */
  readonly input?: string;
  /** Limit of output in bytes; the rest is cut off. Default: 16 MiB. */
  readonly maxBytes?: number;
}

/**
 * Runs git and returns its output, or undefined if it failed: outside of a repository, or without git.
 *
 * Only `cwd` selects the repository, not an inherited `GIT_DIR`. Programs that a repository's configuration could run
 * (hooks, file system monitors, pagers) are disabled. Takes no lock that another git would wait for.
 */
export function git(args: readonly string[], options: GitOptions): Promise<string | undefined> {
  return new Promise((resolve) => {
    const { execFile } = runtime().getBuiltinModule('node:child_process');
    const child = execFile(
      'git',
      ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '--no-pager', ...args],
      {
        cwd: options.cwd,
        env: {
          ...inherited(),
          LC_ALL: 'C',
          GIT_OPTIONAL_LOCKS: '0',
          GIT_TERMINAL_PROMPT: '0',
          ...options.env,
        },
        maxBuffer: options.maxBytes ?? 16 * 1024 * 1024,
        timeout: 20_000,
        windowsHide: true,
        ...(options.signal && { signal: options.signal }),
      },
      (error, stdout) => {
        const cut = error?.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER';
        resolve(error && !cut ? undefined : stdout);
      },
    );
    child.stdin?.on('error', () => {});
    child.stdin?.end(options.input ?? '');
  });
}

function inherited(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(runtime().env).filter(([name]) => !/^GIT_(?!CONFIG_)/.test(name)));
}
