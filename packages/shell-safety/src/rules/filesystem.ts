import {
  deletion,
  deletionBySearch,
  discards,
  erasesTraces,
  losesSources,
  moving,
  rewritesHistory,
} from '../dangers.ts';
import type { Finding } from '../effect.ts';
import { sensitiveKind } from '../paths/check.ts';
import { baseName, isSystemFile, place, vital } from '../paths/places.ts';
import { copying } from '../programs/calls.ts';
import { type Facts, has, type Invocation } from '../programs/program.ts';
import { fitsOne, readCall } from '../programs/read-call.ts';
import { empties } from '../programs/writes.ts';
import { readFind, searchOf } from '../shell/found-files.ts';
import { CHANGED, isKnown, UNKNOWN, withoutUnset } from '../shell/marks.ts';
import { options } from '../shell/options.ts';
import { checkDeleted } from './guarded-places.ts';
import { areSources, checkKept, isOutside, isRepository, isSource } from './kept-folders.ts';

/** The finding for deleting a path, or everything in it. */
function lossOf(path: string, call: Invocation, recursive: boolean): Finding | undefined {
  const { cwd } = call;
  const what = vital(path, cwd) ?? (recursive ? vitalWhenEmpty(path, cwd) : undefined);
  // Without -r only what a pattern matches can go: `rm *`, not `rm .`.
  if (what && (recursive || path.endsWith('*'))) return deletion(what);
  if (isRepository(path, cwd)) return rewritesHistory;
  const target = place(path, cwd);
  if (LOGS.test(target)) return erasesTraces;
  const lost = checkKept(path, call, recursive);
  if (lost) return lost;
  if (isPersonal(target)) return deletion(target);
  return isSystemFile(target) ? deletion('system files') : undefined;
}

const LOGS =
  /^\/var\/log\/(?:[^/]+\/)?(?:auth|secure|syslog|messages|kern|audit|journal|[wb]tmp|lastlog|cron|daemon)[^/]*(?:\/|$)|^\/var\/log\/(?:[^/]+\/)?[^/]*\*/;

/** Whether a path is a shell profile or a key. */
function isPersonal(target: string): boolean {
  return (
    /^~\/\.(?!ssh\/known_hosts)[^*]*$/.test(target) &&
    /^(?:shell-profile|ssh-key|ssh|keyring)$/.test(sensitiveKind(target)?.id ?? '')
  );
}

/** `rm -rf $DIR/`: the root, where the variable holds nothing. */
function vitalWhenEmpty(path: string, cwd: string): string | undefined {
  const what = vital(withoutUnset(path), cwd);
  return what && /^the (?:whole|home)/.test(what) ? `${what}, if the variable is not set` : undefined;
}

function firstLoss(paths: readonly string[], call: Invocation, recursive: boolean): Finding | undefined {
  return paths.map((path) => lossOf(path, call, recursive)).find(Boolean);
}

export function remove(call: Invocation): Finding | undefined {
  const { flags, operands } = options(call.args, call.known.valued);
  if (flags.has('--no-preserve-root')) return deletion('the whole file system');
  const recursive = flags.has('-r') || flags.has('-R') || flags.has('--recursive') || !call.known.writes;
  // `$BUILD_CMD --load .` is hardly `rm`.
  const isOther = call.program === UNKNOWN && [...flags].some((flag) => !OF_REMOVAL.has(flag));
  if (isOther && operands.every((target) => !isKnown(target) || !/^[/~]/.test(target))) return undefined;
  if (operands.some((target) => target.includes(CHANGED))) return discards;
  if (operands.some((target) => target.startsWith('/**/'))) return deletion('files anywhere on the machine');
  return firstLoss(operands, call, recursive);
}

/** The options of `rm`. */
const OF_REMOVAL: ReadonlySet<string> = new Set(
  '-r -R -f -v -i -I -d --recursive --force --verbose --interactive --dir --one-file-system'.split(' '),
);

export function find(call: Invocation, facts: Facts): Finding | undefined {
  const { roots, tests } = searchOf(call.args);
  const actions = [...tests.keys()].filter(
    (i) =>
      tests[i] === '-delete' ||
      (/^-(?:exec|ok)/.test(tests[i] ?? '') && startsRemoval(tests.slice(i + 1, i + 9), facts)),
  );
  if (actions.length === 0) return undefined;
  const { reached } = readFind(tests);
  const all = actions.some((i) => reached.has(i));
  const picked = pickedBy(tests);
  for (const root of roots) {
    const what = vital(root, call.cwd);
    if (what && (all || WHOLE.test(place(root, call.cwd)))) return deletionBySearch(what);
    const lost = all ? lossOf(root, call, true) : narrowed(root, picked, call, facts);
    if (lost) return lost;
  }
  return undefined;
}

/** What a search picks: the names that it looks for, and whether it looks at more than names. */
interface Picked {
  /** Those without a `!` in front. */
  readonly wanted: readonly string[];
  readonly isJunk: boolean;
  readonly hasNames: boolean;
  readonly isByMore: boolean;
}

function pickedBy(tests: readonly string[]): Picked {
  const at = [...tests.keys()].filter((i) => /^-i?(?:name|path|regex)$/.test(tests[i - 1] ?? ''));
  const namesAt = (places: readonly number[]): readonly string[] => places.map((i) => tests[i] ?? '');
  const names = namesAt(at);
  return {
    wanted: namesAt(at.filter((i) => !/^(?:!|-not)$/.test(tests[i - 2] ?? ''))),
    isJunk: names.length > 0 && names.every((name) => JUNK.test(name)),
    hasNames: names.length > 0,
    isByMore: tests.some((test) => /^-(?:empty|size|newer\w*|[acm](?:time|min)|user|perm)$/.test(test)),
  };
}

/** A search for names that deletes what is somebody else's. */
function narrowed(
  root: string,
  picked: Picked,
  { cwd, project }: Invocation,
  { spend }: Facts,
): Finding | undefined {
  const { wanted, isJunk, hasNames, isByMore } = picked;
  const folder = place(root, cwd);
  if (!isByMore && wanted.length > 0 && wanted.every((name) => areSources(place(`${root}/${name}`, cwd))))
    return losesSources;
  if (!spend(wanted.length * (256 + 4 * folder.length))) return undefined;
  for (const name of wanted) {
    const lost = checkDeleted(place(`${root}/${name}`, cwd));
    if (lost) return lost;
  }
  if (project === undefined || isJunk) return undefined;
  const others = hasNames && (folder === '~' || isOutside(folder, project));
  return others || /^\.\.(?:\/\.\.)*$/.test(folder) ? deletionBySearch(folder) : undefined;
}

const JUNK =
  /(?:^|[*./])(?:py[co]|te?mp|log|gz|sw[op]|orig|rej|cache|ds_store|thumbs\.db|o|a|class|core|__pycache__|node_modules|dist|build|target)(?:$|[*./])/i;

/** Folders where even a search by name deletes files of others. */
const WHOLE = /^\/(?:etc|usr|bin|lib|boot|sbin)?$/;

/** Whether a command deletes what it is given: `rm`, `sudo rm`. */
function startsRemoval(words: readonly string[], { programOf }: Facts): boolean {
  const programs = words.flatMap((word) => programOf(baseName(word)) ?? []);
  return programs.find(({ starts }) => !starts)?.rules?.includes(remove) === true;
}

export function moveAway({ args, cwd }: Invocation): Finding | undefined {
  const { sources, target = '' } = copying(args);
  for (const source of sources) {
    const what = vital(source, cwd);
    if (target === '/dev/null' && isKnown(source)) return deletion(what ?? source);
    if (isRepository(source, cwd) && !/(?:^|\/)\.git$/.test(target)) return rewritesHistory;
    if (what && !/^everything in|above/.test(what)) return moving(what);
  }
  return undefined;
}

/** A file that is emptied: each file of a folder, a log of the system, what sets up somebody's shell. */
export function checkEmptied(path: string, call: Invocation, { spend }: Facts): Finding | undefined {
  spend(call.redirects.length);
  if (!empties(call) || call.redirects.some(({ operator }) => operator.endsWith('>>'))) return undefined;
  if (isSource(path)) return losesSources;
  if (LOGS.test(path) || isPersonal(path)) return deletion(path);
  const what = path.endsWith('*') ? vital(path, '.') : undefined;
  return what && !what.startsWith('everything') ? deletion(what) : undefined;
}

/** Checks programs that also delete: what they delete with these arguments. */
export function removesToo(call: Invocation): Finding | undefined {
  const { known, cwd } = call;
  const { removes } = known;
  if (!removes || !fitsOne(call, removes.when)) return undefined;
  const { words, options: given } = readCall(call);
  const folder = given.findLast((option) => IN_FOLDER.test(option))?.replace(IN_FOLDER, '');
  const paths = words.filter((word) => word !== '--').slice(removes.from, removes.to);
  // `rsync --delete x ./` leaves nothing of the project that is not in `x`, too.
  if (has(known, 'copies') && paths.some((path) => /^(?:\.|)$/.test(place(path, cwd)))) return losesSources;
  const what = (paths.length > 0 ? paths : ['.'])
    .map((path) => vital(folder === undefined ? path : `${folder}/${path}`, cwd))
    .find((lost) => lost && !lost.startsWith('everything'));
  return what ? deletion(what) : undefined;
}

const IN_FOLDER = /^(?:-C|--directory|--work-tree)=/;

export function windowsRemove(call: Invocation): Finding | undefined {
  const folders = /(?:^|\s)(?:(?:\/[afp])*\/[sq](?:\/[afpsq])*|-r\w*|-fo\w*)(?:\s|$)/i.test(
    call.args.join(' '),
  );
  if (!folders && !(call.known.empties && call.stdin)) return undefined;
  if (call.args.some((arg) => WINDOWS_ROOT.test(arg))) return deletion('a drive or a system folder');
  const paths = [...call.args, ...(call.stdin?.split('\n') ?? [])].filter(
    (arg) => isKnown(arg) && !/^[/-]\w+$/.test(arg),
  );
  return firstLoss(
    paths.map((path) => path.replaceAll('\\', '/')),
    call,
    true,
  );
}

/** As Windows writes it, and as a shell leaves it when the backslash was not quoted. */
const WINDOWS_ROOT = /^[a-z]:[\\/]*(?:(?:windows|users|program files(?: \(x86\))?|[*.])[\\/*.]*)?(?:\s|$)/i;
