import {
  backdoor,
  bypass,
  deletion,
  destroysData,
  destroysResources,
  forkingLoop,
  hiddenCode,
  killsAll,
  moving,
  printsSecret,
  remoteCode,
  rewritesHistory,
  rootShell,
  sendsSecret,
  sensitiveFile,
  showsVariables,
  tooOpen,
} from '../dangers.ts';
import type { Finding } from '../effect.ts';
import { sensitiveKind } from '../paths/check.ts';
import { normalizePath } from '../paths/normalize.ts';
import { isSystemFile, place, vital } from '../paths/places.ts';
import type { Invocation, Program } from '../programs/program.ts';
import { has } from '../programs/program.ts';
import { isWebShell } from '../rules/backdoors.ts';
import { isHook } from '../rules/git-hooks.ts';
import { checkPlace } from '../rules/guarded-places.ts';
import { checkStatements } from '../rules/infrastructure.ts';
import { checkKept } from '../rules/kept-folders.ts';
import { isRepository } from '../rules/repository.ts';
import { EVERYDAY } from '../rules/sensitive-files.ts';
import { OPAQUE, REMOTE } from '../shell/marks.ts';
import { isSecretName } from '../shell/scope.ts';
import {
  ALL_VARIABLES,
  BECOMES_ROOT,
  CALLED_WITH,
  DECODED,
  DELETED,
  DELETES,
  DELETES_RESOURCES,
  DELETES_SOMETHING,
  EACH_OF,
  ENDLESS,
  EVALUATES,
  FETCHES,
  FLUSHES,
  FORKS,
  IN_QUOTES,
  INCLUDES,
  INPUT,
  KILLS_ALL,
  LISTS,
  LOOKS_ONLY,
  MOVES,
  ONLY_ASKS,
  OPENS,
  OPENS_MODE,
  PICKS,
  PRINTS,
  PRINTS_VARIABLE,
  QUERIES,
  RESTARTS,
  RUNS,
  RUNS_ALONE,
  RUNS_WHAT_COMES,
  SENDS,
  SERVES,
  SHELL,
  SOCKET,
  STARTS,
  WAITS,
  WRITES,
} from './code-patterns.ts';
import { literals, withPathsQuoted, withPathsWrittenOut } from './code-text.ts';
import { type Forms, formsOf } from './languages.ts';

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
 * looks for calls that delete, run, fetch or connect, and at the texts in quotes that they could be about. What the
 * language of `program` has of its own is in `languages.ts`. What is run as a shell command goes back to the walk.
 */
export function judgeCode(source: string, program: Program, runner: CodeRunner): Finding | undefined {
  if (source.includes(REMOTE)) return remoteCode;
  if (source.includes(OPAQUE)) return hiddenCode;
  const forms = formsOf(program);
  const code = withPathsWrittenOut(forms.bare ? withPathsQuoted(source) : source);
  if (forms.queries) return judgePaths(code, pathsIn(literals(code)), forms);
  if (connectsShell(code, forms) || (SERVES.test(code) && RUNS_WHAT_COMES.test(code)) || isWebShell(code))
    return backdoor;
  if (BECOMES_ROOT.test(code)) return rootShell;
  if (printsSecretOf(source)) return printsSecret;
  if (KILLS_ALL.test(code)) return killsAll;
  if (ALL_VARIABLES.test(source)) {
    if (SENDS.test(code)) return sendsSecret;
    if (PRINTS.test(code)) return showsVariables;
  }
  const fetches = FETCHES.test(code);
  if ((fetches && EVALUATES.test(code)) || INCLUDES.test(code)) return remoteCode;
  const flat = code.replaceAll('\\n', '\n');
  if (FORKS.test(flat) || RESTARTS.test(code) || startsWithoutEnd(flat)) return forkingLoop;
  if (DECODED.test(source) || DECODED.test(code)) return hiddenCode;
  const texts = literals(code);
  const paths = pathsIn(texts);
  if (DELETES_RESOURCES.test(code)) return destroysResources;
  const statement = QUERIES.test(code) ? texts.map(checkStatements).find(Boolean) : undefined;
  if (statement || FLUSHES.test(code)) return statement ?? destroysData;
  if (fetches) for (const path of paths) if (!/^\w+:/.test(path)) runner.download(path);
  if (RUNS.test(code) || forms.starts.test(code))
    for (const command of commandsIn(forms.bare ? source : code, [...literals(source), ...texts]))
      runner.shell(command);
  return (
    judgeDeletions(code) ?? judgePaths(code, paths, forms) ?? judgeEvaluated(code, texts, program, runner)
  );
}

/** Whether a program runs what it reads: `exec(sys.stdin.read())`, `system $_`. */
export function runsInput(code: string): boolean {
  return INPUT.test(code) && (EVALUATES.test(code) || RUNS.test(code));
}

/** `console.log(process.env.API_KEY)`, but not whether it is set or how long it is. */
function printsSecretOf(source: string): boolean {
  if (isSecretName(/^\s*process\.env\.(\w{1,80})\s*;?\s*$/.exec(source)?.[1] ?? '')) return true;
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

function pathsIn(texts: readonly string[]): readonly string[] {
  return texts.filter((text) => text.length < 300 && !/\s/.test(text));
}

/** `s = "…"; eval(s)`: a text that is itself a program. */
function judgeEvaluated(
  code: string,
  texts: readonly string[],
  program: Program,
  runner: CodeRunner,
): Finding | undefined {
  if (!EVALUATES.test(code)) return undefined;
  for (const text of texts) {
    if (text.length >= code.length || !holdsCall(text)) continue;
    const found = judgeCode(text, program, runner);
    if (found) return found;
  }
  return undefined;
}

/** A call, and behind it a text in quotes. */
function holdsCall(text: string): boolean {
  const call = text.search(/\w\s?\(/);
  return call !== -1 && /["'`]/.test(text.slice(call));
}

/** Code that any program may carry in an argument: `gdb -ex 'python …'`, `vim -c ':py3 …'`. */
export function checkCarriedCode({ known, args }: Invocation): Finding | undefined {
  if (has(known, 'text', 'filters', 'tells')) return undefined;
  return args.some((arg) => arg.length > 40 && arg.includes('(') && connectsShell(arg, formsOf(known)))
    ? backdoor
    : undefined;
}

function connectsShell(code: string, { connects, starts }: Forms): boolean {
  return (SOCKET.test(code) || connects.test(code)) && (SHELL.test(code) || starts.test(code));
}

function judgeDeletions(code: string): Finding | undefined {
  for (const [, , text = '', after = ''] of code.matchAll(DELETES)) {
    // `'/tmp/' + name` is one file there; `'/' + name` is a system folder.
    const begins = after !== '' && text.length > 1;
    const lost = begins ? undefined : vital(text.replace(ANYTHING_IN_ROOT, '/'), '.');
    if (lost) return deletion(lost);
    if (isHook(text)) return bypass;
    if (isRepository(text, '.')) return rewritesHistory;
    if (!begins && isSystemFile(place(text, '.'))) return deletion('system files');
    const kept = begins ? undefined : checkKept(text, '.', true);
    if (kept) return kept;
  }
  for (const [, , text = ''] of code.matchAll(DELETED)) {
    const lost = vital(text, '.');
    if (lost) return deletion(lost);
  }
  for (const [, , text = ''] of code.matchAll(MOVES)) {
    const lost = vital(text, '.');
    if (lost && !lost.startsWith('everything')) return moving(lost);
  }
  if (!DELETES_SOMETHING.test(code)) return undefined;
  if (!PICKS.test(code))
    for (const [, list = ''] of code.matchAll(EACH_OF)) {
      const lost = literals(list).flatMap((text) => vital(text, '.') ?? [])[0];
      if (lost) return deletion(lost);
    }
  for (const [, , before = '', , after] of code.matchAll(LISTS)) {
    const lost = vital(after ?? before, '.');
    if (lost && !PICKS.test(code)) return deletion(lost);
  }
  return undefined;
}

function judgePaths(code: string, paths: readonly string[], forms: Forms): Finding | undefined {
  const mode = forms.queries ? undefined : OPENS_MODE.exec(code)?.[1];
  if (mode !== undefined) return tooOpen(mode);
  const opens = forms.reads.test(code) || (!forms.queries && OPENS.test(code));
  const writes = forms.writes.test(code) || (!forms.queries && WRITES.test(code));
  const asked = onlyAsked(code);
  const sources = new Set(
    [...code.matchAll(CALLED_WITH)].flatMap(([, name = '', , path = '']) => (COPIES.test(name) ? path : [])),
  );
  for (const text of paths) {
    if (asked.has(text)) continue;
    const path = text.replace(/^(?:\+?[<>]{1,2}|\|)/, '');
    const changes = path !== text || (writes && !sources.has(text));
    const found = changes ? checkPlace(place(path, '.')) : undefined;
    if (found) return found;
    if (!opens) continue;
    const kind = sensitiveKind(normalizePath(path));
    if (kind) return sensitiveFile(kind.what, path);
  }
  return opens || forms.queries ? undefined : givenToCall(code);
}

/** What such a call is given first is only read. */
const COPIES = /(?:^|[.:])(?:copy\w*|cp\w*|read\w*)$/i;

/** The paths that the code only asks about: `File.exist?("/etc/shadow")`. */
function onlyAsked(code: string): ReadonlySet<string> {
  const asked = new Set<string>();
  const used = new Set<string>();
  for (const [, name = '', , path = '', closes] of code.matchAll(CALLED_WITH))
    (closes !== undefined && ONLY_ASKS.test(name) ? asked : used).add(path);
  for (const path of used) asked.delete(path);
  return asked;
}

/** Whatever a call is named, what it gets the name of a key or a password file for is that file. */
function givenToCall(code: string): Finding | undefined {
  for (const [, name = '', , path = ''] of code.matchAll(CALLED_WITH)) {
    if (LOOKS_ONLY.test(name) || /\s/.test(path)) continue;
    const kind = sensitiveKind(normalizePath(path));
    if (kind && !EVERYDAY.has(kind.id)) return sensitiveFile(kind.what, path);
  }
  return undefined;
}

/** `"/$_"` */
const ANYTHING_IN_ROOT = /^\/[$#]\{?\w+\}?$/;

/** An endless loop that starts processes and waits for none. */
function startsWithoutEnd(code: string): boolean {
  return ENDLESS.test(code) && STARTS.test(code) && !WAITS.test(code.replace(IN_QUOTES, ''));
}

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
