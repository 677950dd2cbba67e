import { type Invocation, options } from '../invocation.ts';
import { isKnown, UNKNOWN, withoutUnset } from '../marks.ts';
import { FIND_FILTERS, isRareType } from '../output.ts';
import { place, vital } from '../places.ts';
import { type Finding, finding } from '../verdict.ts';
import type { Rule } from './rule.ts';

/** Deleting, emptying or moving away what nobody can do without. */
export const filesystemRules: readonly Rule[] = [
  { programs: ['rm', 'grm', 'rimraf', 'trash', 'srm', 'wipe', 'del-cli', UNKNOWN], check: remove },
  { programs: ['find', 'gfind', 'bfs', 'fd', 'fdfind'], check: find },
  { programs: ['mv', 'gmv'], check: moveAway },
  { programs: ['unlink', 'shred', 'truncate', 'rmdir'], check: destroyFile },
  { programs: ['rsync'], check: mirror },
  { programs: ['git'], check: gitClean },
  { programs: ['del', 'erase', 'rd', 'remove-item', 'ri'], check: windowsRemove },
];

/** What `rm` of this target would destroy. */
export function deletion(what: string): Finding {
  return finding(
    'filesystem/delete',
    `This would delete ${what}.`,
    'Name the files or the folder inside the project that should go, for example `rm -rf ./dist`; never a root, a home or `*`.',
  );
}

function remove(call: Invocation): Finding | undefined {
  const { flags, operands } = options(call.args);
  if (flags.has('--no-preserve-root')) return deletion('the whole file system');
  if (flags.has('--help') || flags.has('--version')) return undefined;
  const recursive = flags.has('-r') || flags.has('-R') || flags.has('--recursive') || call.name === 'rimraf';
  if (call.name === UNKNOWN && !recursive) return undefined;
  for (const target of operands) {
    const what = vital(target, call.cwd) ?? (recursive ? vitalWhenEmpty(target, call.cwd) : undefined);
    // Without -r only what a pattern matches can go: `rm *`, not `rm .`.
    if (what && (recursive || /\*$/.test(target))) return deletion(what);
    if (/^\/(?:boot|bin|sbin)\/|^\/lib\/.*\*/.test(place(target, call.cwd))) return deletion('system files');
  }
  return undefined;
}

/** `rm -rf $DIR/`: the root, where the variable holds nothing. */
function vitalWhenEmpty(target: string, cwd: string): string | undefined {
  const bare = withoutUnset(target);
  if (bare === target || bare === '' || !/^[/~]/.test(bare)) return undefined;
  const what = vital(bare, cwd);
  return what === 'the whole file system' || what === 'the home folder'
    ? `${what}, if the variable is not set`
    : undefined;
}

function find(call: Invocation): Finding | undefined {
  const { args } = call;
  const first = args.findIndex((arg) => /^[-(!]/.test(arg) && !/^-[HLPEXdsx]$/.test(arg));
  if (first === -1) return undefined;
  const roots = args.slice(0, first).filter((arg) => !arg.startsWith('-'));
  const tests = args.slice(first);
  const deletes = tests.indexOf('-delete');
  const runs = tests.findIndex((arg) => /^(?:-exec|-execdir|-ok|-okdir|-x|--exec)$/.test(arg));
  const removes = runs !== -1 && removesEach(tests.slice(runs + 1));
  if (deletes === -1 && !removes) return undefined;
  // Tests behind the action do not narrow it.
  const before = tests.slice(0, deletes !== -1 ? deletes : runs);
  const narrow = before.some((arg, i) => narrows(arg, before[i - 1], before[i + 1]));
  for (const root of roots.length > 0 ? roots : ['.']) {
    const what = vital(root, call.cwd);
    if (!what) continue;
    if (
      !narrow ||
      place(root, call.cwd) === '/' ||
      /^\/(?:etc|usr|bin|lib|boot|sbin)$/.test(place(root, call.cwd))
    ) {
      return finding(
        'filesystem/find-delete',
        `This would delete files everywhere in ${what}.`,
        'Start the search in a folder of the project and narrow it with -name in front of -delete.',
      );
    }
  }
  return undefined;
}

function narrows(test: string, before: string | undefined, value: string | undefined): boolean {
  return (
    (FIND_FILTERS.has(test) || isRareType(test, value)) &&
    before !== '!' &&
    before !== '-not' &&
    value !== '*' &&
    value !== '.*'
  );
}

function removesEach(program: readonly string[]): boolean {
  const words = program.filter((word) => !/^(?:sudo|env|command|nice|ionice)$/.test(word));
  return /^(?:.*\/)?(?:rm|unlink|shred|truncate|rimraf)$/.test(words[0] ?? '');
}

function moveAway(call: Invocation): Finding | undefined {
  const { operands } = options(call.args, ['t', 'S', 'target-directory']);
  const target = operands.at(-1) ?? '';
  for (const source of operands.slice(0, -1)) {
    const what = vital(source, call.cwd);
    if (target === '/dev/null' && isKnown(source)) return deletion(what ?? source);
    if (what && !/^everything in|above/.test(what)) {
      return finding(
        'filesystem/move',
        `This would move away ${what}.`,
        'Move single files or folders of the project.',
      );
    }
  }
  return undefined;
}

function destroyFile(call: Invocation): Finding | undefined {
  const { operands } = options(call.args, ['n', 's', 'size', 'iterations']);
  const target = operands.find((path) =>
    /^\/(?:etc|bin|sbin|lib|usr\/(?:bin|sbin|lib))(?:\/[^/]+)?$|^\/boot(?:\/|$)/.test(place(path, call.cwd)),
  );
  if (target !== undefined && call.name !== 'rmdir') return deletion('a system file');
  const what = operands.map((path) => /\*$/.test(path) && vital(path, call.cwd)).find(Boolean);
  return what ? deletion(what) : undefined;
}

function mirror(call: Invocation): Finding | undefined {
  if (!call.args.some((arg) => /^--del(?:ete.*)?$/.test(arg))) return undefined;
  const target = options(call.args, ['e', 'rsh', 'exclude', 'include', 'filter', 'f']).operands.at(-1) ?? '';
  const what =
    target.includes(':') && !/^[A-Za-z]:[\\/]/.test(target) ? remoteRoot(target) : vital(target, call.cwd);
  return what && !what.startsWith('everything in') ? deletion(what) : undefined;
}

function remoteRoot(target: string): string | undefined {
  return /:\/?$/.test(target) && target.endsWith('/') ? 'the whole file system of that machine' : undefined;
}

function gitClean(call: Invocation): Finding | undefined {
  const directory = call.args.indexOf('-C');
  if (directory === -1 || !call.args.includes('clean')) return undefined;
  const what = vital(call.args[directory + 1] ?? '', call.cwd);
  return what && !what.startsWith('everything in') ? deletion(what) : undefined;
}

function windowsRemove(call: Invocation): Finding | undefined {
  if (!/(?:^|\s)(?:\/s|-r|-recurse|-force|\/q)(?:\s|$)/i.test(call.args.join(' '))) return undefined;
  if (call.args.some((arg) => WINDOWS_ROOT.test(arg))) return deletion('a drive or a system folder');
  const what = call.args
    .filter((arg) => isKnown(arg) && !/^(?:\/[a-z]|-\w+)$/i.test(arg))
    .map((arg) => vital(arg, call.cwd))
    .find(Boolean);
  return what ? deletion(what) : undefined;
}

/** As Windows writes it, and as a shell leaves it when the backslash was not quoted. */
const WINDOWS_ROOT = /^[a-z]:[\\/]*(?:windows|users|program files(?: \(x86\))?)?[\\/*.]*(?:\s|$)/i;
