import type { Remember } from '@hooks/core';
import { isSameInput } from '@hooks/core/adapter';
import { analyzeCommand, type CommandWord, commandWords } from '@hooks/shell-safety';

/**
 * Inputs like one that was approved: for each argument its text, in which a `*` that the person writes stands for one word; or a
 * list of the values that it may have. `*` alone stands for any value. A text that is the approved one means that text, also where
 * it contains a `*`. An argument that is no text is given as its JSON.
 *
 * Where a `*` may stand depends on what the argument is:
 *
 * - a shell command: for a file of a program that only reads, lists, copies or removes files (`cat`, `grep`, `rm` and others), a segment of a URL
 *   that `curl` fetches, or the script of `npm run`. It is one word, which begins no option and leaves no folder. Before that command stands only
 *   `cd folder &&`, and behind it only pipes into programs that read
 * - a URL: for one segment of the path
 * - a path: for a name, with the folders before it
 *
 * In any other text it may not.
 */
export type InputPattern = NonNullable<Remember['matching']>;

/** Which values of an argument are covered. */
export type ArgumentRule =
  | { readonly kind: 'any' }
  /** The values are compared as JSON, with their types. */
  | { readonly kind: 'values'; readonly values: readonly unknown[] }
  | { readonly kind: 'command' | 'url' | 'path'; readonly pattern: string };

/** Which inputs are covered: those with the same arguments, no others, and a covered value for each. */
export type InputRules = { readonly [argument: string]: ArgumentRule };

/**
 * The rules that a pattern stands for, which a person gave for a call.
 *
 * @returns why it cannot be remembered, where it does not match that call, or would cover what nobody can see from it
 */
export function rulesOf(input: unknown, pattern: InputPattern): InputRules | string {
  if (!isFields(input)) return 'the input has no arguments';
  if (!isFields(pattern)) return '`matching` has to be an object with a pattern for each argument';
  const given = Object.keys(input).filter((name) => input[name] !== undefined);
  const [missing] = given.filter((name) => !Object.hasOwn(pattern, name));
  if (missing !== undefined) return `the pattern does not name the argument ${JSON.stringify(missing)}`;
  const rules: [string, ArgumentRule][] = [];
  for (const [name, wanted] of Object.entries(pattern)) {
    if (!given.includes(name)) return `the call has no argument ${JSON.stringify(name)}`;
    const rule = ruleOf(name, input[name], wanted);
    if (typeof rule === 'string') return `the pattern of ${JSON.stringify(name)} cannot be used: ${rule}`;
    rules.push([name, rule]);
  }
  return Object.fromEntries(rules);
}

/** Whether an input is covered. */
export function isCovered(input: unknown, rules: InputRules): boolean {
  if (!isFields(input)) return false;
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  return (
    given.length === Object.keys(rules).length &&
    given.every(([name, value]) => {
      const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
      return rule !== undefined && covers(rule, value);
    })
  );
}

/** The rules as texts, for people. */
export function textOf(rule: ArgumentRule): string {
  if (rule.kind === 'any') return '*';
  if (rule.kind !== 'values') return rule.pattern;
  return rule.values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(' | ');
}

/** Whether a value that some program wrote is rules. */
export function isRules(value: unknown): value is InputRules {
  return (
    isFields(value) &&
    Object.values(value).every((rule) => {
      const { kind, values, pattern }: { readonly [field: string]: unknown } = Object(rule);
      if (kind === 'any') return true;
      if (kind === 'values') return Array.isArray(values);
      return (kind === 'command' || kind === 'url' || kind === 'path') && typeof pattern === 'string';
    })
  );
}

function isFields(value: unknown): value is { readonly [field: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The rule for a value that was approved, or why there can be none. */
function ruleOf(name: string, value: unknown, wanted: string | readonly unknown[]): ArgumentRule | string {
  if (typeof wanted !== 'string') {
    if (!wanted.some((each) => isSameInput(each, value))) return 'the value of the call is not in the list';
    return { kind: 'values', values: [...wanted] };
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // What the model wrote is no wildcard.
  if (wanted === text) return { kind: 'values', values: [value] };
  if (wanted === '*') return { kind: 'any' };
  if (typeof value !== 'string' || !wanted.includes('*')) return 'it does not match the call';
  if (text.includes('*'))
    return 'the call has a `*` of its own there; leave that argument as it is, or give `*` for any value';
  const kind = kindOf(name, value);
  if (kind === undefined)
    return 'a `*` may stand only in a shell command, a URL or a path; leave the text as it is, give `*` for any value, or list the values';
  const problem = problemIn(kind, wanted);
  if (problem !== undefined) return problem;
  const rule: ArgumentRule = { kind, pattern: wanted };
  if (!matches(rule, value))
    return 'it does not match the call: a `*` is one word, which begins no option and leaves no folder';
  if (!covers(rule, value)) return 'what the command does depends on the word in the place of the `*`';
  return rule;
}

/** Names of arguments that hold a shell command. */
const COMMAND = /^(?:bash_?|shell_?)?(?:command|cmd)(?:_?line)?$|^(?:bash|shell|shell_?script)$/i;
/** Languages whose sentences a shell would read as words, too. */
const QUERY =
  /^\s*(?:select|insert|update|delete|replace|merge|with|create|alter|drop|truncate|grant|revoke|call|explain|set|get|del|match|from|begin)\b/i;
const URL_START = /^[a-z][a-z0-9+.-]*:\/\//i;

function kindOf(name: string, text: string): 'command' | 'url' | 'path' | undefined {
  if (COMMAND.test(name)) return QUERY.test(text) ? undefined : 'command';
  if (/[\s\p{C}]/u.test(text)) return undefined;
  return URL_START.test(text) ? 'url' : 'path';
}

function covers(rule: ArgumentRule, value: unknown): boolean {
  if (rule.kind === 'any') return true;
  if (rule.kind === 'values') return rule.values.some((each) => isSameInput(each, value));
  if (typeof value !== 'string' || !matches(rule, value)) return false;
  // An earlier version may have remembered a pattern that is refused by now.
  if (problemIn(rule.kind, rule.pattern) !== undefined) return false;
  return rule.kind !== 'command' || doesTheSame(rule.pattern, value);
}

type PatternRule = Exclude<ArgumentRule, { readonly kind: 'any' | 'values' }>;

function matches({ kind, pattern }: PatternRule, text: string): boolean {
  if (kind === 'command') return isLikeCommand(pattern, text);
  return isLikeWord(text, pattern);
}

/** Why a pattern would cover more than it shows. */
function problemIn(kind: PatternRule['kind'], pattern: string): string | undefined {
  if (kind !== 'command') return problemInWord(pattern) ?? problemInHost(pattern);
  const words = commandWords(pattern);
  if (words === undefined)
    return 'it is no list of simple commands, so give `*` for the whole command or none';
  const wild = words.filter(({ text }) => text.includes('*'));
  const inWords = wild.reduce((sum, { text }) => sum + text.split('*').length - 1, 0);
  if (inWords !== pattern.split('*').length - 1)
    return 'a `*` may only stand in a word of the command itself, not in an assignment, a redirection or a text';
  for (const { text } of wild) {
    const problem = problemInWord(text);
    if (problem !== undefined) return problem;
  }
  return problemInPlace(words, pattern);
}

function problemInWord(pattern: string): string | undefined {
  const [head = '', tail = '', ...more] = pattern.split('*');
  if (more.length > 0) return 'a word may have one `*`';
  if (!PLAIN.test(head) || !PLAIN.test(tail))
    return 'a `*` may not stand beside quotes, or in what a shell expands';
  if (/^-[^=]*$/.test(head)) return 'a `*` may not stand for an option';
  if (ROOT.test(head) || ABOVE.test(head)) return 'a `*` may not stand in the root or above the folder';
  if (URL_START.test(pattern) && !/^[a-z][a-z0-9+.-]*:\/\/[^/?#@\s]+\/(?:[^?#]*[^?#/]\/)?$/i.test(head))
    return 'in a URL, a `*` stands for one segment of the path, not for a part of the host, a segment or the query';
  if (URL_START.test(pattern) && !/^(?:[/?#]|$)/.test(tail))
    return 'in a URL, a `*` is a whole segment of the path';
  return undefined;
}

function problemInHost(pattern: string): string | undefined {
  return /^[^/*]+:[^/]*\*/.test(pattern) ? 'a `*` may not stand behind a host' : undefined;
}

/** The root, a drive of Windows, and the machines of its network; also for a part of a name there. */
const ROOT = /^(?:[a-z]:)?\/(?:\.?\/|[^/]*$)/i;
const ABOVE = /(?:^|[/=])(?:\.|%2e){2}\//i;

/** No character with which a shell does more than to hand it on. */
const PLAIN = /^[^\s\p{C}'"\\$`(){}[\]<>|&;!~]*$/u;

/** In the place of a `*`, to find out what a command does with a word of which nothing is known. */
const ANY_WORD = 'wq7x';

/**
 * Programs that read, list, copy or remove files, and have no option that runs anything. As builtins, they change nothing in the shell.
 * None writes to its second file without saying so (`uniq`, `xxd`), reads names or options from a file (`file -f`, `strings @a`), or has
 * a switch behind a slash (`rmdir a/s/q` of Windows).
 */
const FILES =
  /^(?:cat|cksum|cmp|comm|cp|cut|diff|du|fold|[ef]?grep|head|join|ls|md5sum|mkdir|mv|nl|od|paste|readlink|realpath|rev|rm|sha\d+sum|stat|tac|tail|touch|wc)$/;
/** A file that every shell reads as itself: no glob (`.?` is `..`), no variable (`@a`), no list (`a,b`), no program (`=ls`). */
const FILE = /^[\p{L}\p{N}_./*][\p{L}\p{N}_./*:@+-]*$/u;
/** Programs that read what is piped into them, and run nothing of it. */
const READERS = /^(?:cat|column|cut|fold|[ef]?grep|head|jq|nl|od|paste|rev|sort|tac|tail|tr|uniq|wc)$/;
/**
 * Of programs with harmful options, the short options that neither name or read a file nor run anything. All others are refused:
 * `curl -O` writes a file that the URL names, `sort -o` and `uniq - a` write one, `jq -f` runs one.
 */
const OPTIONS: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    curl: 'AGHILSXdfikmsuv',
    jq: 'CMRSacejnrs',
    sort: 'CMRVbcdfghikmnrstuz',
    uniq: 'Dcdfisuwz',
    wc: 'Lclmw',
  }).map(([program, letters]) => [program, new RegExp(`^-[${letters}\\d.,:]+$`)]),
);
/** Programs that may have values beside options: URLs (`curl`), filters and files to read (`jq`). The others may write to a file. */
const HAS_VALUES = /^(?:curl|jq)$/;
/** A word that is no option, however a shell reads it, and no `@file` to read from. */
const VALUE = /^(?:['"][^-'"\\@].*|[\p{L}\d_./*].*)$/su;
const FETCHED = /^https?:\/\//i;
/** Programs whose `run` is followed by the name of a script of the package. That of yarn and bun runs other programs and files, too. */
const HAS_SCRIPTS = /^p?npm$/;

/**
 * Why a `*` may not stand where it does. Only a few programs are known to do the same with whatever word stands there. For any other
 * program, the word may be a program, a machine, code or a subcommand. So it may for a command beside that one: what the word names
 * may have been written before, or be read or run behind it.
 */
function problemInPlace(words: readonly CommandWord[], pattern: string): string | undefined {
  const commands = commandsIn(words);
  if (commands.some(([program]) => program?.text.includes('*'))) return 'a `*` may not stand for a program';
  const at = commands.findIndex((command) => texts(command).some((text) => text.includes('*')));
  for (const [nth, command] of commands.entries()) {
    const [program = '', ...args] = texts(command);
    const problem =
      nth < at
        ? problemBefore(program, args)
        : nth > at
          ? problemBehind(program, args)
          : problemInCommand(program, args);
    if (problem !== undefined) return problem;
  }
  return problemBetween(commands, at, pattern);
}

function commandsIn(words: readonly CommandWord[]): readonly (readonly CommandWord[])[] {
  const commands: CommandWord[][] = [];
  for (const word of words) {
    if (word.isProgram) commands.push([word]);
    else commands.at(-1)?.push(word);
  }
  return commands;
}

function texts(words: readonly CommandWord[]): readonly string[] {
  return words.map(({ text }) => text);
}

const ALONE =
  'a command with a `*` has only `cd folder &&` before it, and only pipes into programs that read behind it, such as `| head -5`';

/** A `*` behind `cd a` stands for what it would stand for in `a/*`. */
function problemBefore(program: string, [folder = '~', ...more]: readonly string[]): string | undefined {
  if (program !== 'cd' || more.length > 0 || folder.startsWith('-')) return ALONE;
  return problemInWord(`${folder}/*`) ?? (FILE.test(folder) ? undefined : ALONE);
}

function problemBehind(program: string, args: readonly string[]): string | undefined {
  if (!READERS.test(program)) return ALONE;
  const isHarmless = (text: string): boolean => !text.includes('*') && isHarmlessWord(program, text);
  return args.every(isHarmless) ? undefined : ALONE;
}

function problemInCommand(program: string, args: readonly string[]): string | undefined {
  for (const [index, text] of args.entries()) {
    if (!text.includes('*')) continue;
    if (!mayBeAnyWord(program, args, index))
      return `what ${program} does may depend on the word in the place of the \`*\`; it may stand for a file of a program such as cat, grep or rm, for a segment of a URL of curl, and for the script of npm run`;
    const problem = HAS_SCRIPTS.test(program) ? undefined : problemInHost(text);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function isHarmlessWord(program: string, text: string): boolean {
  const options = OPTIONS.get(program);
  return options === undefined || options.test(text) || (HAS_VALUES.test(program) && VALUE.test(text));
}

/** Whether an argument of a command may be any word. */
function mayBeAnyWord(program: string, args: readonly string[], index: number): boolean {
  const wild = args[index] ?? '';
  if (program === 'curl') return FETCHED.test(wild) && args.every((text) => isHarmlessWord(program, text));
  if (!FILE.test(wild)) return false;
  // `wc --files0-from a` reads the files that `a` names.
  if (FILES.test(program)) return !/^[^\p{L}\p{N}./]*--./u.test(args[index - 1] ?? '');
  return HAS_SCRIPTS.test(program) && args[0] === 'run' && index === 1;
}

const ERRORS = '(?:2>(?:&1|/dev/null)[ \\t]*)?';
const AND = /^[ \t]*&&[ \t]*$/;
const PIPE = new RegExp(`^[ \\t]*${ERRORS}\\|[ \\t]*$`);
const END = new RegExp(`^[ \\t]*${ERRORS}$`);

/** Between the words stands nothing but blanks, and what joins the commands: no assignment, redirection, comment or background. */
function problemBetween(
  commands: readonly (readonly CommandWord[])[],
  at: number,
  pattern: string,
): string | undefined {
  // What a variable holds may be the word. What stands behind `>(` reads what is written to it.
  if (/[$`]|[<>]\(/.test(pattern))
    return 'a command with a `*` has no variables, and no other command inside';
  let end = 0;
  for (const [nth, command] of commands.entries())
    for (const { isProgram, from, to } of command) {
      const join = !isProgram || nth === 0 ? /^[ \t]*$/ : nth <= at ? AND : PIPE;
      if (!join.test(pattern.slice(end, from))) return ALONE;
      end = to;
    }
  return END.test(pattern.slice(end)) ? undefined : ALONE;
}

/** The words are the same but for those with a `*`; and so is what is between them, to the character. */
function isLikeCommand(pattern: string, text: string): boolean {
  const [words, wanted] = [commandWords(text), commandWords(pattern)];
  if (words === undefined || words.length !== wanted?.length) return false;
  let [at, due, program] = [0, 0, ''];
  for (const [index, word] of words.entries()) {
    const like = wanted[index];
    if (like === undefined || text.slice(at, word.from) !== pattern.slice(due, like.from)) return false;
    if (word.isProgram) program = word.text;
    const isWild = like.text.includes('*');
    if (isWild ? !isLikeWord(word.text, like.text, HAS_SCRIPTS.test(program)) : word.text !== like.text)
      return false;
    [at, due] = [word.to, like.to];
  }
  return text.slice(at) === pattern.slice(due);
}

/** No character that a shell, a path or a URL reads as more than itself (in PowerShell, a comma begins another file), and no hidden file. */
const PATH = /^[\p{L}\p{N}_][\p{L}\p{N}_+-]*(?:[./][\p{L}\p{N}_][\p{L}\p{N}_+-]*)*$/u;
/** The name of a script: `test:e2e`. `npm run env` is none: it shows all variables. */
const SCRIPT = /^[\p{L}\p{N}_][\p{L}\p{N}_-]*(?:[:.][\p{L}\p{N}_][\p{L}\p{N}_-]*)*$/u;
/** Beside other characters it is the rest of a name. */
const REST = /^[\p{L}\p{N}_-]+$/u;
/** Letters that nobody sees, or that Windows may hand on as quotes. */
const DECEPTIVE = /[\u02b0-\u02ff\p{Default_Ignorable_Code_Point}]/u;
const SEGMENT = /^[\p{L}\p{N}_][\p{L}\p{N}_~-]*(?:\.[\p{L}\p{N}_][\p{L}\p{N}_~-]*)*$/u;

/** Takes time proportional to the text: a word has one `*`. */
function isLikeWord(word: string, pattern: string, isScript = false): boolean {
  const [head = '', tail = ''] = pattern.split('*');
  if (word.length < head.length + tail.length || !word.startsWith(head) || !word.endsWith(tail)) return false;
  const middle = word.slice(head.length, word.length - tail.length);
  if (DECEPTIVE.test(middle)) return false;
  if (URL_START.test(pattern)) return SEGMENT.test(middle);
  if (isScript && word === 'env') return false;
  if (isScript && head === '') return SCRIPT.test(middle);
  // What ends in `.acme.com` is a machine, until a folder stands before it.
  if (head === '' && tail !== '' && !tail.includes('/') && middle.includes('/')) return false;
  return (head === '' || head.endsWith('/') ? PATH : REST).test(middle);
}

/** Whether a command does what it does with a word of which nothing is known: no program, machine or danger is another one. */
function doesTheSame(pattern: string, command: string): boolean {
  return deeds(pattern.replaceAll('*', ANY_WORD)) === deeds(command);
}

function deeds(command: string): string {
  const { effects } = analyzeCommand(command);
  return JSON.stringify(
    effects.map(({ kind, program, host, danger }) => [kind, program, host, danger?.rule]),
  );
}
