import {
  backdoor,
  deletion,
  forkingLoop,
  hiddenCode,
  moving,
  printsSecret,
  remoteCode,
  rewritesHistory,
  sensitiveFile,
  tooOpen,
} from '../dangers.ts';
import type { Finding } from '../effect.ts';
import { sensitiveKind } from '../paths/check.ts';
import { EVERYDAY, type SensitiveKind } from '../paths/list.ts';
import { normalizePath } from '../paths/normalize.ts';
import { place, vital } from '../paths/places.ts';
import type { Invocation, Program } from '../programs/program.ts';
import { checkDeleted, checkPlace } from '../rules/guarded-places.ts';
import { checkStatements } from '../rules/infrastructure.ts';
import { isRepository } from '../rules/kept-folders.ts';
import { OPAQUE, REMOTE } from '../shell/marks.ts';
import { isSecretName } from '../shell/scope.ts';
import {
  CALLED_WITH,
  CALLS_FUNCTION,
  DANGERS,
  DELETED,
  DELETES,
  DELETES_SOMETHING,
  ENDLESS,
  EVALUATES,
  FETCHES,
  HANDS_ON,
  IN_QUOTES,
  INPUT,
  LISTS,
  LOOKS_ONLY,
  MAY_RUN,
  MOVES,
  OPENS,
  OPENS_MODE,
  PICKS,
  PRINTS_VARIABLE,
  QUERIES,
  RUNS,
  RUNS_ALONE,
  SHELL,
  SOCKET,
  SQL_READS,
  SQL_WRITES,
  STARTS,
  WAITS,
  WRITES,
} from './code-patterns.ts';
import { literals, withPathsQuoted, withPathsWrittenOut } from './code-text.ts';

/** The first argument of awk is a program in its own language. */
export function awkCode({ args }: Invocation): Finding | undefined {
  const program = args.find((arg, i) => !arg.startsWith('-') && !/^-[vF]$/.test(args[i - 1] ?? ''));
  if (program?.includes(REMOTE)) return remoteCode;
  return args.some(startsWithoutEnd) ? forkingLoop : readByAwk(args.join('\n'));
}

/** `while ((getline line < ".env") > 0)`, `readfile(".env")`. */
function readByAwk(code: string): Finding | undefined {
  const [, path = ''] = /(?:\bgetline\b[^<]{0,80}<\s*|\breadfile\(\s*)"([^"]+)"/.exec(code) ?? [];
  const kind = sensitiveKind(normalizePath(path));
  return kind === undefined ? undefined : sensitiveFile(kind.what, path);
}

/** What the walk does for a program in another language. */
export interface CodeRunner {
  /** Goes through a shell command that the program runs. */
  readonly shell: (command: string) => void;
  /** Remembers that a file comes from the network. */
  readonly download: (path: string) => void;
}

/**
 * Judges a program in another language that a command carries in itself (`python -c '…'`). It reads no grammar: it
 * looks for calls that delete, run, fetch or connect, and at the texts in quotes that they could be about. What is run as
 * a shell command goes back to the walk.
 */
export function judgeCode(source: string, program: Program, runner: CodeRunner): Finding | undefined {
  if (source.includes(REMOTE)) return remoteCode;
  if (source.includes(OPAQUE)) return hiddenCode;
  const bare = program.forms !== undefined;
  const queries = program.forms === 'sql';
  const code = withPathsWrittenOut(bare ? withPathsQuoted(source) : source);
  const texts = literals(code);
  const paths = texts.filter((text) => text.length < 300 && !/\s/.test(text));
  if (queries) return judgePaths(code, paths, SQL_READS, SQL_WRITES);
  if (SOCKET.test(code) && SHELL.test(code)) return backdoor;
  if (printsSecretOf(source)) return printsSecret;
  const flat = code.replaceAll('\\n', '\n');
  const said = source === code ? flat : `${source}\n${flat}`;
  const danger = DANGERS.find(([, ...signs]) => signs.every((sign) => sign.test(said)));
  if (danger) return danger[0];
  // A word in a text is no call.
  const calls = said.replace(IN_QUOTES, (text) => (text.includes('(') || MAY_RUN.test(text) ? text : ''));
  if (FETCHES.test(said) && (EVALUATES.test(calls) || CALLS_FUNCTION.test(calls) || HANDS_ON.test(said)))
    return remoteCode;
  if (startsWithoutEnd(flat)) return forkingLoop;
  if (QUERIES.test(code)) {
    const statement = texts.map(checkStatements).find(Boolean);
    if (statement) return statement;
  }
  if (FETCHES.test(code)) for (const path of paths) if (!/^\w+:/.test(path)) runner.download(path);
  if (RUNS.test(code))
    for (const command of commandsIn(bare ? source : code, [...literals(source), ...texts]))
      runner.shell(command);
  const mode = OPENS_MODE.exec(code)?.[1];
  return (
    judgeDeletions(code) ??
    (mode === undefined ? undefined : tooOpen(mode)) ??
    judgePaths(code, paths, OPENS, WRITES) ??
    (OPENS.test(code) ? undefined : givenToCall(code))
  );
}

/** Whether a program runs what it reads: `exec(sys.stdin.read())`, `system $_`. */
export function runsInput(code: string): boolean {
  return INPUT.test(code) && (EVALUATES.test(code) || RUNS.test(code));
}

/** `console.log(process.env.API_KEY)`, but not whether it is set or how long it is. */
function printsSecretOf(source: string): boolean {
  if (isSecretName(/^\s*process\.env\.(\w{1,80})\s*(?:;\s*)?$/.exec(source)?.[1] ?? '')) return true;
  for (const [, before = '', name = '', after = ''] of source.matchAll(PRINTS_VARIABLE))
    if (
      isSecretName(name) &&
      !/!!|bool|len\(|\bin\b|typeof|===?/i.test(before) &&
      !/^\s*(?:\?|!==?|===?|is |\.length|\.slice|\.sub|\[)/.test(after.replace(DEFAULT, ''))
    )
      return true;
  return false;
}

/** What is taken where the variable is not set. */
const DEFAULT = /^,\s?(["'])[^"'\n]{0,16}\1\)/;

function judgeDeletions(code: string): Finding | undefined {
  for (const [, , text = '', after = ''] of code.matchAll(DELETES)) {
    // `'/tmp/' + name` is one file there; `'/' + name` is a system folder.
    const begins = after !== '' && text.length > 1;
    const lost = begins ? undefined : vital(text.replace(ANYTHING_IN_ROOT, '/'), '.');
    if (lost) return deletion(lost);
    if (isRepository(text, '.')) return rewritesHistory;
    const file = begins ? undefined : checkDeleted(place(text, '.'));
    if (file) return file;
  }
  for (const [, , text = ''] of code.matchAll(DELETED)) {
    const lost = vital(text, '.');
    const found = lost ? deletion(lost) : checkDeleted(place(text, '.'));
    if (found) return found;
  }
  for (const [, , text = ''] of code.matchAll(MOVES)) {
    const lost = vital(text, '.');
    if (lost && !lost.startsWith('everything')) return moving(lost);
  }
  if (!DELETES_SOMETHING.test(code)) return undefined;
  for (const [, , before = '', , after] of code.matchAll(LISTS)) {
    const lost = vital(after ?? before, '.');
    if (lost && !PICKS.test(code)) return deletion(lost);
  }
  return undefined;
}

/** The files that the code names in a text, where something in it reads or writes files. */
function judgePaths(
  code: string,
  paths: readonly string[],
  reads: RegExp,
  write: RegExp,
): Finding | undefined {
  const opens = reads.test(code);
  const writes = write.test(code);
  const sources = new Set(
    [...code.matchAll(CALLED_WITH)].flatMap(([, name = '', , path = '']) => (COPIES.test(name) ? path : [])),
  );
  const targets = new Set(Array.from(code.matchAll(COPIED_TO), ([, , path = '']) => path));
  for (const text of paths) {
    const path = text.replace(/^(?:\+?[<>]{1,2}|\|)/, '');
    const changes = path !== text || (writes && !sources.has(text));
    const found = changes ? checkPlace(place(path, '.')) : undefined;
    if (found) return found;
    if (!opens) continue;
    const kind = kindInCode(path);
    if (kind && !(EVERYDAY.has(kind.id) && targets.has(text))) return sensitiveFile(kind.what, path);
  }
  return undefined;
}

/** The second text in `copy('.env.example', '.env')`, which is written. */
const COPIED_TO = /\bcopy\w{0,20}\(\s?["'][^"'\n]{1,200}["']\s?,\s?(["'])([^"'\n]{1,200})\1/g;

/** The kind of a file that code names; the settings of an agent in a project hold no tokens, and neither does a hook that is a module. */
function kindInCode(path: string): SensitiveKind | undefined {
  const kind = sensitiveKind(normalizePath(path));
  return kind?.id === 'agent-settings' && (!/^[~/]/.test(path) || HOOK_MODULE.test(path)) ? undefined : kind;
}

const HOOK_MODULE = /\/hooks\/(?:[\w-]+\/)*[\w.-]+\.[cm]?[jt]s$/;

/** What such a call is given first is only read. */
const COPIES = /(?:^|[.:])(?:copy\w*|cp\w*|read\w*)$/i;

/** Whatever a call is named, what it gets the name of a key or a password file for is that file. */
function givenToCall(code: string): Finding | undefined {
  for (const [, name = '', , path = ''] of code.matchAll(CALLED_WITH)) {
    if (LOOKS_ONLY.test(name) || /\s/.test(path)) continue;
    const kind = kindInCode(path);
    if (kind && !EVERYDAY.has(kind.id)) return sensitiveFile(kind.what, path);
  }
  return undefined;
}

/** `"/$_"` */
const ANYTHING_IN_ROOT = /^\/[$#]\{?\w+\}?$/;

/** An endless loop that starts processes and waits for none. */
function startsWithoutEnd(code: string): boolean {
  if (!ENDLESS.test(code) || !STARTS.test(code) || WAITS.test(code.replace(IN_QUOTES, ''))) return false;
  const loops = Array.from(code.matchAll(new RegExp(ENDLESS, 'g')));
  return (
    loops.length > MOST_LOOPS || !loops.every(({ 0: { length }, index }) => returns(code, index + length))
  );
}

const MOST_LOOPS = 16;

/** Whether the block in braces behind the head of a loop leaves it: `while ($true) { if (x) { return } }`. */
function returns(code: string, from: number): boolean {
  const start = /^[^{}\n]{0,80}\n?\s{0,40}\{/.exec(code.slice(from, from + 200))?.[0].length;
  if (start === undefined) return false;
  const text = code.slice(from + start, from + start + 2000);
  let depth = 1;
  for (const { 0: brace, index } of text.matchAll(/[{}]/g)) {
    depth += brace === '{' ? 1 : -1;
    if (depth === 0) return LEAVES.test(text.slice(0, index).replace(IN_QUOTES, ''));
  }
  return false;
}

const LEAVES = /\b(?:return|throw)\b/;

/** What may be a shell command: each text, and the texts of one line together (`['rm', '-rf', '/']`). */
function commandsIn(code: string, texts: readonly string[]): string[] {
  const commands = texts.filter((text) => /[\s;|&$`{<>]/.test(text));
  for (const line of code.split(/[;\n]/)) {
    const words = literals(line).filter(
      (word) => !/^(?:node:)?(?:child_process|fs|os|net|https?)$/.test(word),
    );
    if (words.length > 1 && words.length < 12 && !words.some((word) => /\s/.test(word)))
      commands.push(words.join(' '));
  }
  for (const [, , program = ''] of code.matchAll(RUNS_ALONE)) commands.push(program);
  for (const [, command = ''] of code.matchAll(/^[ \t]*(?:exec|spawn|system)\s+([\w/.-]+\s[^"'\n;\]]*)/gm))
    commands.push(command);
  return [...new Set(commands)].slice(0, 32);
}
