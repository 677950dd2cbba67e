import { sensitiveKind } from '../sensitive-paths/check.ts';
import { builtins } from './builtins.ts';
import { fileWriters } from './effects.ts';
import { scriptCarriers } from './embedded.ts';
import { interpreters } from './interpreters.ts';
import { judgedPrograms } from './rules/index.ts';
import { ONLY_TEXT } from './rules/programs.ts';
import { startedBy } from './unknown-program.ts';
import { wrappers } from './wrappers.ts';

/**
 * A quick look that spares most commands the long one. It knows nothing of its own about danger: it only says that a
 * call has nothing that any rule asks for. A test holds it against the long way, over all sets and their mutations.
 */
export function isOrdinaryCommand(source: string): boolean {
  if (!PLAIN_TEXT.test(source)) return false;
  return source.split(/[;|\n]|&&/).every((piece) => {
    const [program = '', ...args] = piece.split(' ').filter((word) => word !== '');
    return program === '' || (!RESERVED.has(program) && isOrdinaryCall(program, args));
  });
}

/** Words that mean themselves, and what stands between commands. */
const PLAIN_TEXT = /^(?:[\w./:=@,+ -]|&&|[;|\n])*$/;
const RESERVED: ReadonlySet<string> = new Set(
  'if then elif else fi while until do done for select in case esac function time coproc'.split(' '),
);

/** Of a program without redirections and variables of its own, started where the command was. */
export function isOrdinaryCall(program: string, args: readonly string[]): boolean {
  if (!PROGRAM.test(program)) return false;
  if (!CONCERNED.has(program)) {
    if (ONLY_TEXT.has(program)) return true;
    return args.every(isOrdinaryWord) && startedBy(program, args) === undefined;
  }
  const telling = TELLING.get(program);
  return telling !== undefined && args.every((arg) => !telling.test(arg) && isOrdinaryWord(arg));
}

const PROGRAM = /^[a-z][a-z-]*$/;

/** A path inside the working folder, a name, an option: nothing hidden, absolute or with a pattern; and no secret. */
function isOrdinaryWord(word: string): boolean {
  if (!WORD.test(word)) return false;
  if (NAME.test(word)) return true;
  const parts = word.toLowerCase().split(/[=:@]/);
  // Some names count in the working folder only, so that what stands in front of them matters.
  return [parts.join('/'), ...parts.slice(1)].every((path) => sensitiveKind(path) === undefined);
}

const WORD = /^-{0,2}\w[\w+-]*(?:[./:=@,][\w+-]+)*\/?$/;
/** No kind of sensitive file has such a name. */
const NAME = /^-{0,2}(?!kubeconfig)[a-zA-Z0-9-]*$/;

/** Programs that something is known of: such a call has to be looked at, unless {@link TELLING} says of what alone. */
const CONCERNED: ReadonlySet<string> = new Set([
  ...[...judgedPrograms, ...fileWriters, ...scriptCarriers, ...wrappers, ...builtins, ...interpreters],
  ...'xargs find fd fdfind parallel cpio pax sftp lftp ftp tftp smbclient security gpg getent'.split(' '),
]);

/** The arguments by which such a program does what rules ask about. */
const TELLING: ReadonlyMap<string, RegExp> = new Map([
  ['git', /^-\w*n|^--no-v|^(?:rebase|foreach|bisect|filter-branch)$|hook|=/i],
  ...['docker', 'podman', 'nerdctl', 'docker-compose', 'kubectl'].map((name): [string, RegExp] => [
    name,
    /^(?:exec|run|debug|prune|reset|rm|rmi|remove|cp|down)$|^--(?:from-file|raw)/,
  ]),
  ...['npm', 'pnpm', 'yarn'].map((name): [string, RegExp] => [name, /^(?:exec|x|dlx)$|^-.*no-/]),
  ['rm', /^--/],
  ['mkdir', /^-\w*m|^--mode/],
]);
