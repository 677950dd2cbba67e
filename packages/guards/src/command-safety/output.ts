import { type Invocation, options } from './invocation.ts';
import { ALL_OF_DOCKER, OPAQUE, REMOTE, SHELL_OUTPUT, UNKNOWN } from './marks.ts';
import { fileKey } from './places.ts';

/** What a program prints, as far as that can be known before it runs; {@link UNKNOWN} otherwise. */
export function outputOf(call: Invocation, files: ReadonlyMap<string, string>): string {
  const { name, args, stdin } = call;
  switch (name) {
    case 'echo':
      return `${args.filter((arg, i) => i > 0 || !/^-[neE]+$/.test(arg)).join(' ')}\n`;
    case 'printf':
      return printed(args);
    case 'pwd':
      return call.cwd;
    case 'true':
    case 'false':
    case 'cd':
    case 'exit':
    case 'sleep':
      return '';
    case 'yes':
      return 'y\n';
    case 'cat':
    case 'tee':
    case 'nl':
    case 'less':
    case 'more':
    case 'pv':
    case 'sponge':
      return contentOf(call, files);
    case 'head':
    case 'tail':
      // Some of all files are not all of them.
      return contentOf(call, files).replace(/(^|\/)\*$/gm, `$1${UNKNOWN}`);
    case 'ls':
      return listed(args);
    case 'find':
      return found(args);
    case 'basename':
    case 'dirname':
    case 'realpath':
    case 'readlink':
      return args.filter((arg) => !arg.startsWith('-')).join('\n');
    case 'seq':
      return '1\n2';
    case 'curl':
    case 'wget':
    case 'fetch':
    case 'aria2c':
    case 'http':
    case 'https':
    case 'httpie':
    case 'xh':
    case 'lynx':
    case 'links':
    case 'w3m':
    case 'ftp':
    case 'tftp':
    case 'iwr':
    case 'irm':
    case 'invoke-webrequest':
    case 'invoke-restmethod':
      return REMOTE;
    case 'nc':
    case 'ncat':
    case 'netcat':
    case 'telnet':
    case 'socat':
      return REMOTE;
    case 'openssl':
      return args[0] === 's_client' ? REMOTE : args.includes('-d') ? OPAQUE : UNKNOWN;
    case 'base64':
    case 'base32':
    case 'gbase64':
    case 'basenc':
      return args.some((arg) => /^(-d|-D|--decode|-di|-id)$/.test(arg)) ? OPAQUE : UNKNOWN;
    case 'xxd':
      return args.some((arg) => arg.includes('r')) ? OPAQUE : UNKNOWN;
    case 'uudecode':
      return OPAQUE;
    case 'docker':
    case 'podman':
    case 'nerdctl':
      return listsAll(args) ? ALL_OF_DOCKER : UNKNOWN;
    case 'bash':
    case 'sh':
    case 'zsh':
    case 'dash':
    case 'ksh':
    case 'ash':
    case 'fish':
      return args.some((arg) => !arg.startsWith('-')) ? through(stdin) : SHELL_OUTPUT;
    case 'rev':
    case 'tr':
    case 'sed':
    case 'awk':
    case 'gawk':
    case 'perl':
    case 'gunzip':
    case 'zcat':
    case 'bunzip2':
    case 'xz':
    case 'unxz':
    case 'xzcat':
    case 'bzcat':
    case 'cut':
      // A text known so far, rewritten: what comes out is nobody's guess.
      return stdin === undefined || stdin.includes(UNKNOWN) ? UNKNOWN : `${OPAQUE}${through(stdin)}`;
    default:
      return through(stdin);
  }
}

/** A filter keeps what its input was made of. */
function through(stdin: string | undefined): string {
  if (stdin === undefined) return UNKNOWN;
  let kept = '';
  for (const mark of [REMOTE, OPAQUE, ALL_OF_DOCKER, SHELL_OUTPUT]) if (stdin.includes(mark)) kept += mark;
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
  if (named.length === 0) return call.stdin ?? UNKNOWN;
  return named
    .map((path) => (path === '-' ? (call.stdin ?? UNKNOWN) : (files.get(fileKey(path)) ?? UNKNOWN)))
    .join('');
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
  const narrow = tests.some((arg) => FIND_FILTERS.has(arg));
  const last = name !== -1 ? (tests[name + 1] ?? '*') : narrow ? UNKNOWN : '*';
  return (roots.length > 0 ? roots : ['.']).map((root) => `${root}/${last}`).join('\n');
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
