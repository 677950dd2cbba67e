import { runtime } from './node.ts';

/** How git is to be run. */
export interface GitOptions {
  readonly cwd: string;
  readonly signal?: AbortSignal;
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Written to git's standard input. */
  readonly input?: string;
  /** Most bytes of output that are kept; the rest is cut off. 16 MiB unless set. */
  readonly maxBytes?: number;
}

/**
 * Runs git and answers its output, or nothing where it failed: outside of a repository, or where git is not installed.
 * Which repository is decided by `cwd` alone, not by a `GIT_DIR` that this process inherited.
 * What a repository's own configuration could have git run (hooks, file system monitors, pagers) is switched off, and
 * no lock is taken that another git would wait for.
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
