import { spawn } from 'node:child_process';
import { delimiter, dirname } from 'node:path';

/** Where and how a command runs. */
export interface Surroundings {
  readonly cwd: string;
  /** Added to the environment of this process; what is undefined is taken out of it. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The Node that the command and what it starts run on; else the one of this process. */
  readonly node?: string;
  /** Exit codes that are no failure, beside 0. */
  readonly allowed?: readonly number[];
}

/** Runs a command to its end and returns its stdout. Rejects with what it said if it fails. */
export async function run(
  command: string,
  args: readonly string[],
  { cwd, env = {}, node, allowed = [] }: Surroundings,
): Promise<string> {
  const path =
    node === undefined ? process.env['PATH'] : `${dirname(node)}${delimiter}${process.env['PATH']}`;
  const child = spawn(command, args, {
    cwd,
    env: { ...outsideOfCi, PATH: path, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 300_000,
  });
  let stdout = '';
  let all = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    all += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    all += text;
  });
  const ended = await new Promise<number | string>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(code ?? signal ?? 'nothing'));
  });
  if (ended === 0 || allowed.some((code) => code === ended)) return stdout;
  throw new Error(`${command} ${args.join(' ')} ended with ${ended}:\n${all.trim().slice(-4000)}`);
}

/**
 * This environment without what npm and pnpm tell their scripts, and without what says that this is CI: a publish to the
 * loopback is not to ask a CI provider for an attestation, and a scratch project is a stranger's.
 */
const outsideOfCi = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) =>
      !/^(npm_(?!config_(cache|store_dir)$)|pnpm_|CI$|GITHUB_|GITLAB_|INIT_CWD$|NODE_OPTIONS$)/i.test(name),
  ),
);
