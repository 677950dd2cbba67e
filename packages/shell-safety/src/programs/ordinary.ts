import { builtins } from './builtins.ts';
import { fileWriters } from './effects.ts';
import { scriptCarriers } from './embedded.ts';
import { interpreters } from './interpreters.ts';
import { isOrdinaryWord } from './ordinary-word.ts';
import type { PlainCall } from './plain-calls.ts';
import { isStartupFile } from './rules/backdoors.ts';
import { judgedPrograms } from './rules/index.ts';
import { readsNames } from './rules/paths-read.ts';
import { FILTERS, NAMES_ONLY, ONLY_TEXT } from './rules/programs.ts';
import { startedBy } from './unknown-program.ts';
import { wrappers } from './wrappers.ts';

/**
 * A quick look that spares most commands the long one. It knows nothing of its own about danger: it only says that no
 * call of a command has anything that a rule asks for. A test holds it against the long way, over all sets and their
 * mutations.
 */
export function areOrdinary(calls: readonly PlainCall[]): boolean {
  return calls.every(({ words, outputs }) => isOrdinaryStart(words) && outputs.every(isOrdinaryOutput));
}

function isOrdinaryStart(words: readonly string[]): boolean {
  const program = words[0] ?? '';
  const args = words.slice(1);
  if (!STARTERS.has(program)) return isOrdinaryCall(program, args);
  return args.every(isOrdinaryWord) && isOrdinaryCall(args[0] ?? '', args.slice(1));
}

/** Programs that start the one behind them, whatever that is. */
const STARTERS: ReadonlySet<string> = new Set(['sudo', 'npx']);

/** A new file in the working folder, which nothing runs by itself. */
function isOrdinaryOutput(path: string): boolean {
  return path === '/dev/null' || (OUTPUT.test(path) && isOrdinaryWord(path) && !isStartupFile(path));
}

const OUTPUT = /^\w[\w-]*(?:[./]\w[\w-]*)*$/;

/** Of a program without redirections and variables of its own, started where the command was. */
export function isOrdinaryCall(program: string, args: readonly string[]): boolean {
  if (!PROGRAM.test(program)) return false;
  const telling = TELLING.get(program) ?? (CONCERNED.has(program) ? undefined : tellingOfOthers(program));
  if (telling === undefined) return false;
  if (ONLY_TEXT.has(program)) return true;
  return (
    !telling.test(args.join('\n')) && args.every(isOrdinaryWord) && startedBy(program, args) === undefined
  );
}

const PROGRAM = /^[a-z](?:[a-z\d-]*[a-z])?$/;

/** Programs that something is known of: such a call has to be looked at, unless {@link TELLING} says of what alone. */
const CONCERNED: ReadonlySet<string> = new Set([
  ...[...judgedPrograms, ...fileWriters, ...scriptCarriers, ...wrappers, ...builtins, ...interpreters],
  ...[...readsNames, 'xargs', 'find', 'fd', 'fdfind', 'parallel', 'security', 'gpg', 'getent'],
]);

/** What such a program must be told, at least, to do what rules ask about; its words stand in lines of their own. */
const TELLING: ReadonlyMap<string, RegExp> = new Map([
  [
    'git',
    /^(?:-|(?:commit|am)\n[\s\S]*(?<=\s)-(?!-)\S*n|clone\n[\s\S]*(?<=\s)-(?!-)\S*u)|\n-(?!-)\S*x|\n--exec|(?:^|\n)(?:clean|config|credential)(?:\n|$)|--no-v|--ext|-pack[\n=]|foreach|bisect|filter-branch|alias|hook|husky|\.\w+=|!|\n[/~]/i,
  ],
  ...['docker', 'podman', 'nerdctl', 'docker-compose', 'kubectl'].map((name): [string, RegExp] => [
    name,
    /^(?:exec|run|debug|prune|reset|rm|rmi|remove|cp|down)$|^(?:--from-file|--raw|-o)|[ \t]/m,
  ]),
  ...['npm', 'pnpm', 'yarn'].map((name): [string, RegExp] => [
    name,
    /^(?:exec|x|dlx)$|^-.*no-|^[/.]|[^\w\n./:=@,+-]/m,
  ]),
  ['rm', /^--|\.\.|\.git|\.husky|^\/(?!tmp\/\w)|^\.\/?$|[^\w\n./-]/im],
  ['mkdir', /^-\S*m|^--mode/m],
  ['curl', /^-(?![fgiIkLsSv]+$)|^file:/im],
  ['chmod', /^(?!(?:-R\n)?(?:[ugo]*\+[rx]+|[67][045][045])\n)|\n[/~]|\.\.|\.git|\.husky/i],
]);

function tellingOfOthers(program: string): RegExp {
  return LOOKS.has(program) ? OUTPUT_OPTION : FAR_OR_TEXT;
}

/** Programs that only look at files and names. */
const LOOKS: ReadonlySet<string> = new Set([...FILTERS, ...NAMES_ONLY, 'cat', 'head', 'tail', 'wc']);
const OUTPUT_OPTION = /^-(?:[oO]|-?out|-?log)/m;
/** What a program of which nothing is known must be told, at least. */
const FAR_OR_TEXT = /(?:^|=)[/~]|\.\.|[ \t]/m;
