import { fileKey } from '../paths/places.ts';
import { packsAll } from '../programs/effects.ts';
import { gitCall } from '../programs/git.ts';
import { printsRemote } from '../programs/network.ts';
import { has, type Invocation, type Prints } from '../programs/program.ts';
import { printsVariables } from '../rules/sensitive-files.ts';
import { printsSecretItself } from '../rules/table-dangers.ts';
import { found } from './found-files.ts';
import {
  ALL_OF_A_KIND,
  BULK,
  CHANGED,
  CONTENT,
  holdsSecret,
  holdsVariables,
  isKnown,
  OPAQUE,
  REMOTE,
  REWRITTEN,
  SECRET,
  SHELL_OUTPUT,
  UNKNOWN,
  VARIABLES,
} from './marks.ts';
import { options } from './options.ts';
import { isSecretName } from './scope.ts';
import { decode, type Encoding, echoed, printed, printedByCode, translated, without } from './texts.ts';

/** What a program prints, as far as that can be known before it runs; {@link UNKNOWN} otherwise. */
export function outputOf(call: Invocation, files: ReadonlyMap<string, string>): string {
  if (printsSecretItself(call) || printsVariable(call))
    return call.known.prints === 'hidden' ? SECRET + OPAQUE : SECRET;
  if (printsVariables(call)) return VARIABLES;
  const output = withoutSecret(call, files);
  if (call.stdin === undefined || !passesOn(call)) return output;
  // `env | grep -i token` picks the secrets.
  return holdsVariables(call.stdin) &&
    has(call.known, 'filters') &&
    call.args.some((arg) => SECRET_NAMES.test(arg))
    ? SECRET
    : output + secretsIn(call.stdin);
}

/** Whether what it prints may hold a secret, so that it is to be worked out even where nothing reads it. */
export function mayPrintSecret(call: Invocation): boolean {
  return (
    secretsIn(call.stdin ?? '') !== '' ||
    call.args.some((arg) => secretsIn(arg) !== '') ||
    printsVariables(call) ||
    printsVariable(call) ||
    printsSecretItself(call)
  );
}

const SECRET_NAMES =
  /^AWS|token|secret|passw|_pass\b|credential|api_?key|private_?key|access_?key|^-?\W*key\W*$/i;

function secretsIn(text: string): string {
  return (holdsSecret(text) ? SECRET : '') + (holdsVariables(text) ? VARIABLES : '');
}

/** `printenv GITHUB_TOKEN` */
function printsVariable({ known, args }: Invocation): boolean {
  return known.prints === 'variable' && args.some(isSecretName);
}

/** It shows what it reads, or picks some of it: not a number of letters, nor whether there is any. */
function passesOn({ known, args }: Invocation): boolean {
  if (!has(known, 'shows') && !has(known, 'filters')) return false;
  return !args.some((arg) => /^-(?:c\d*|q|\w*q\w*|-count|-quiet|-bytes=\d+)$/.test(arg));
}

function withoutSecret(call: Invocation, files: ReadonlyMap<string, string>): string {
  const { prints, listsAll } = call.known;
  if (listsAll?.test(call.args.join(' '))) return ALL_OF_A_KIND;
  if (prints) return OUTPUTS[prints](call, files);
  return printsRemote(call) ? REMOTE : through(inputOf(call, files));
}

type Output = (call: Invocation, files: ReadonlyMap<string, string>) => string;

const OUTPUTS: Readonly<Record<Prints, Output>> = {
  nothing: () => '',
  bulk: () => BULK,
  archive: (call, files) => {
    if (packsAll(call.args)) return BULK;
    // A file out of an archive: nobody sees what it says.
    const shows = call.args.some((arg) =>
      /^(?:-p|-?[a-zA-Z]*x[a-zA-Z]*O[a-zA-Z]*|-\w*O|--to-stdout|-so)$/.test(arg),
    );
    return through(inputOf(call, files)) + (shows ? OPAQUE : '');
  },
  variable: () => UNKNOWN,
  echo: ({ args }) => echoed(args),
  code: ({ args }) => printedByCode(args),
  printf: ({ args }) => printed(args),
  operands: ({ args }) => args.filter((arg) => !arg.startsWith('-')).join('\n'),
  folder: ({ cwd }) => cwd,
  accounts: ({ args }) => (args[0] === 'passwd' ? '_:x:0:0:_:~:/bin/bash' : UNKNOWN),
  disks: () => '/dev/sda',
  anywhere: ({ args }) => args.map((name) => `/**/${name}`).join('\n'),
  again: ({ args }) => `${args.join(' ') || 'y'}\n`,
  numbers: () => '1\n2',
  content: contentOf,
  // Some of all files are not all of them.
  some: (call, files) => someOf(contentOf(call, files).replace(/(^|\/)\*$/gm, `$1${UNKNOWN}`)),
  listing: ({ args }) => listed(args),
  found: ({ args }) => found(args),
  openssl: (call, files) =>
    printsRemote(call) ? REMOTE : call.args.includes('-d') ? decoded(call, files, 'base64') : UNKNOWN,
  base64: (call, files) =>
    call.args.some((arg) => /^(?:-d|-D|--decode|-di|-id)$/.test(arg))
      ? decoded(call, files, 'base64')
      : UNKNOWN,
  hex: (call, files) => (call.args.some((arg) => arg.includes('r')) ? decoded(call, files, 'hex') : UNKNOWN),
  hidden: () => OPAQUE,
  git: (call) => gitPrints(call),
  docker: ({ args }) => {
    if (/^(?:save|export)$/.test(args[0] ?? '')) return BULK;
    // Who made the image says what it prints.
    if (args[0] === 'run') return REMOTE;
    return listsAll(args) || asksAboutAll(args) ? ALL_OF_A_KIND : UNKNOWN;
  },
  shell: ({ args, stdin }) => (args.some((arg) => !arg.startsWith('-')) ? through(stdin) : SHELL_OUTPUT),
  // What is unpacked and run nobody sees.
  unpacked: (call, files) => through(inputOf(call, files)) + OPAQUE,
  lines: (call, files) =>
    leftOut(call) ?? someOf(searched(call, through(inputOf(call, files)))) + searchedName(call),
  picked: (call, files) => someOf(through(inputOf(call, files))),
  rewritten: (call, files) => rewritten(call, files, REWRITTEN),
  awk: (call, files) =>
    call.stdin === undefined ? printedByCode(call.args) : rewritten(call, files, REWRITTEN),
  letters: (call, files) =>
    without(call) ??
    (call.args.some((arg) => ROTATION.test(arg))
      ? rewritten(call, files, OPAQUE)
      : (translated(call) ?? rewritten(call, files, REWRITTEN))),
};

function gitPrints(call: Invocation): string {
  if (call.args.includes('--show-toplevel')) return '.';
  const { verb, rest } = gitCall(call.args);
  const args = [verb, ...rest];
  // All files that are in the repository.
  if (args[0] === 'ls-files' && args.slice(1).every((arg) => /^(?:-z|-c|--cached)$/.test(arg))) return '*';
  if (args[0] === 'archive' && !printsRemote(call)) return BULK;
  const line = args.join(' ');
  if (
    /^(?:ls-files .*(?:-\w*[om]|--others|--modified)|status .*(?:-\w*s|--short|--porcelain)|diff(?: --(?:name-only|name-status)| HEAD| -\S+)*$)/.test(
      line,
    )
  )
    return CHANGED;
  if (/^(?:bundle create -|fast-export)/.test(line)) return BULK;
  return printsRemote(call) ? REMOTE : UNKNOWN;
}

/** `grep -v x` leaves nearly all of what it reads. */
function leftOut({ args, stdin }: Invocation): string | undefined {
  return stdin !== undefined && isKnown(stdin) && args.some((arg) => /^-\w*v|^--invert/.test(arg))
    ? stdin
    : undefined;
}

/** What a text that stands in the command is decoded to: fine as a name, but nothing to run. */
function decoded(call: Invocation, files: ReadonlyMap<string, string>, encoding: Encoding): string {
  const input = inputOf(call, files);
  if (input === undefined || !isKnown(input)) return OPAQUE;
  return `${decode(input, encoding) ?? ''}\n${OPAQUE}`;
}

/** Some of all are not all. */
function someOf(text: string): string {
  return text.replaceAll(ALL_OF_A_KIND, UNKNOWN);
}

/** Letters that stand for other letters: `n-za-m`. */
const ROTATION = /[b-z]-z.?a-[a-y]/i;

/** There is little reason to rewrite a text that stands in the command itself but to hide what comes out. */
function rewritten(call: Invocation, files: ReadonlyMap<string, string>, mark: string): string {
  const input = inputOf(call, files);
  const picked = input === undefined ? undefined : pickedFields(call, input);
  if (picked !== undefined) return picked;
  const under = input === undefined ? undefined : prefixed(call, input);
  if (under !== undefined) return under;
  if (input !== undefined && isKnown(input) && !input.includes('$0')) return mark;
  const kept = through(input);
  return call.args.some((arg) => /\/[^/]+\//.test(arg)) ? someOf(kept) : kept;
}

/** `sed 's|^|/|'` and `awk '{print "/" $0}'` put a folder before each name; a name that has one already keeps it. */
function prefixed({ known, args }: Invocation, input: string): string | undefined {
  if (!isKnown(input)) return undefined;
  const code = options(args, ['e', 'expression', 'F', 'v']);
  const text = code.values.get('-e') ?? code.values.get('--expression') ?? code.operands[0] ?? '';
  const before = (known.writes === 'in-place' ? BEFORE_LINE : PRINTS_BEFORE).exec(text);
  const prefix = before?.groups?.['prefix']?.replaceAll('\\/', '/');
  if (prefix === undefined || !/^[/~]/.test(prefix)) return undefined;
  const lines = input.split('\n').filter((line) => line !== '');
  return [...lines.map((line) => (/^[/~]/.test(line) ? line : prefix + line)), REWRITTEN].join('\n');
}

const BEFORE_LINE = /^s(?<mark>[|,#:@!/])\^\k<mark>(?<prefix>(?:[\w.~-]|\\?\/){1,64})\k<mark>g?$/;
const PRINTS_BEFORE = /^\s*\{\s*print\s*"(?<prefix>[\w./~-]{1,64})"\s*\$[01]\s*;?\s*\}\s*$/;

/** `awk '{print $2}'` and `cut -d: -f6`, of a text that is known in part. */
function pickedFields({ known, args }: Invocation, input: string): string | undefined {
  const { values, operands } = options(args, ['F', 'd', 'f', 'delimiter', 'fields']);
  const number = known.reads === 'columns' ? values.get('-f') : PRINTS.exec(operands[0] ?? '')?.[1];
  const separator = known.reads === 'columns' ? (values.get('-d') ?? '\t') : (values.get('-F') ?? /\s+/);
  if (number === undefined || !/^\d$/.test(number) || !/[~/]/.test(input)) return undefined;
  const lines = input.split('\n').filter((line) => line !== '');
  return lines.map((line) => line.split(separator)[Number(number) - 1] ?? line).join('\n');
}

const PRINTS = /^\s*\{\s*print \$(\d)\s*(?:;\s*)?\}\s*$/;

/** Of the names of changed files, some: those that have in them what is searched for. */
function searched({ args }: Invocation, text: string): string {
  return args.some((arg) => !arg.startsWith('-') && /[a-z]{2}/i.test(arg))
    ? text.replaceAll(CHANGED, UNKNOWN)
    : text;
}

/** What is searched for tells what is found: `grep '\.pem$'` finds names that end so. */
function searchedName({ args }: Invocation): string {
  const pattern = options(args, ['e', 'm', 'A', 'B', 'C']).operands[0] ?? '';
  const name = pattern.replace(/^\^|\$$/g, '').replaceAll('\\.', '.');
  return /^[\w./-]*\.\w+$/.test(name) ? `\n${name}` : '';
}

/** What a filter reads: its input, and files that the command wrote. */
function inputOf(call: Invocation, files: ReadonlyMap<string, string>): string | undefined {
  if (files.size === 0) return call.stdin;
  const read = call.args.map((arg) => files.get(fileKey(arg, call.cwd)) ?? '').join('');
  return read === '' ? call.stdin : (call.stdin ?? '') + read;
}

/** A filter keeps what its input was made of. */
function through(stdin: string | undefined): string {
  if (stdin === undefined) return UNKNOWN;
  let kept = '';
  for (const mark of [REMOTE, OPAQUE, REWRITTEN, ALL_OF_A_KIND, SHELL_OUTPUT, BULK, CHANGED])
    if (stdin.includes(mark)) kept += mark;
  return kept || UNKNOWN;
}

function contentOf(call: Invocation, files: ReadonlyMap<string, string>): string {
  const named = call.known.fetches === 'input' ? [] : options(call.args, ['n', 'c']).operands;
  const own = call.stdin ?? UNKNOWN;
  if (named.length === 0) return own;
  const content = (path: string): string => {
    if (path.startsWith(CONTENT)) return path.slice(1);
    if (path === '/dev/null') return '';
    if (/^\/dev\/(?:tcp|udp)\//.test(path)) return REMOTE;
    return path === '-' ? own : (files.get(fileKey(path, call.cwd)) ?? UNKNOWN);
  };
  return named.map(content).join('');
}

function listed(args: readonly string[]): string {
  const named = args.filter((arg) => !arg.startsWith('-'));
  if (named.length === 0) return '*';
  return named.map((path) => (/[*?[]/.test(path) ? path : `${path}/*`)).join('\n');
}

/** `docker inspect $(docker ps -aq)` has all that there is in what it prints. */
function asksAboutAll(args: readonly string[]): boolean {
  return args.includes('inspect') && args.some((arg) => arg.includes(ALL_OF_A_KIND));
}

/** Without a filter: all that there is, by name or in a table. */
function listsAll(args: readonly string[]): boolean {
  const words = args.filter((arg, i) => !arg.startsWith('-') && args[i - 1] !== '--format');
  const filtered = args.some(
    (arg) => /^-[a-z]*f|^-(?:n|l|-latest|-last)/.test(arg) || arg.startsWith('--filter'),
  );
  const at = words.findLastIndex((word) => ['ls', 'ps', 'images', 'list'].includes(word));
  const verb = words[at];
  // What nothing uses is all that `volume prune` deletes; `images app` lists those of one name.
  if (words.includes('volume') && args.some((arg) => arg.includes('dangling=true'))) return true;
  if ((verb === 'images' || words.includes('image')) && words.length > at + 1) return false;
  const containers = verb === 'ps' || words.includes('container');
  const all = !containers || args.some((arg) => arg === '--all' || /^-[a-z]*a/.test(arg));
  return !filtered && verb !== undefined && all;
}
