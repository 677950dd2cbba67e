import {
  addDate,
  addDirectoryListing,
  addEnvironmentInfo,
  addGitDiff,
  addGitStatus,
  addPromptFiles,
  addRecentCommits,
  addUserInfo,
} from '@hooks/guards';
import { count, none, row } from './arguments.ts';
import type { Builtin } from './builtin.ts';

export const date: Builtin = (args) => {
  none(args);
  return addDate();
};

export const environment: Builtin = (args, { cwd }) => {
  none(args);
  return addEnvironmentInfo({ cwd });
};

/** Takes the files' names. */
export const promptFiles: Builtin = (args, { cwd }) => {
  const names = row(args);
  if (names.length === 0 || names.some((name) => !/^[^\0]+$/.test(name)))
    throw new Error('expected the names of files');
  return addPromptFiles(names, { cwd });
};

export const gitStatus: Builtin = (args, { cwd }) => {
  none(args);
  return addGitStatus({ cwd });
};

/** Takes `full`, or nothing. */
export const gitDiff: Builtin = (args, { cwd }) => {
  const given = row(args).join(' ');
  if (given !== '' && given !== 'full') throw new Error('expected "full" or nothing');
  return addGitDiff({ cwd, full: given === 'full' });
};

export const directory: Builtin = (args, { cwd }) => {
  none(args);
  return addDirectoryListing({ cwd });
};

export const user: Builtin = (args) => {
  none(args);
  return addUserInfo();
};

/** Takes the number of commits. Default: 10. */
export const commits: Builtin = (args, { cwd }) => addRecentCommits(count(args), { cwd });
