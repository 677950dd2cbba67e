import type { Known, Program, Row } from './program.ts';
import { backups } from './table/backups.ts';
import { anyService, cloud } from './table/cloud.ts';
import { databases } from './table/databases.ts';
import { disks } from './table/disks.ts';
import { files } from './table/files.ts';
import { languages } from './table/languages.ts';
import { machine } from './table/machine.ts';
import { network } from './table/network.ts';
import { packages } from './table/packages.ts';
import { schemas } from './table/schemas.ts';
import { secretStores } from './table/secrets.ts';
import { starters } from './table/starters.ts';
import { system } from './table/system.ts';
import { versionControl } from './table/version-control.ts';
import { windows } from './table/windows.ts';

const ROWS: readonly Row[] = [
  ...[...versionControl, ...cloud, ...databases, ...schemas, ...backups, ...secretStores, ...starters],
  ...[...packages, ...machine, ...network, ...files, ...disks, ...system, ...languages, ...windows],
];

/** Every known program, each in one row. */
export const TABLE: readonly (readonly [names: string, program: Program])[] = ROWS.map(
  ([names, ...known]) => [names.split(/\s+/).join(' '), programFrom(known)],
);

function programFrom(known: readonly Known[]): Program {
  const dangers = known.filter((part) => 'is' in part);
  const fields = known.filter((part) => !('is' in part));
  return Object.assign({}, ...fields, dangers.length > 0 && { dangers });
}

const BY_NAME: ReadonlyMap<string, Program> = new Map(
  TABLE.flatMap(([names, program]) => names.split(' ').map((name): [string, Program] => [name, program])),
);

/** What applies to a program without a row, unless it is called by its path. */
export const UNKNOWN_PROGRAM: Program = programFrom(anyService);

export function programOf(name: string): Program | undefined {
  const own = BY_NAME.get(name);
  // `gsed` is the `sed` of GNU.
  if (!own && name.startsWith('g') && COREUTILS.has(name.slice(1))) return BY_NAME.get(name.slice(1));
  return VERSION.test(name) ? numbered(name, own) : own;
}

/** `python3.12` is `python`. */
function numbered(name: string, own: Program | undefined): Program | undefined {
  const base = BY_NAME.get(name.replace(/(?<![\d.])[\d.]+$/, ''));
  return base ? { ...base, ...own } : own;
}

const VERSION = /^[a-z].*\d$/;

/** GNU tools that are installed with a `g` in front of their names. */
const COREUTILS: ReadonlySet<string> = new Set(
  'awk base64 cat chmod chown chgrp cp cut date dd du env find grep head install ln ls make mkdir mktemp mv nice nohup od readlink realpath rm rmdir sed seq shred shuf sort split stat stdbuf tac tail tar tee timeout touch tr truncate unlink wc xargs'.split(
    ' ',
  ),
);

/** Programs that a pattern in place of a name (`/bin/r?`) may be meant to find, the likely ones first. */
export const namesByHarm: readonly string[] = TABLE.toSorted(
  ([, a], [, b]) => unlikely(a) - unlikely(b),
).flatMap(([names]) => names.split(' '));

function unlikely({ harmful, files = [], rules, dangers }: Program): number {
  if (harmful) return files.includes('tells') ? 1 : 0;
  return rules ? 2 : dangers ? 3 : 4;
}
