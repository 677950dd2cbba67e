import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { SandboxError } from './error.ts';
import type { SandboxSession } from './provider.ts';
import type { SandboxWorkspace } from './spec.ts';

const MAX_BYTES = 512 * 1024 * 1024;
const MAX_DIFF_BYTES = 16 * 1024 * 1024;

/** The directory as a tar archive. Symlinks stay symlinks, so nothing outside of it is read. */
export async function pack(
  workspace: Extract<SandboxWorkspace, { kind: 'copy' }>,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const excluded = (workspace.exclude ?? []).map((pattern) => `--exclude=${pattern}`);
  try {
    const { stdout } = await promisify(execFile)(
      'tar',
      ['-cf', '-', ...excluded, '-C', workspace.path, '.'],
      {
        encoding: 'buffer',
        maxBuffer: MAX_BYTES,
        ...(signal && { signal }),
      },
    );
    return stdout;
  } catch (cause) {
    signal?.throwIfAborted();
    throw new SandboxError(
      'UNAVAILABLE',
      `Could not copy the workspace ${workspace.path}. It may have at most ${MAX_BYTES / 1024 / 1024} MiB, and tar must be installed.`,
      { cause },
    );
  }
}

/** Unpacks the archive in the sandbox's workspace. */
export async function unpack(
  session: SandboxSession,
  archive: Uint8Array,
  signal?: AbortSignal,
): Promise<void> {
  const result = await session.execute(
    { argv: ['tar', '-xf', '-', '--no-same-owner'], stdin: archive },
    signal ? { signal } : {},
  );
  if (result.exitCode !== 0)
    throw new SandboxError(
      'UNAVAILABLE',
      `Could not unpack the workspace in the sandbox: ${result.stderr.trim() || result.limit}`,
    );
}

/**
 * Compares the workspace with its archive. The agent keeps the archive and unpacks it again, so no command can have
 * changed the original.
 */
export async function diffAgainst(session: SandboxSession, archive: Uint8Array): Promise<string> {
  const result = await session.execute({
    command: DIFF,
    env: { LC_ALL: 'C', TZ: 'UTC' },
    stdin: archive,
    maxOutputBytes: MAX_DIFF_BYTES,
  });
  if (result.truncated)
    throw new SandboxError('LIMIT', `The changes are larger than ${MAX_DIFF_BYTES / 1024 / 1024} MiB.`);
  const [base = ''] = result.stderr.split('\n', 1);
  if (!base.startsWith('/') || (result.exitCode !== 0 && result.exitCode !== 1))
    throw new SandboxError(
      'FAILED',
      `Could not list the changes: ${result.stderr.trim() || result.limit || 'killed'}`,
    );
  return rename(result.stdout, base, session.workspace);
}

/** Prints the folder of the original on stderr, and the diff on stdout. */
const DIFF = `base=$(mktemp -d) && echo "$base" >&2 && tar -xf - --no-same-owner -C "$base" || exit 2
diff -ruN --no-dereference "$base" "$PWD"; status=$?
rm -rf "$base"; exit $status`;

/** Turns the names of the two directories into `a/` and `b/`, as git does, and leaves the content alone. */
function rename(diff: string, base: string, workspace: string): string {
  const short = (line: string): string => line.replace(`${base}/`, 'a/').replace(`${workspace}/`, 'b/');
  const lines = diff.split('\n');
  for (const [index, line] of lines.entries()) {
    if (line.startsWith('Binary files ')) lines[index] = short(line);
    if (!line.startsWith('diff -ruN ')) continue;
    for (const header of [index, index + 1, index + 2])
      if (/^(diff -ruN|---|\+\+\+) /.test(lines[header] ?? '')) lines[header] = short(lines[header] ?? '');
  }
  return lines.join('\n');
}
