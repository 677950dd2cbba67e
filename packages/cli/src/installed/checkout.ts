import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readText } from '@hooks/config/protocol';
import { withParents } from '../folders.ts';

/** The Git checkout that contains a folder. */
export interface Checkout {
  readonly root: string;
  /** The main checkout, if this is one of its worktrees. Otherwise the same folder. */
  readonly main: string;
}

/** Finds the checkout around a folder. Reads Git's files, because a workspace may bring its own `git`. */
export function checkoutOf(folder: string): Checkout | undefined {
  const root = withParents(folder).find((one) => statSync(join(one, '.git'), { throwIfNoEntry: false }));
  return root === undefined ? undefined : { root, main: mainOf(root) };
}

/** The `.git` of a worktree is a file that names a folder in the `.git` of the main checkout. So is that of a submodule, without `commondir`. */
function mainOf(root: string): string {
  try {
    const [, named = ''] = /^gitdir: (.+)$/m.exec(readText(join(root, '.git'))) ?? [];
    const own = resolve(root, named.trim());
    return dirname(resolve(own, readText(join(own, 'commondir')).trim()));
  } catch {
    return root;
  }
}
