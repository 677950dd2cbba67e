import type { HookProvider } from '@hooks/core';
import { git } from '../git.ts';
import { checkArgument, checkOptions, flag, whole } from '../options.ts';
import { CONTEXT, type ContextOptions, eachTurn, onceASession } from './contributor.ts';

/**
 * Tells the model the output of `git status --short --branch` at each turn. Does nothing outside of a repository.
 *
 * @example
 * ```ts
 * hooks.use(addGitStatus());
 * ```
 */
export function addGitStatus(options: ContextOptions = {}): HookProvider {
  options = checkOptions('addGitStatus', options, CONTEXT);
  return eachTurn('add_git_status', options, async ({ cwd, signal }) => {
    const status = await git(['status', '--short', '--branch'], { cwd, signal });
    return status && `Git status:\n${status.trimEnd()}`;
  });
}

/** Options of {@link addGitDiff}. */
export interface GitDiffOptions extends ContextOptions {
  /** Show the whole diff instead of `git diff --stat`. Default: false. */
  readonly full?: boolean;
}

/**
 * Tells the model at each turn which changes are not staged: `git diff --stat`, or the whole diff. At most 4 KB.
 *
 * @example
 * ```ts
 * hooks.use(addGitDiff({ full: true }));
 * ```
 */
export function addGitDiff(options: GitDiffOptions = {}): HookProvider {
  options = checkOptions('addGitDiff', options, { ...CONTEXT, full: flag });
  return eachTurn('add_git_diff', options, async ({ cwd, signal }) => {
    const args = [
      'diff',
      '--no-color',
      '--no-ext-diff',
      '--no-textconv',
      ...(options.full ? [] : ['--stat']),
    ];
    const diff = await git(args, { cwd, signal, maxBytes: MOST_BYTES * 2 });
    return diff && capped(`Git diff:\n${diff.trimEnd()}`);
  });
}

const MOST_BYTES = 4096;

const CUT = '\n… (cut off at 4 KB)';

function capped(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= MOST_BYTES) return text;
  const kept = bytes.subarray(0, MOST_BYTES - Buffer.byteLength(CUT));
  // Drop a character that the cut splits.
  return new TextDecoder().decode(kept).replace(/\uFFFD$/, '') + CUT;
}

/**
 * Tells the model the latest commits, once per session: `git log --oneline -n <count>`.
 *
 * @param count the number of commits. Default: 10
 * @throws HooksError `CONFIG_INVALID` if `count` is not a whole number greater than 0
 * @example
 * ```ts
 * hooks.use(addRecentCommits(20));
 * ```
 */
export function addRecentCommits(count = 10, options: ContextOptions = {}): HookProvider {
  checkArgument('addRecentCommits', 'count', count, whole);
  options = checkOptions('addRecentCommits', options, CONTEXT);
  return onceASession('add_recent_commits', options, async ({ cwd, signal }) => {
    const log = await git(['log', '--oneline', '--no-color', '-n', String(count)], { cwd, signal });
    return log && `Recent commits:\n${log.trimEnd()}`;
  });
}
