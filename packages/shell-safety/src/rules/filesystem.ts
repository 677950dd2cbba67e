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
import { isSystemFile, place, vital } from '../paths/places.ts';
import { copying } from '../programs/copying.ts';
import { gitCall } from '../programs/git.ts';
import type { Invocation } from '../programs/program.ts';
import { empties } from '../programs/writes.ts';
import { readFind } from '../shell/find-expression.ts';
import { searchOf } from '../shell/found-files.ts';
import { CHANGED, isKnown, UNKNOWN, withoutUnset } from '../shell/marks.ts';
import { options } from '../shell/options.ts';
import { checkKept, isOutside, SOURCES } from './kept-folders.ts';
import { isRepository } from './repository.ts';

export function remove(call: Invocation): Finding | undefined {
  const { flags, operands } = options(call.args);
  if (flags.has('--no-preserve-root')) return deletion('the whole file system');
  if (flags.has('--help') || flags.has('--version')) return undefined;
  const recursive =
    flags.has('-r') || flags.has('-R') || flags.has('--recursive') || WHOLE_FOLDERS.test(call.name);
  if (call.name === UNKNOWN && !recursive) return undefined;
  if (operands.some((target) => target.includes(CHANGED))) return discards;
  if (operands.some((target) => target.startsWith('/**/'))) return deletion('files anywhere on the machine');
  for (const target of operands) {
    const what = vital(target, call.cwd) ?? (recursive ? vitalWhenEmpty(target, call.cwd) : undefined);
    // Without -r only what a pattern matches can go: `rm *`, not `rm .`.
    if (what && (recursive || /\*$/.test(target))) return deletion(what);
    if (isRepository(target, call.cwd)) return rewritesHistory;
    const path = place(target, call.cwd);
    if (LOGS.test(path)) return erasesTraces;
    const lost = checkKept(target, call.cwd, recursive, call.project);
    if (lost) return lost;
    if (/^~\/\.[^*]*$/.test(path) && KEPT.has(sensitiveKind(path)?.id ?? '')) return deletion(path);
    if (isSystemFile(path)) return deletion('system files');
  }
  return undefined;
}

/** Logs that say who did what. */
const LOGS = /^\/var\/log\/(?:auth\.log|secure|syslog|messages|[wb]tmp|lastlog|audit|journal)(?:[./]|$)/;

/** These need no `-r`. */
const WHOLE_FOLDERS = /^(?:rimraf|trash\S*|del-cli)$/;

/** `rm -rf $DIR/`: the root, where the variable holds nothing. */
function vitalWhenEmpty(target: string, cwd: string): string | undefined {
  const bare = withoutUnset(target);
  if (bare === target || bare === '' || !/^[/~]/.test(bare)) return undefined;
  const what = vital(bare, cwd);
  return what === 'the whole file system' || what === 'the home folder'
    ? `${what}, if the variable is not set`
    : undefined;
}

export function find(call: Invocation): Finding | undefined {
  if (call.name.startsWith('fd')) return undefined;
  const { roots, tests } = searchOf(call.args);
  const actions = [...tests.keys()].filter(
    (i) =>
      tests[i] === '-delete' ||
      (/^-(?:exec|ok)/.test(tests[i] ?? '') &&
        (removesEach(tests.slice(i + 1, i + 9)) ||
          (REWRITES.test(tests[i + 1] ?? '') &&
            tests.slice(i + 2, i + 5).some((word) => /^-\w*i/.test(word))))),
  );
  if (actions.length === 0) return undefined;
  const { reached } = readFind(tests);
  const rewrites = actions.every((i) => REWRITES.test(tests[i + 1] ?? ''));
  const all = actions.some((i) => reached.has(i));
  for (const root of roots) {
    const what = vital(root, call.cwd);
    if (rewrites && what?.startsWith('everything')) continue;
    if (what && (all || WHOLE.test(place(root, call.cwd)))) return deletionBySearch(what);
    if (rewrites) continue;
    if (isSystemFile(place(root, call.cwd)) && all) return deletionBySearch('the system');
    if (all && isRepository(root, call.cwd)) return rewritesHistory;
    const lost = all ? checkKept(root, call.cwd, true, call.project) : narrowed(root, tests, call);
    if (lost) return lost;
  }
  return undefined;
}

/** What a search for names deletes: all sources of a kind, or what is somebody else's. */
function narrowed(root: string, tests: readonly string[], { cwd, project }: Invocation): Finding | undefined {
  const names = tests.filter((_, i) => /^-i?(?:name|path|regex)$/.test(tests[i - 1] ?? ''));
  const folder = place(root, cwd);
  if (SOURCES.test(folder) && names.length === 1 && SOURCE_NAME.test(names[0] ?? '')) return losesSources;
  if (project === undefined || (names.length > 0 && names.every((name) => JUNK.test(name)))) return undefined;
  const above = /^\.\.(?:\/\.\.)*$/.test(folder);
  const old =
    names.length === 0 &&
    folder === '~' &&
    tests.some((test) => /^-(?:[amc](?:time|min)|size|newer\w*)$/.test(test));
  return above || old || (names.length > 0 && (folder === '~' || isOutside(folder, project)))
    ? deletionBySearch(folder)
    : undefined;
}

const SOURCE_NAME = /^\*\.(?:tsx?|jsx|py|go|rs|java|rb|php|c|cc|cpp|h|cs|swift|kt|vue|svelte)$/;
const JUNK =
  /(?:^|[*./])(?:py[co]|te?mp|log|gz|sw[op]|orig|rej|cache|ds_store|thumbs\.db|o|a|class|core|__pycache__|node_modules|dist|build|target)(?:$|[*./])/i;

/** Here even a search for a name deletes what others put there. */
const WHOLE = /^\/(?:etc|usr|bin|lib|boot|sbin)?$/;

/** It changes each file in its place, with `-i`. */
const REWRITES = /^(?:.*\/)?g?(?:sed|perl)$/;

function removesEach(program: readonly string[]): boolean {
  const words = program.filter((word) => !/^(?:sudo|env|command|nice|ionice)$/.test(word));
  return /^(?:.*\/)?(?:rm|unlink|shred|truncate|rimraf)$/.test(words[0] ?? '');
}

export function moveAway(call: Invocation): Finding | undefined {
  const { sources, target = '' } = copying(call.args);
  for (const source of sources) {
    const what = vital(source, call.cwd);
    if (target === '/dev/null' && isKnown(source)) return deletion(what ?? source);
    if (isRepository(source, call.cwd) && !/(?:^|\/)\.git$/.test(target)) return rewritesHistory;
    if (what && !/^everything in|above/.test(what)) {
      return moving(what);
    }
  }
  return undefined;
}

export function destroyFile(call: Invocation): Finding | undefined {
  const { operands } = options(call.args, ['n', 's', 'size', 'iterations']);
  const target = operands.find((path) =>
    /^\/(?:etc|bin|sbin|lib|usr\/(?:bin|sbin|lib))(?:\/[^/]+)?$|^\/boot(?:\/|$)/.test(place(path, call.cwd)),
  );
  if (target !== undefined && call.name !== 'rmdir') return deletion('a system file');
  const what = operands.map((path) => /\*$/.test(path) && vital(path, call.cwd)).find(Boolean);
  return what ? deletion(what) : undefined;
}

export function mirror(call: Invocation): Finding | undefined {
  if (call.args.includes('--remove-source-files')) {
    const lost = vital(options(call.args, ['e', 'rsh', 'exclude']).operands[0] ?? '', call.cwd);
    if (lost && !lost.startsWith('everything')) return moving(lost);
  }
  if (!call.args.some((arg) => /^--del(?:ete.*)?$/.test(arg))) return undefined;
  if (call.args.includes('--list-only')) return undefined;
  const { operands } = options(call.args, ['e', 'rsh', 'exclude', 'include', 'filter', 'f']);
  const target = operands.at(-1) ?? '';
  const what =
    target.includes(':') && !/^[A-Za-z]:[\\/]/.test(target) ? remoteRoot(target) : vital(target, call.cwd);
  // From an empty folder all goes.
  const all = /(?:^|\/)\.?empty[^/]*\/?$/.test(operands[0] ?? '');
  return what && (all || !what.startsWith('everything in')) ? deletion(what) : undefined;
}

/** A file that is emptied: each file of a folder, a log of the system, what sets up somebody's shell. */
export function checkEmptied(path: string, call: Invocation): Finding | undefined {
  if (!/\*$|^\/var\/log\/|^~\/\./.test(path) && !SOURCE_PATH.test(path)) return undefined;
  if (!empties(call)) return undefined;
  if (call.redirects.some(({ operator }) => operator.endsWith('>>'))) return undefined;
  if (/\*$/.test(path)) {
    const what = vital(path, '.');
    if (what && !what.startsWith('everything')) return deletion(what);
  }
  if (
    /^\/var\/log\/(?:[^/]+\/)?(?:auth|secure|syslog|messages|kern|audit|[wb]tmp|lastlog|cron|daemon)[^/]*$|^\/var\/log\/(?:[^/]+\/)?[^/]*\*/.test(
      path,
    )
  )
    return deletion('a log of the system');
  if (SOURCE_PATH.test(path)) return losesSources;
  return /^~\/\./.test(path) && KEPT.has(sensitiveKind(path)?.id ?? '') ? deletion(path) : undefined;
}

/** A source of the project, as far as its name tells. */
const SOURCE_PATH =
  /^(?:src|lib|app|apps|packages|server|client|cmd|internal|pkg)\/(?:[^/]+\/)*[^/]+\.(?:tsx?|jsx|py|go|rs|java|rb|php|c|cc|cpp|cs|swift|kt|vue|svelte)$/;
const KEPT: ReadonlySet<string> = new Set(['shell-profile', 'ssh-key', 'keyring']);

/** Programs that do other things, too: what they delete with these arguments. */
export function removesToo({ known, args, cwd }: Invocation): Finding | undefined {
  const { removes } = known;
  if (!removes?.when.test(args.join(' '))) return undefined;
  const { operands, values } = options(args, known.valued?.split(' '));
  const folder = values.get('-C') ?? values.get('--directory');
  const what = operands
    .slice(removes.from, removes.to)
    .map((path) => vital(folder === undefined ? path : `${folder}/${path}`, cwd))
    .find((lost) => lost && !lost.startsWith('everything'));
  return what ? deletion(what) : undefined;
}

function remoteRoot(target: string): string | undefined {
  return /:\/?$/.test(target) && target.endsWith('/') ? 'the whole file system of that machine' : undefined;
}

export function gitClean({ args, cwd }: Invocation): Finding | undefined {
  const { verb, rest, folders } = gitCall(args);
  if (verb !== 'clean' || rest.some((arg) => /^(?:-\w*n\w*|--dry-run)$/.test(arg))) return undefined;
  const named = rest.filter((arg) => !arg.startsWith('-'));
  const what = [...(folders.length > 0 ? folders : ['.']), ...named]
    .map((path) => vital(path, cwd))
    .find((lost) => lost && !lost.startsWith('everything in'));
  return what ? deletion(what) : undefined;
}

export function windowsRemove(call: Invocation): Finding | undefined {
  const folders = /(?:^|\s)(?:\/s|-r\w*|-fo\w*|\/q|\/s\/q|\/q\/s)(?:\s|$)/i.test(call.args.join(' '));
  if (!folders && !(call.known.empties && call.stdin)) return undefined;
  if (call.args.some((arg) => WINDOWS_ROOT.test(arg))) return deletion('a drive or a system folder');
  if (
    call.args.some((arg) =>
      /^[a-z]:\\windows\\(?!temp|logs|prefetch|softwaredistribution|installer)/i.test(arg),
    )
  )
    return deletion('files of the system');
  for (const arg of call.args) {
    const path = arg.replaceAll('\\', '/');
    if (/^[/-]\w+$/.test(arg) || !isKnown(arg)) continue;
    if (isRepository(path, call.cwd)) return rewritesHistory;
    const lost = checkKept(path, call.cwd, true, call.project);
    if (lost) return lost;
  }
  const piped = call.stdin?.split('\n').filter((path) => path !== '') ?? [];
  const what = [...call.args, ...piped]
    .filter((arg) => isKnown(arg) && !/^(?:\/[a-z]|-\w+)$/i.test(arg))
    .map((arg) => vital(arg, call.cwd))
    .find(Boolean);
  return what ? deletion(what) : undefined;
}

/** As Windows writes it, and as a shell leaves it when the backslash was not quoted. */
const WINDOWS_ROOT = /^[a-z]:[\\/]*(?:(?:windows|users|program files(?: \(x86\))?|[*.])[\\/*.]*)?(?:\s|$)/i;
