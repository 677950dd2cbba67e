import { destroysData } from '../../dangers.ts';
import type { Finding } from '../../effect.ts';
import type { Names, Words } from '../pattern.ts';
import type { DangerousCall } from '../program.ts';

type Way = (words: Words, option?: Names) => DangerousCall;

/** Ways to call a program that all do the same, unless one of some options stands there. */
export function ways(is: Finding, unless: Names): Way {
  return (words, option) => ({ words, ...(option && { option }), unless, is });
}

/** What deletes a database, and not one for tests. */
export const data: Way = ways(
  destroysData,
  /^--(?:help|version|dry-run|preview)$|(?:test|ci|e2e)$|^--env(?:ironment)?=test/i,
);

/** A verb that deletes, wherever it stands. */
export const ANY_VERB: RegExp =
  /(?:^|[ :_.-])(?:delete|destroy|uninstall|remove|purge|prune|forget|erase|expire|rm)(?:[-_ ][a-z_-]*)?(?: |$)|(?:^| )(?:delete-?\w+|delete-\S+|remove-\S+|vm\.destroy|vm\.power|Delete[A-Z]\w+|\S+-del)(?: |$)/;
