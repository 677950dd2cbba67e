import { judgeCode } from '../code/code.ts';
import { dialect, erasesTraces, forkingLoop, hiddenCode, printsSecret, remoteCode } from '../dangers.ts';
import { programOf } from '../programs/index.ts';
import { has, type Program } from '../programs/program.ts';
import { checkPrinted } from '../rules/secret-output.ts';
import { CALL } from './budget.ts';
import { ALL_OF_A_KIND, holdsSecret, isKnown, OPAQUE, REMOTE, SECRET, UNKNOWN, VARIABLES } from './marks.ts';
import { type Call, callOf, type RedirectTo, type Runner } from './runner.ts';
import { clip, isSecretName, listenedTo, type Scope, subshell } from './scope.ts';

/** Shells that are no POSIX shell. */
export type WindowsShell = 'powershell' | 'cmd';

/**
 * Goes through a text for PowerShell or cmd: its programs one by one, with quotes, pipes, blocks, redirections and simple
 * variables. It is no parser: expressions are taken for words.
 */
export function runWindows(source: string, shell: WindowsShell, scope: Scope, runner: Runner): void {
  if (!runner.spend(LOOKED_AT * source.length)) return;
  const walk = new WindowsWalk(shell, listenedTo(subshell(scope)), runner);
  for (const statement of statementsOf(joined(source), shell)) walk.run(statement);
  const call = callOf(scope, source);
  if (shell === 'cmd' && ENDLESS.test(source)) runner.report(forkingLoop, call);
  if (shell === 'powershell' && HAS_CODE.test(source) && runner.spend(SEARCHED * source.length)) {
    const code = joined(fill(source, NO_VARIABLES)).replaceAll('\\', '/').replace(NO_CALLS, '');
    // Paths need no quotes there.
    const quoted = code.replace(/\((~[^\s,)'"]{0,200}|[A-Za-z]:\/[^\s,)'"]{0,200})/g, '("$1"');
    const found = judgeCode(quoted, {}, { shell: () => undefined, download: () => undefined });
    if (found) runner.report(found, call);
  }
  if (PRINTS.test(source)) runner.report(printsSecret, call);
  if (LOSES_HISTORY.test(source)) runner.report(erasesTraces, call);
  runner.report(dialect, call);
}

/** So many expressions look at each character. */
const LOOKED_AT = 12;
/** So many of them also look at a text that `iex` or `cmd /c` runs. */
const RUN_AGAIN = 6;

/** Texts that are added up as one, `&('x')` as `& 'x'`, and `(Get-Item x).Delete()` as what it does. */
function joined(source: string): string {
  return source
    .replace(/(['"])\s?\+\s?\1/g, '')
    .replace(/([&.])\s?\(\s?(['"][\w-]{1,80}['"])\s?\)/g, '$1 $2')
    .replace(
      /\((?:Get-Item|gi|Get-ChildItem|gci) ([^()]{1,400})\)\.Delete\([^()]{0,40}\)/gi,
      'Remove-Item -Recurse $1',
    );
}

/** Secrets that are shown by what an object of .NET has. */
const PRINTS =
  /GetNetworkCredential\(\)\.Password(?![\w.]*\s*\|\s*Set-)|SecureStringTo(?:BSTR|Unicode|GlobalAlloc)\w*|GetEnvironmentVariable\(\s*["']\w{0,80}(?:TOKEN|SECRET|PASSW\w{0,40}|API_?KEY|ACCESS_KEY)["']/i;

const LOSES_HISTORY = /\b(?:remove-item|(?:clear|set)-content|ri|rm|del)\b[^;\n]{0,80}\bHistorySavePath\b/i;

/** The state of a walk: what variables hold, and the names of files that were loaded from the network. */
class WindowsWalk {
  readonly #shell: WindowsShell;
  readonly #scope: Scope;
  readonly #runner: Runner;
  readonly #variables = new Map<string, string>();
  readonly #loaded = new Set<string>();

  constructor(shell: WindowsShell, scope: Scope, runner: Runner) {
    this.#shell = shell;
    this.#scope = scope;
    this.#runner = runner;
  }

  run({ commands, part }: Statement): void {
    const runner = this.#runner;
    const call = { ...callOf(this.#scope, part), wrapped: true };
    // `for /f %i in (…) do x %i`
    const [start = []] = commands;
    const loop = /^for$/i.test(start[0] ?? '') ? start.find((word) => /^%%?\w$/.test(word)) : undefined;
    const filled: (readonly string[])[] = [];
    for (const words of commands) {
      filled.push(words.map((word) => fill(word, this.#variables)));
      if (loop && filled.length === 2) this.#set(loop, keptOf(filled[1]));
    }
    const texts = filled.flat();
    if (!runner.spend(texts.reduce((length, text) => length + text.length, 0))) return;
    if (runs(filled, isFetched) || filled.some((words) => this.#startsForeign(words)))
      runner.report(remoteCode, call);
    if (runs(filled, isDecoded)) runner.report(hiddenCode, call);
    if (texts.some(isFetched)) for (const name of savedAs(texts)) this.#loaded.add(name);
    const [variable = '', equals, ...value] = filled[0] ?? [];
    const assigns = equals === '=';
    if (assigns) this.#set(variable, keptOf(value, texts));
    let stdin: string | undefined;
    // What `$_` stands for in a block.
    let listed: string | undefined;
    for (const [i, words] of filled.entries()) {
      const item = listed;
      const given = (words[1] === '=' ? words.slice(2) : words).map((word) =>
        word.replace(/\$_(?:\.\w+)?/g, (name) => item ?? name),
      );
      if (words.length === 1 && has(knownOf(words[0] ?? ''), 'shows', 'copies') && stdin && isKnown(stdin))
        given.push(...stdin.split('\n'));
      stdin = this.#isValue(commands[i] ?? [])
        ? this.#run(['echo', ...withoutUnknown(given)], { ...call, stdin })
        : this.#start(given, { ...call, stdin });
      if (stdin !== '' && isKnown(stdin)) [listed] = stdin.split('\n');
    }
    if (assigns && stdin?.includes(ALL_OF_A_KIND)) this.#set(variable, ALL_OF_A_KIND);
    const secret = assigns || stdin === undefined ? undefined : checkPrinted(stdin);
    if (secret) runner.report(secret, call);
  }

  #set(variable: string, value: string): void {
    this.#variables.set(keyOf(variable), clip(value));
  }

  /** A variable, an entry of a table, or a text in quotes: PowerShell starts it only where it stands behind `&`. */
  #isValue([first = '', second, third = '']: readonly string[]): boolean {
    const given = second === '=' ? third : first;
    return this.#shell === 'powershell' && /^\$\w|^[\w-]+=[^=]*\$\w|^[^&\s]+\s/.test(given);
  }

  #start(written: readonly string[], call: Call): string {
    const words = behind(written, /^(?:do|call|@|&|\.)$/i);
    const [first = ''] = words;
    this.#runTexts(words, call.stdin);
    const [, variable, value = ''] = /^(\w{1,80})=(.*)$/s.exec(words[1] ?? '') ?? [];
    if (/^set$/i.test(first) && variable) this.#set(`%${variable}%`, value);
    if (holdsSecret(first)) return first;
    if (knownOf(first).prints === 'listing' && /^env:/i.test(words[1] ?? '')) return VARIABLES;
    return this.#run(words, call);
  }

  #run(words: readonly string[], call: Call): string {
    const redirects: RedirectTo[] = [];
    const fields: string[] = [];
    for (const [i, word] of words.entries()) {
      const [, operator, attached] = /^(?:[\d*])?(>{1,2})(?!&)(.*)$/.exec(word) ?? [];
      if (operator) redirects.push({ operator, target: attached || (words[i + 1] ?? '') });
      else if (!/^[\d*]?>{1,2}$/.test(words[i - 1] ?? '')) fields.push(word);
    }
    if (fields.length === 0) return '';
    const output = this.#runner.run(fields, { ...call, redirects });
    return redirects.length > 0 ? '' : output;
  }

  /** `iex 'text'`, `'text' | iex`, `Start-Process cmd '/c text'`: a text that is a command. */
  #runTexts(words: readonly string[], stdin: string | undefined): void {
    const [first = ''] = words;
    const text = EVALUATES.test(first)
      ? words.slice(1).join(' ') || stdin
      : words.map((word) => /^\/[ckr]\s+(.+)$/is.exec(word)?.[1]).find(Boolean);
    if (text && isKnown(text) && /\s/.test(text) && this.#runner.spend(CALL + RUN_AGAIN * text.length))
      for (const statement of statementsOf(text, first.startsWith('i') ? 'powershell' : 'cmd'))
        this.run(statement);
  }

  /** A file that was loaded, or one on another machine, is started: by its name, or by what starts it. */
  #startsForeign(written: readonly string[]): boolean {
    const words = behind(written, /^[&.]$/);
    const [first = ''] = words;
    return mayRun(first, words).some((word) => UNC_PROGRAM.test(word) || this.#loaded.has(baseName(word)));
  }
}

/** A call without the words in front of its program that only start it. */
function behind(words: readonly string[], starting: RegExp): readonly string[] {
  const from = words.findIndex((word) => !starting.test(word));
  return from === -1 ? [] : words.slice(from);
}

/** The words of a call that may be a program or a script: of a language only the first file, the others are data. */
function mayRun(first: string, words: readonly string[]): readonly string[] {
  if (isStarter(first)) return words;
  const { runs } = knownOf(first);
  if (typeof runs !== 'object') return [first];
  const valued = runs.valued?.split(' ') ?? [];
  const file = words.find(
    (word, i) => i > 0 && !word.startsWith('-') && !valued.includes(words[i - 1] ?? ''),
  );
  return file === undefined ? [] : [file];
}

/** The names under which a download is saved. */
function savedAs(words: readonly string[]): readonly string[] {
  return words
    .flatMap((word) => word.split(/,\s?/))
    .filter(
      (word, i) => OUTPUT.test(words[i - 1] ?? '') || (/\.\w{2,4}$/.test(word) && !/^https?:/i.test(word)),
    )
    .map(baseName);
}

function baseName(path: string): string {
  const whole = path.replace(/,$/, '');
  const end = Math.max(whole.lastIndexOf('/'), whole.lastIndexOf('\\'), whole.lastIndexOf(','));
  return whole.slice(end + 1).toLowerCase();
}

const OUTPUT = /^(?:-o|-outfile|-destination|-output)$/i;
const STARTS =
  /^(?:start|start-process|saps|rundll32|regsvr32|msiexec|invoke-item|ii|wscript|cscript)(?:\.exe)?$/i;
/** A program on a share of another machine. */
const UNC_PROGRAM = /^\\\\[\w.-]{1,200}\\.{1,400}\.(?:exe|com|ps1|bat|cmd|vbs|js|wsf|hta|dll|msi|scr)$/i;
const ENDLESS = /%0\s?\|\s?%0|^:(\w{1,40})\s[^:]{0,400}\bstart\b[^:]{0,400}\bgoto :?\1\b/im;
const NO_VARIABLES: ReadonlyMap<string, string> = new Map();
/** What searching a character of code costs; as in `interpreters.ts`. */
const SEARCHED = 4;

const EVALUATES = /^(?:iex|invoke-expression)$/i;
/** Signs of PowerShell code: loops, calls of .NET, `iex`. Other texts are programs with arguments. */
const HAS_CODE = /::|new-object|\b(?:while|for|do|iex|invoke-expression)\b|\.\w+\(/i;
/** Words that are calls in other languages, but not in PowerShell: `docker exec`, `function`, `[System.…]`. */
const NO_CALLS = /(?<![.\w])(?:exec|eval|compile|function|load)\b|(?<=\[)system\./gi;

function knownOf(word: string): Program {
  return programOf(baseName(word).replace(/^'|\.exe$/g, '')) ?? {};
}

function isShell(word: string): boolean {
  const { runs } = knownOf(word);
  return (
    runs === 'shell' || (typeof runs === 'object' && runs.windows === true) || /^cmd(?:\.exe)?$/i.test(word)
  );
}

function isStarter(word: string): boolean {
  return STARTS.test(word) || isShell(word);
}

/** A word that came from the network, or that names a program or a method that downloads. */
function isFetched(word: string): boolean {
  const { remote, starts } = knownOf(word);
  return (
    (remote === true && !starts) || /\.download(?:string|data|file)\b/i.test(word) || word.includes(REMOTE)
  );
}

function isDecoded(word: string): boolean {
  return /frombase64string/i.test(word) || word.includes(OPAQUE);
}

/** What a variable holds that is set to these words. */
function keptOf(words: readonly string[] = [], from: readonly string[] = words): string {
  if (from.some(isFetched)) return REMOTE;
  return from.some(isDecoded) ? OPAQUE : words.join(' ');
}

/** Whether a command runs text as code that `is` finds: `iex`, `& $x`, or a shell that gets it from another command. */
function runs(commands: Statement['commands'], is: (word: string) => boolean): boolean {
  const from = commands.flatMap((words, i) => (words.some(is) ? i : []));
  if (from.length === 0) return false;
  if (commands.flat().some((word) => /\]::load\w*$|^add-type$/i.test(word))) return true;
  return commands.some((words, i) => {
    const called = /^[&.]$/.test(words[0] ?? '');
    const first = words[called ? 1 : 0];
    if (first === undefined) return words[0] === '&';
    if (called && (first.includes(REMOTE) || first.includes(OPAQUE))) return true;
    return EVALUATES.test(first) || (isShell(first) && from.some((other) => other !== i));
  });
}

/** Replaces variables of unknown value by a mark, but not behind `>`, where the name may tell the file: `$PROFILE`. */
function withoutUnknown(words: readonly string[]): readonly string[] {
  const end = words.findIndex((word) => word.includes('>'));
  return words.map((word, i) => (end === -1 || i < end ? word.replace(/\$[\w:.]+/g, UNKNOWN) : word));
}

interface Statement {
  /** What stands between pipes and brackets, as words. */
  readonly commands: readonly (readonly string[])[];
  readonly part: string;
}

function statementsOf(source: string, shell: WindowsShell): readonly Statement[] {
  const statements: Statement[] = [];
  let commands: string[][] = [[]];
  let word: string | undefined;
  let from = 0;
  for (const { 0: token, index, groups = {} } of `${source}\n`.matchAll(TOKENS[shell])) {
    const { quoted = groups['single'], escaped, ends } = groups;
    if (ends === undefined) {
      if (!token.startsWith('#') || word !== undefined) word = (word ?? '') + (quoted ?? escaped ?? token);
      continue;
    }
    if (word !== undefined) commands.at(-1)?.push(...assignmentIn(word));
    word = undefined;
    // `& { … }` runs the block where it stands.
    if (ends === '{' && /^[&.]$/.test(commands.at(-1)?.join(' ') ?? '')) commands.pop();
    if (/[|(){}]/.test(ends)) commands.push([]);
    if (!/[\n;&]/.test(ends)) continue;
    commands = commands.filter((words) => words.length > 0);
    if (commands.length > 0) statements.push({ commands, part: source.slice(from, index) });
    commands = [[]];
    from = index + 1;
  }
  return statements;
}

/** `$name=value` without blanks is three words. */
function assignmentIn(word: string): readonly string[] {
  const [, name, value = ''] = /^(\$[\w:]+)=(.*)$/s.exec(word) ?? [];
  return name === undefined ? [word] : [name, '=', value];
}

/** Texts in quotes, escaped characters, comments, what ends a word, a command or a statement, and other characters. */
const TOKENS: Readonly<Record<WindowsShell, RegExp>> = {
  powershell:
    /"(?<quoted>[^"]*)"?|'(?<single>[^']*)'?|`(?<escaped>[\s\S]?)|(?<ends>&&|[\s;|(){}])|(?<![^\s;|(){}])#[^\n]*|[\s\S]/g,
  cmd: /"(?<quoted>[^"]*)"?|\^(?<escaped>[\s\S]?)|(?<ends>[\s;&|(){}])|[\s\S]/g,
};

/** Replaces variables by what they hold, where that is known. */
function fill(word: string, variables: ReadonlyMap<string, string>): string {
  return word.replace(/\$(?:env:)?\w+|%\w{1,80}%|%%?\w\b/gi, (variable) => {
    const key = keyOf(variable);
    const known = PLACES.get(key) ?? variables.get(key);
    return known ?? (/^%.+%$/.test(key) && isSecretName(key.slice(1, -1).toUpperCase()) ? SECRET : variable);
  });
}

/** `$env:x` and `%x%` are the same variable, and so are `%%i` and `%i`. */
function keyOf(variable: string): string {
  return variable
    .toLowerCase()
    .replace(/^\$env:(\w+)$/, '%$1%')
    .replace(/^%%/, '%');
}

const PLACES: ReadonlyMap<string, string> = new Map(
  [
    ['~', '$home %home% %userprofile% %homepath%'],
    ['~\\AppData', '%appdata% %localappdata%'],
    ['C:\\Windows', '%systemroot% %windir%'],
    ['C:', '%systemdrive%'],
    ['C:\\Program Files', '%programfiles%'],
    ['.', '$pwd %cd%'],
  ].flatMap(([place = '', names = '']) => names.split(' ').map((name): [string, string] => [name, place])),
);
