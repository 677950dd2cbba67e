import { place } from '../paths/places.ts';
import { options } from '../shell/options.ts';
import { copying } from './copying.ts';
import { isNamed } from './pattern.ts';
import { has, type Invocation, type Writes } from './program.ts';

/** The files that a program changes, in their normal form: by a redirection, as a target, in place. */
export function changedFiles(call: Invocation): readonly string[] {
  const named = call.known.writes ? targetsOf(call.known.writes, call) : outputOptions(call);
  if (call.redirects.length === 0 && named.length === 0) return NONE;
  const targets = named.filter((path) => path !== '');
  return [...redirectedTo(call), ...targets.map((path) => place(path, call.cwd))];
}

/** Where output is redirected to. */
function redirectedTo(call: Invocation): readonly string[] {
  return call.redirects
    .filter(({ operator, target }) => operator.includes('>') && !/^(?:\d+|-)$/.test(target))
    .map(({ target }) => place(target, call.cwd));
}

const NONE: readonly string[] = [];

/** What stands behind an option that by its name is for a file to write, whatever the program. */
function outputOptions({ known, args }: Invocation): readonly string[] {
  const { noOutput, captures } = known;
  if (noOutput || has(known, 'text', 'filters', 'names')) return NONE;
  return args.slice(0, MOST_ARGUMENTS).flatMap((arg, i) => {
    if (!arg.startsWith('-')) {
      const before = args[i - 1] ?? '';
      return OUTPUT.test(before) || (captures && before === '-w')
        ? arg
        : (WRITTEN_BY_WORD.exec(arg)?.[1] ?? NONE);
    }
    return /^(?:-o|--(?:output|out|outfile|output-file|log-file|logfile)=)(.*[/].*)$/s.exec(arg)?.[1] ?? NONE;
  });
}

/** Nobody names an output behind that many words. */
const MOST_ARGUMENTS = 64;

const OUTPUT = /^-(?:o|O|out|-output|-out|-outfile|-output-file|-output-document|-log-?file)$/;
/** `vim -c ':w! x'`. */
const WRITTEN_BY_WORD = /^:w!?\s*(\/[^\s,]+)/;

function targetsOf(writes: Writes, { known, args }: Invocation): readonly string[] {
  if (typeof writes === 'object') {
    return 'options' in writes
      ? valuesOf(args, writes.options.split(' '))
      : args.filter((_, i) => isNamed([args[i - 1] ?? ''], writes.behind));
  }
  switch (writes) {
    case 'operands':
      return options(args, known.valued?.split(' ')).operands;
    case 'first':
      return options(args, ['c', 'command']).operands.slice(0, 1);
    case 'second':
      return options(args, [...'bciKors']).operands.slice(1, 2);
    case 'cmdlet':
      return cmdletTargets(args);
    case 'last':
      return /^(?:info|check)$/.test(args[0] ?? '') ? [] : args.slice(-1);
    case 'address':
      return args.flatMap((arg) => /^(?:OPEN|FILE|GOPEN|CREATE):([^,]+)/i.exec(arg)?.[1] ?? []);
    case 'in-place':
      return args.some((arg) => /^-\w*i/.test(arg) || arg.startsWith('--in-place'))
        ? options(args, ['e', 'f']).operands
        : [];
    case 'bound':
      return args.some((arg) => /^--?r?bind$|bind/.test(arg))
        ? options(args, ['o', 't']).operands.slice(-1)
        : [];
    case 'saved':
      return args.some((arg) => SAVES.test(arg))
        ? options(args, [...'cusST', 'cmd']).operands.filter((arg) => !SAVES.test(arg))
        : [];
    case 'tar':
      return unpacked(args, ['C', 'directory'], /^-?\w*x|^--(?:extract|get)$/);
    case 'zip':
      return unpacked(args, ['d'], /./);
    case 'awk':
      return args.some((arg, i) => arg === 'inplace' && args[i - 1] === '-i')
        ? options(args, ['i', 'F', 'v']).operands
        : writtenByAwk(args);
    case 'target':
      return copyTargets(args, known.valued);
    case 'moved':
      return [...copyTargets(args), ...options(args, ['t']).operands];
    case 'of=':
      return args.flatMap((arg) => /^(?:of|ofile|wipe)=(.+)$/s.exec(arg)?.[1] ?? []);
  }
}

/** `:wq`, `-c x`, `+'g/x/d|w'` */
const SAVES = /^\+?:?(?:.{0,200}\|\s?)?(?:w|wq|x|xit|wa|wqa|xa|up|update|write)!?$/;

/** What a cmdlet of PowerShell or a program of cmd writes: `-Path x`, `-Destination x`, or its last operand. */
function cmdletTargets(args: readonly string[]): readonly string[] {
  const named = args.filter((_, i) => /^-(?:literal|file)?path$|^-dest\w*$/i.test(args[i - 1] ?? ''));
  const operands = args.filter(
    (arg, i) =>
      !/^[-/]\w+$/.test(arg) && (SWITCH.test(args[i - 1] ?? '') || !/^-\w+$/.test(args[i - 1] ?? '')),
  );
  return named.length > 0 ? named : [...operands.slice(0, 1), ...operands.slice(-1)];
}

/** Options of cmdlets without a value. */
const SWITCH = /^-(?:append|force|noclobber|confirm|passthru|nonewline|recurse|verbose)$/i;

/** `print > "x"`, and `print > F` with `-v F=x`. */
function writtenByAwk(args: readonly string[]): readonly string[] {
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

/** The files that an archive is asked for, in the folder where it is unpacked; the folder itself, too. */
function unpacked(args: readonly string[], folderIn: readonly string[], when: RegExp): readonly string[] {
  const { values, operands } = options(args, [...folderIn, 'f', 'file']);
  const folder = folderIn
    .map((name) => values.get(name.length === 1 ? `-${name}` : `--${name}`))
    .find(Boolean);
  if (folder === undefined || !args.some((arg) => when.test(arg))) return [];
  return [folder, ...operands.map((path) => `${folder}/${path}`)];
}

function copyTargets(args: readonly string[], valued?: string): readonly string[] {
  const { sources, target } = copying(args, valued);
  if (!target) return [];
  // Without a slash it is in the home of that machine.
  const home = /^[\w.@-]{2,}:(?![\\/])(.*)$/.exec(target)?.[1];
  if (home !== undefined) return [`~/${home}`];
  // Into a folder: the file keeps its name there.
  return [target, ...sources.map((path) => `${target}/${path.slice(path.lastIndexOf('/') + 1)}`)];
}

function valuesOf(args: readonly string[], names: readonly string[]): readonly string[] {
  const { values } = options(args, [...names, ...'HXdAubcFeT']);
  return names.flatMap((name) => values.get(name.length === 1 ? `-${name}` : `--${name}`) ?? []);
}

/** What writes nothing into a file: `> file`, `: > file`, `truncate`, `cp /dev/null file`, `dd if=/dev/zero`. */
export function empties(call: Invocation): boolean {
  let answer = EMPTIES.get(call);
  if (answer === undefined) {
    answer = writesNothing(call);
    EMPTIES.set(call, answer);
  }
  return answer;
}

/** Asked for each file that a program changes, and there may be thousands. */
const EMPTIES = new WeakMap<Invocation, boolean>();

function writesNothing({ name, known, args, stdin }: Invocation): boolean {
  if (name === '' || name === ':' || name === 'true') return stdin === undefined;
  if (known.fetches === 'input' && stdin?.trim() === '') return true;
  if (name === 'echo' || name === 'printf') return args.every((arg) => arg === '' || arg === '-n');
  if (known.writes === 'in-place') return args.some((arg) => /^(?:1,\$)?d$/.test(arg));
  if (known.empties) return true;
  return args.some((arg) =>
    /^(?:if=)?\/dev\/(?:null|zero|u?random)$|^nul$|^(?:\/usr)?\/bin\/true$/i.test(arg),
  );
}
