import { place } from '../paths/places.ts';
import { options } from '../shell/options.ts';
import { copying, inFolder, optionValues, wordsBehind } from './calls.ts';
import { has, type Invocation, type Writes } from './program.ts';

/**
 * The files that a program changes, in their normal form: by a redirection, as a target, in place. All of them may be in one folder
 * with a long name, so their whole length is charged with `spend`; none where nothing is left.
 */
export function changedFiles(call: Invocation, spend: (characters: number) => boolean): readonly string[] {
  const { known, redirects, cwd } = call;
  const named = known.writes ? targetsOf(known.writes, call) : outputOptions(call);
  if (redirects.length === 0 && named.length === 0) return [];
  const redirected = redirects
    .filter(({ operator, target }) => operator.includes('>') && !/^(?:\d+|-)$/.test(target))
    .map(({ target }) => target);
  const changed = [...redirected, ...named.filter((path) => path !== '')];
  // Each is looked at by all rules for places.
  let cost = 0;
  for (const { length } of changed) cost += 64 + (length > 128 ? 6 * length : length);
  return spend(cost) ? changed.map((path) => place(path, cwd)) : [];
}

/** What stands behind an option that by its name is for a file to write, whatever the program. */
function outputOptions({ known, args }: Invocation): readonly string[] {
  if (known.noOutput || has(known, 'text', 'filters', 'names')) return [];
  return args.flatMap((arg, i) => {
    if (arg.startsWith('-')) return ATTACHED.exec(arg)?.[1] ?? [];
    return OUTPUT.test(args[i - 1] ?? '') ? arg : [];
  });
}

const OUTPUT = /^-(?:o|O|out|-out(?:put)?(?:-?file|-document)?|-log-?file)$/;
const ATTACHED = /^(?:-o|--(?:out(?:put)?(?:-?file|-document)?|log-?file)=)(.*\/.*)$/s;

/** What a program of the table changes, as its arguments name it. */
function targetsOf(writes: Writes, { known, args }: Invocation): readonly string[] {
  const operands = (valued = known.valued): readonly string[] => options(args, valued).operands;
  if (typeof writes === 'object') {
    if ('behind' in writes) return wordsBehind(args, writes.behind);
    if ('pattern' in writes) return args.flatMap((arg) => writes.pattern.exec(arg)?.[1] ?? []);
    if ('operand' in writes) return operands().slice(writes.operand).slice(0, 1);
    return optionValues(args, writes.options, 'H X d A u b c F e T');
  }
  switch (writes) {
    case 'operands':
      return operands();
    case 'cmdlet':
      return cmdletTargets(args);
    case 'in-place':
      return args.some((arg) => /^-\w*i|^--in-place/.test(arg)) ? operands('e f') : [];
    case 'saved':
      return args.some((arg) => SAVES.test(arg))
        ? operands('c u s S T cmd').filter((arg) => !SAVES.test(arg))
        : [];
    case 'unpacked': {
      // The files that an archive is asked for, in the folder where it is unpacked; the folder itself, too.
      const [folder] = optionValues(args, 'C directory d', 'f file');
      return folder === undefined || args.some((arg) => /^-\w*c/.test(arg))
        ? []
        : [folder, ...operands('C d directory f file').map((path) => `${folder}/${path}`)];
    }
    case 'awk':
      return writtenByAwk(args);
    case 'target':
      return copyTargets(args, known.valued);
    case 'moved':
      return [...copyTargets(args), ...operands('t')];
  }
}

/** `:wq`, `-c x`, `+'g/x/d|w'` */
const SAVES = /^\+?:?(?:.{0,200}\|\s?)?(?:w|wq|x|xit|wa|wqa|xa|up|update|write)!?$/;

/** What a cmdlet of PowerShell or a program of cmd writes: `-Path x`, `-Destination x`, or its operands. */
function cmdletTargets(args: readonly string[]): readonly string[] {
  const named = wordsBehind(args, /^-(?:literal|file)?path$|^-dest\w*$/i);
  if (named.length > 0) return named;
  return args.filter((arg, i) => !/^[-/]\w+$/.test(arg) && !VALUED.test(args[i - 1] ?? ''));
}

const VALUED = /^-(?!(?:append|force|noclobber|confirm|passthru|nonewline|recurse|verbose)$)\w+$/i;

/** `print > "x"`, and `print > F` with `-v F=x`; a file that is changed in its place. */
function writtenByAwk(args: readonly string[]): readonly string[] {
  if (args.includes('inplace')) return options(args, ['i', 'F', 'v']).operands;
  const variables = new Map(
    args.map((arg): [string, string] => {
      const [, name = '', value = ''] = /^(?:-v)?(\w+)=(.+)$/s.exec(arg) ?? [];
      return [name, value];
    }),
  );
  return args.flatMap((arg) =>
    [...arg.matchAll(/>{1,2}\s*(?:"([^"]{1,200})"|(\w+))/g)].map(
      (match) => match[1] ?? variables.get(match[2] ?? '') ?? '',
    ),
  );
}

function copyTargets(args: readonly string[], valued?: string): readonly string[] {
  const { sources, target } = copying(args, valued);
  if (!target) return [];
  // Without a slash it is in the home of that machine.
  const home = /^[\w.@-]{2,}:(?![\\/])(.*)$/.exec(target)?.[1];
  if (home !== undefined) return [`~/${home}`];
  return [target, ...sources.map((path) => inFolder(target, path))];
}

/** Whether it writes nothing into a file: `> file`, `: > file`, `truncate`, `cp /dev/null file`, `dd if=/dev/zero`. */
export function empties(call: Invocation): boolean {
  if (latest?.call !== call) latest = { call, isEmpty: writesNothing(call) };
  return latest.isEmpty;
}

/** A rule asks for each file that a program changes, and there may be thousands. */
let latest: { readonly call: Invocation; readonly isEmpty: boolean } | undefined;

function writesNothing({ name, known, args, stdin }: Invocation): boolean {
  if (name === '' || known.prints === 'nothing') return stdin === undefined;
  if (known.prints === 'echo' || known.prints === 'printf')
    return args.every((arg) => arg === '' || arg === '-n');
  return (
    known.empties === true ||
    (known.writes === 'in-place' && args.some((arg) => /^(?:1,\$)?d$/.test(arg))) ||
    args.some((arg) => /^(?:if=)?\/dev\/(?:null|zero|u?random)$|^nul$|^(?:\/usr)?\/bin\/true$/i.test(arg))
  );
}
