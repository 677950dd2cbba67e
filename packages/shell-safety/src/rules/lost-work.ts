import { type Finding, finding } from '../effect.ts';

/** Changes in the working tree that are not committed would be gone. */
export const discards: Finding = finding(
  'lost-work/discard',
  'This throws away changes that are not committed, and nothing brings them back.',
  'Commit or `git stash` them first, or name the one file that the user wants reset.',
);

/** Files that git ignores: settings and data that are nowhere else. */
export const discardsIgnored: Finding = finding(
  'lost-work/ignored',
  'This deletes files that git ignores, such as `.env` and local data, which are nowhere else.',
  'Look with `git clean -n` first, and delete what has to go by its name.',
);

export const dropsStash: Finding = finding(
  'lost-work/stash',
  'This deletes stashed changes, which are nowhere else.',
  'Leave stashes to the user, or `git stash pop` the one that is yours.',
);

export const rewritesRemote: Finding = finding(
  'lost-work/force-push',
  'This overwrites or deletes history on the remote, and with it what others have pushed.',
  'Use `--force-with-lease` on a branch of your own after the user has agreed.',
);

export const deletesBranch: Finding = finding(
  'lost-work/branch',
  'This deletes a branch whose commits may be nowhere else.',
  'Use `git branch -d`, which keeps what is not merged.',
);

export const rewritesHistory: Finding = finding(
  'lost-work/history',
  'This rewrites history or deletes what it could be restored from.',
  'Make new commits (`git revert`) instead, or ask the user.',
);

/** May be fine: what is lost can be had back with some work. */
export const mayLose: Finding = finding(
  'lost-work/recoverable',
  'This changes or deletes commits, branches or tags that others may use.',
  'Make sure that nobody needs them.',
  'low',
);
