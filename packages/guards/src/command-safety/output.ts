import { type Invocation, options } from './invocation.ts';
import {
  ALL_OF_DOCKER,
  CONTENT,
  isKnown,
  OPAQUE,
  REMOTE,
  REWRITTEN,
  SHELL_OUTPUT,
  UNKNOWN,
} from './marks.ts';
import { fileKey } from './places.ts';

/** What a program prints, as far as that can be known before it runs; {@link UNKNOWN} otherwise. */
export function outputOf(call: Invocation, files: ReadonlyMap<string, string>): string {
  const output = OUTPUTS.get(call.name);
  return output === undefined ? through(call.stdin) : output(call, files);
}

type Output = (call: Invocation, files: ReadonlyMap<string, string>) => string;

const OUTPUTS: ReadonlyMap<string, Output> = new Map<string, Output>([
  ...forAll('true false cd exit sleep', () => ''),
  ['echo', ({ args }) => `${args.filter((arg, i) => i > 0 || !/^-[neE]+$/.test(arg)).join(' ')}\n`],
  ['printf', ({ args }) => printed(args)],
  ['pwd', ({ cwd }) => cwd],
  ['yes', () => 'y\n'],
  ['seq', () => '1\n2'],
  ...forAll('cat tee nl less more pv sponge', contentOf),
  // Some of all files are not all of them.
  ...forAll('head tail', (call, files) => contentOf(call, files).replace(/(^|\/)\*$/gm, `$1${UNKNOWN}`)),
  ['ls', ({ args }) => listed(args)],
  ['find', ({ args }) => found(args)],
  ...forAll('basename dirname realpath readlink', ({ args }) =>
    args.filter((arg) => !arg.startsWith('-')).join('\n'),
  ),
  ...forAll('curl wget fetch aria2c http https httpie xh lynx links w3m ftp tftp', () => REMOTE),
  ...forAll('iwr irm invoke-webrequest invoke-restmethod certutil', () => REMOTE),
  ...forAll('nc ncat netcat telnet socat', () => REMOTE),
  ['openssl', ({ args }) => (args[0] === 's_client' ? REMOTE : args.includes('-d') ? OPAQUE : UNKNOWN)],
  ...forAll('base64 base32 gbase64 basenc', ({ args }) =>
    args.some((arg) => /^(?:-d|-D|--decode|-di|-id)$/.test(arg)) ? OPAQUE : UNKNOWN,
  ),
  ['xxd', ({ args }) => (args.some((arg) => arg.includes('r')) ? OPAQUE : UNKNOWN)],
  ['uudecode', () => OPAQUE],
  ...forAll('docker podman nerdctl', ({ args }) => (listsAll(args) ? ALL_OF_DOCKER : UNKNOWN)),
  ...forAll('bash sh zsh dash ksh ash fish', ({ args, stdin }) =>
    args.some((arg) => !arg.startsWith('-')) ? through(stdin) : SHELL_OUTPUT,
  ),
  ...forAll('rev gunzip zcat bunzip2 xz unxz xzcat bzcat', (call) => rewritten(call, OPAQUE)),
  ...forAll('sed awk gawk perl cut', (call) => rewritten(call, REWRITTEN)),
  ['tr', (call) => rewritten(call, call.args.some((arg) => ROTATION.test(arg)) ? OPAQUE : REWRITTEN)],
]);

/** Letters that stand for other letters: `n-za-m`. */
const ROTATION = /[b-z]-z.?a-[a-y]/i;

/** There is little reason to rewrite a text that stands in the command itself but to hide what comes out. */
function rewritten({ stdin }: Invocation, mark: string): string {
  return stdin === undefined || !isKnown(stdin) || stdin.includes('$0') ? through(stdin) : mark;
}

function forAll(names: string, output: Output): [string, Output][] {
  return names.split(' ').map((name) => [name, output]);
}

/** A filter keeps what its input was made of. */
function through(stdin: string | undefined): string {
  if (stdin === undefined) return UNKNOWN;
  let kept = '';
  for (const mark of [REMOTE, OPAQUE, REWRITTEN, ALL_OF_DOCKER, SHELL_OUTPUT])
    if (stdin.includes(mark)) kept += mark;
  return kept || UNKNOWN;
}

function printed(args: readonly string[]): string {
  const [format = '', ...values] = args[0] === '--' ? args.slice(1) : args;
  let used = 0;
  const once = (): string =>
    format.replace(
      /%(?:%|[-0-9.#]*[a-zA-Z])|\\(?:n|t|x([0-9a-fA-F]{1,2})|([0-7]{1,3}))/g,
      (match, hex?: string, octal?: string) => {
        if (match === '%%') return '%';
        if (match.startsWith('%')) return values[used++] ?? '';
        if (match === '\\n') return '\n';
        if (match === '\\t') return '\t';
        return String.fromCharCode(hex ? Number.parseInt(hex, 16) : Number.parseInt(octal ?? '0', 8));
      },
    );
  let text = once();
  while (used > 0 && used < values.length && text.length < 8192) {
    const before = used;
    text += once();
    if (used === before) break;
  }
  return text;
}

function contentOf(call: Invocation, files: ReadonlyMap<string, string>): string {
  const named = call.name === 'tee' ? [] : options(call.args, ['n', 'c']).operands;
  const own = call.stdin ?? UNKNOWN;
  if (named.length === 0) return own;
  const content = (path: string): string => {
    if (path.startsWith(CONTENT)) return path.slice(1);
    return path === '-' ? own : (files.get(fileKey(path)) ?? UNKNOWN);
  };
  return named.map(content).join('');
}

function listed(args: readonly string[]): string {
  const named = args.filter((arg) => !arg.startsWith('-'));
  if (named.length === 0) return '*';
  return named.map((path) => (/[*?[]/.test(path) ? path : `${path}/*`)).join('\n');
}

/** Where a search starts and the name it looks for: `~/*.pem`. */
function found(args: readonly string[]): string {
  const first = args.findIndex((arg) => /^[-(!]/.test(arg));
  const roots = first === -1 ? args : args.slice(0, first);
  const tests = first === -1 ? [] : args.slice(first);
  const name = tests.findIndex((arg) => /^-i?(?:name|path|wholename)$/.test(arg));
  const narrow = tests.some((arg, i) => FIND_FILTERS.has(arg) || isRareType(arg, tests[i + 1]));
  const last = name !== -1 ? (tests[name + 1] ?? '*') : narrow ? UNKNOWN : '*';
  return (roots.length > 0 ? roots : ['.']).map((root) => `${root}/${last}`).join('\n');
}

/** Links, sockets and pipes are some of all files; plain files and folders are all of them. */
export function isRareType(test: string, value: string | undefined): boolean {
  return test === '-type' && value !== undefined && /^[lspbc]$/.test(value);
}

/** Tests of `find` that pick some files out of all. */
export const FIND_FILTERS: ReadonlySet<string> = new Set(
  'name iname path ipath wholename iwholename regex iregex mtime mmin atime amin ctime cmin newer newermt size empty perm user group nouser nogroup uid gid inum links lname samefile'
    .split(' ')
    .map((test) => `-${test}`),
);

function listsAll(args: readonly string[]): boolean {
  const words = args.filter((arg) => !arg.startsWith('-'));
  const quiet = args.some((arg) => arg === '--quiet' || /^-[a-z]*q/.test(arg));
  const filtered = args.some((arg) => /^-[a-z]*f/.test(arg) || arg.startsWith('--filter'));
  const verb = words.find((word) => ['ls', 'ps', 'images', 'list'].includes(word));
  const all = verb !== 'ps' || args.some((arg) => arg === '--all' || /^-[a-z]*a/.test(arg));
  return quiet && !filtered && verb !== undefined && all;
}
