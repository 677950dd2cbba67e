import { place } from '../paths/places.ts';
import { options } from '../shell/options.ts';
import type { Invocation } from './program.ts';
import { has } from './program.ts';

/** The files that a program changes, in their normal form: by a redirection, as a target, in place. */
export function changedFiles(call: Invocation): readonly string[] {
  const named = WRITERS.has(call.name) ? targetsOf(call) : outputOptions(call);
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

/** Programs that {@link targetsOf} knows. */
const WRITERS: ReadonlySet<string> = new Set(
  'tee sponge truncate shred unlink rm ed red ex patch vipw sed gsed perl ruby awk gawk cp install ln rsync scp mv dd sort curl wget mount tar bsdtar unzip'.split(
    ' ',
  ),
);
const NONE: readonly string[] = [];

/** What stands behind an option that by its name is for a file to write, whatever the program. */
function outputOptions({ name, known, args }: Invocation): readonly string[] {
  const own = OUTPUT_OF.get(name);
  if (own) return own(args);
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

type Targets = (args: readonly string[]) => readonly string[];

/** Programs with a way of their own to say where their output goes. */
const OUTPUT_OF: ReadonlyMap<string, Targets> = new Map<string, Targets>([
  ['script', (args) => options(args, ['c', 'command']).operands.slice(0, 1)],
  ['logsave', (args) => options(args).operands.slice(0, 1)],
  ['lwp-download', (args) => options(args).operands.slice(1, 2)],
  ['history', behind(/^-[aw]$/)],
  ['mysqldump', behind(/^(?:-r|--result-file)$/)],
  ['pg_dump', behind(/^(?:-f|--file)$/)],
  ['nmap', behind(/^-o[NGXAS]$/)],
  ['update-alternatives', behind(/^--install$/)],
]);

function behind(option: RegExp): Targets {
  return (args) => args.filter((_, i) => option.test(args[i - 1] ?? ''));
}

/** Nobody names an output behind that many words. */
const MOST_ARGUMENTS = 64;

const OUTPUT = /^-(?:o|O|out|-output|-out|-outfile|-output-file|-output-document|-log-?file)$/;
/** `vim -c ':w! x'`, `socat - OPEN:x,creat`. */
const WRITTEN_BY_WORD = /^(?::w!?\s*|(?:OPEN|CREATE|GOPEN):)(\/[^\s,]+)/i;
function targetsOf(call: Invocation): readonly string[] {
  const { name, args } = call;
  switch (name) {
    case 'tee':
    case 'sponge':
    case 'truncate':
    case 'shred':
    case 'unlink':
    case 'rm':
    case 'ed':
    case 'red':
    case 'ex':
    case 'patch':
    case 'vipw':
      return options(args, ['s', 'size', 'n', 'p', 'i']).operands;
    case 'sed':
    case 'gsed':
    case 'perl':
    case 'ruby':
      return args.some((arg) => /^-\w*i/.test(arg) || arg.startsWith('--in-place'))
        ? options(args, ['e', 'f']).operands
        : [];
    case 'mount':
      return args.some((arg) => /^--?r?bind$|bind/.test(arg))
        ? options(args, ['o', 't']).operands.slice(-1)
        : [];
    case 'tar':
    case 'bsdtar':
      return unpacked(args, ['C', 'directory'], /^-?\w*x|^--(?:extract|get)$/);
    case 'unzip':
      return unpacked(args, ['d'], /./);
    case 'awk':
    case 'gawk':
      if (args.some((arg, i) => arg === 'inplace' && args[i - 1] === '-i'))
        return options(args, ['i', 'F', 'v']).operands;
      return writtenByAwk(args);
    case 'cp':
    case 'install':
    case 'ln':
    case 'rsync':
    case 'scp':
      return copyTargets(args, name);
    case 'mv':
      return [...copyTargets(args), ...options(args, ['t']).operands];
    case 'dd':
      return args.filter((arg) => arg.startsWith('of=')).map((arg) => arg.slice(3));
    case 'sort':
      return valuesOf(args, ['o', 'output']);
    case 'curl':
      return valuesOf(args, ['o', 'output']);
    case 'wget':
      return valuesOf(args, ['O', 'output-document', 'o', 'a', 'P', 'directory-prefix']);
    default:
      return [];
  }
}

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

function copyTargets(args: readonly string[], name = ''): readonly string[] {
  const { operands, values } = options(args, [
    ...'tmgoS',
    'target-directory',
    'mode',
    'owner',
    'group',
    'suffix',
    ...(name === 'rsync' ? ['e', 'rsh'] : []),
  ]);
  const folder = values.get('-t') ?? values.get('--target-directory');
  const sources = folder === undefined ? operands.slice(0, -1) : operands;
  const target = folder ?? (operands.length > 1 ? operands.at(-1) : undefined) ?? '';
  if (target === '') return [];
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

function writesNothing({ name, args, stdin }: Invocation): boolean {
  if (name === '' || name === ':' || name === 'true') return stdin === undefined;
  if (name === 'tee' && stdin?.trim() === '') return true;
  if (name === 'echo' || name === 'printf') return args.every((arg) => arg === '' || arg === '-n');
  if (name === 'sed' || name === 'gsed') return args.some((arg) => /^(?:1,\$)?d$/.test(arg));
  if (name === 'truncate' || name === 'shred' || name === 'unlink') return true;
  return args.some((arg) => /^(?:if=)?\/dev\/(?:null|zero|u?random)$|^(?:\/usr)?\/bin\/true$/.test(arg));
}
