import { fileKey } from '../paths/places.ts';
import { printsRemote } from '../programs/calls.ts';
import { packsAll } from '../programs/effects.ts';
import { has, type Invocation, type Prints } from '../programs/program.ts';
import { fitsOne } from '../programs/read-call.ts';
import { printsVariables } from '../rules/sensitive-files.ts';
import { printsSecretItself } from '../rules/table-dangers.ts';
import { contentOf } from './file-content.ts';
import { found } from './found-files.ts';
import {
  ALL_OF_A_KIND,
  BULK,
  CHANGED,
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
import { decode, type Encoding, echoed, printed, printedByCode, translated } from './texts.ts';

/** The output of a program as far as it can be predicted, or {@link UNKNOWN}. */
export function outputOf(call: Invocation, files: Files): string {
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

/** Whether the output may hold a secret, so that it is computed even if nothing reads it. */
export function mayPrintSecret(call: Invocation): boolean {
  return (
    (call.stdin !== undefined && holdsMark(call.stdin)) ||
    call.args.some(holdsMark) ||
    printsVariables(call) ||
    printsVariable(call) ||
    printsSecretItself(call)
  );
}

const SECRET_NAMES =
  /^AWS|openai|anthropic|openrouter|replicate|stripe|twilio|sendgrid|token|secret|passw|_pass\b|credential|api_?key|private_?key|access_?key|^-?\W*key\W*$/i;

function holdsMark(text: string): boolean {
  return holdsSecret(text) || holdsVariables(text);
}

function secretsIn(text: string): string {
  return (holdsSecret(text) ? SECRET : '') + (holdsVariables(text) ? VARIABLES : '');
}

/** `printenv GITHUB_TOKEN` */
function printsVariable({ known, args }: Invocation): boolean {
  return known.prints === 'variable' && args.some(isSecretName);
}

/** Whether it shows all or some of its input, not only a count or an exit code. */
function passesOn({ known, args }: Invocation): boolean {
  if (!has(known, 'shows') && !has(known, 'filters')) return false;
  return !args.some((arg) => /^-(?:c\d*|q|(?=\w*q)\w+|-count|-quiet|-bytes=\d+)$/.test(arg));
}

function withoutSecret(call: Invocation, files: Files): string {
  const { prints, listsAll } = call.known;
  if (listsAll !== undefined && fitsOne(call, listsAll)) return ALL_OF_A_KIND;
  if (typeof prints === 'string') return OUTPUTS[prints](call, files);
  const text = prints?.find(([when]) => fitsOne(call, when))?.[1];
  if (text !== undefined) return text;
  if (printsRemote(call)) return REMOTE;
  return prints ? UNKNOWN : through(inputOf(call, files));
}

type Files = ReadonlyMap<string, string>;
type Output = (call: Invocation, files: Files) => string;

const OUTPUTS: Readonly<Record<Extract<Prints, string>, Output>> = {
  nothing: () => '',
  archive: (call, files) => {
    if (packsAll(call.args)) return BULK;
    // The content of a file in an archive is unknown.
    const shows = call.args.some((arg) =>
      /^(?:-p|-?[a-zA-Z]{0,12}x[a-zA-Z]{0,12}O[a-zA-Z]{0,12}|-\w*O|--to-stdout|-so)$/.test(arg),
    );
    return through(inputOf(call, files)) + (shows ? OPAQUE : '');
  },
  variable: () => UNKNOWN,
  echo: ({ args }) => echoed(args),
  code: ({ args }) => printedByCode(args),
  printf: ({ args }) => printed(args),
  operands: ({ args }) => args.filter((arg) => !arg.startsWith('-')).join('\n'),
  folder: ({ cwd }) => cwd,
  anywhere: ({ args }) => args.map((name) => `/**/${name}`).join('\n'),
  content: shownBy,
  // A part of all files is not all files.
  some: (call, files) => someOf(shownBy(call, files).replace(/(^|\/)\*$/gm, `$1${UNKNOWN}`)),
  listing: ({ args }) => {
    // PowerShell: filtered names in the project are not all files.
    const only = args.find((_, i) => /^-(?:include|filter)$/i.test(args[i - 1] ?? ''));
    const named = args.filter((arg) => !arg.startsWith('-') && arg !== only);
    if (
      only !== undefined &&
      !/^\*(?:\.\*)?$/.test(only) &&
      !named.some((arg) => /^(?:[/~]|\w:|\.\.)/.test(arg))
    )
      return only.split(',').join('\n');
    return named.length === 0
      ? '*'
      : named.map((path) => (/[*?[]/.test(path) ? path : `${path}/*`)).join('\n');
  },
  found: ({ args }) => found(args),
  openssl: (call, files) =>
    printsRemote(call) ? REMOTE : call.args.includes('-d') ? decoded(call, files, 'base64') : UNKNOWN,
  base64: (call, files) =>
    call.args.some((arg) => /^(?:-d|-D|--decode|-di|-id)$/.test(arg))
      ? decoded(call, files, 'base64')
      : UNKNOWN,
  hex: (call, files) => (call.args.some((arg) => arg.includes('r')) ? decoded(call, files, 'hex') : UNKNOWN),
  hidden: () => OPAQUE,
  shell: ({ args, stdin }) => (args.some((arg) => !arg.startsWith('-')) ? through(stdin) : SHELL_OUTPUT),
  // Unpacked content is unknown.
  unpacked: (call, files) => through(inputOf(call, files)) + OPAQUE,
  lines: searched,
  rewritten,
  awk: (call, files) => (call.stdin === undefined ? printedByCode(call.args) : rewritten(call, files)),
  // Letters that stand for other letters: `n-za-m`.
  letters: (call, files) =>
    call.args.some((arg) => /[b-z]-z.?a-[a-y]/i.test(arg))
      ? rewritten(call, files, OPAQUE)
      : (translated(call) ?? rewritten(call, files)),
};

/** A decoded literal. It is fine as a name, but must not be run. */
function decoded(call: Invocation, files: Files, encoding: Encoding): string {
  const input = inputOf(call, files);
  if (input === undefined || !isKnown(input)) return OPAQUE;
  return `${decode(input, encoding) ?? ''}\n${OPAQUE}`;
}

/** Some of all are not all. */
function someOf(text: string): string {
  return text.replaceAll(ALL_OF_A_KIND, UNKNOWN);
}

/** Rewriting a literal is mostly done to hide the result. */
function rewritten(call: Invocation, files: Files, mark = REWRITTEN): string {
  const input = inputOf(call, files);
  if (input !== undefined && isKnown(input) && !input.includes('$0')) return mark;
  const kept = through(input);
  return call.args.some((arg) => /\/[^/]+\//.test(arg)) ? someOf(kept) : kept;
}

/** The pattern tells which names are found: `grep '\.pem$'` finds names that end so; `grep -v x` leaves nearly all. */
function searched(call: Invocation, files: Files): string {
  const { args, stdin } = call;
  if (stdin !== undefined && isKnown(stdin) && args.some((arg) => /^-\w*v|^--invert/.test(arg))) return stdin;
  const kept = someOf(through(inputOf(call, files)));
  const pattern = options(args, ['e', 'm', 'A', 'B', 'C']).operands[0] ?? '';
  const name = pattern.replace(/^\^|\$$/g, '').replaceAll('\\.', '.');
  // The names of changed files that match.
  const some = /[a-z]{2}/i.test(pattern) ? kept.replaceAll(CHANGED, UNKNOWN) : kept;
  return /^[\w./-]*\.\w+$/.test(name) ? `${some}\n${name}` : some;
}

/** What a filter reads: its input, and files that the command wrote. */
function inputOf(call: Invocation, files: Files): string | undefined {
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

function shownBy(call: Invocation, files: Files): string {
  const named = call.known.fetches === 'input' ? [] : options(call.args, ['n', 'c']).operands;
  const own = call.stdin ?? UNKNOWN;
  if (named.length === 0) return own;
  return named.map((path) => contentOf(path, call.cwd, files, own) ?? UNKNOWN).join('');
}
