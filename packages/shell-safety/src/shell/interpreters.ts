import { judgeCode, runsInput } from '../code/code.ts';
import { withEnvironment } from '../code/code-text.ts';
import { hiddenCode, remoteCode } from '../dangers.ts';
import { fileKey } from '../paths/places.ts';
import type { Invocation, Language, Runs } from '../programs/program.ts';
import { runCode } from './builtins.ts';
import { contentOf } from './file-content.ts';
import { CONTENT, isKnown, OPAQUE, REMOTE, REWRITTEN } from './marks.ts';
import { options } from './options.ts';
import type { Call, Runner } from './runner.ts';
import { inherited, shiftedIn, subshell } from './scope.ts';
import { commandsOfRecipe, installed, onPath, runFile, runMakefile } from './script-file.ts';
import { runWindows } from './windows.ts';

/** Runs the code that an interpreter gets: in an option, in a file that this command wrote, or as input. */
export function runInterpreter(invocation: Invocation, call: Call, runner: Runner): string | undefined {
  const { program, args, stdin } = invocation;
  const { runs } = invocation.known;
  // `./bash` may be anything that was loaded under that name.
  if (program.includes('/') && runner.files.get(fileKey(program, call.scope.shell.cwd)) === REMOTE)
    runner.report(remoteCode, call);
  runRecipes(invocation, call, runner);
  if (typeof runs === 'object') return runLanguage(runs, invocation, call, runner);
  if (runs) return RUNS[runs](invocation, call, runner);
  const path = program.includes('/')
    ? program
    : (onPath(program, call, runner) ?? installed(program, runner));
  return path === undefined ? undefined : runFile(path, args, call, runner, stdin);
}

/** Runs commands from project files that this command wrote: `package.json`, a `justfile`. */
function runRecipes(invocation: Invocation, call: Call, runner: Runner): void {
  for (const name of invocation.known.recipes?.split(' ') ?? []) {
    const text = contentOf(name, invocation.cwd, runner.files);
    if (text === undefined) continue;
    const commands = commandsOfRecipe(name, text);
    if (commands === undefined) runText(text, { ...invocation, known: {} }, call, runner);
    else runCode(commands, subshell(call.scope), call, runner);
  }
}

type Interpreter = (invocation: Invocation, call: Call, runner: Runner) => string | undefined;

function runShell(invocation: Invocation, call: Call, runner: Runner): string | undefined {
  const { args, stdin } = invocation;
  // `+x` switches something off.
  const own = args.filter((arg) => !/^\+[a-zA-Z]$/.test(arg));
  const { flags, values, operands } = options(own, ['o', 'O', 'rcfile', 'init-file'], true);
  const startup = values.get('--rcfile') ?? values.get('--init-file');
  if (startup !== undefined) runFile(startup, [], call, runner);
  const hasCode = flags.has('-c');
  const readsInput = flags.has('-s');
  if (flags.has('-n') && !hasCode) return '';
  const [first, ...rest] = operands;
  const positional = hasCode ? (rest.length > 0 ? rest : [invocation.name]) : operands;
  const scope = inherited(call.scope, call.env);
  scope.shell.positional = readsInput ? ['', ...positional] : positional;
  scope.shell.shifted = shiftedIn(call.part, call.scope);
  if (hasCode) {
    if (first === undefined) return undefined;
    const code = contentOr(first);
    return runCode(
      invocation.known.setsVariables ? code.replace(FISH_SET, '$1=') : code,
      scope,
      call,
      runner,
      stdin,
    );
  }
  if (first === undefined || readsInput || first === '-' || first === '/dev/stdin') {
    if (stdin?.includes(REWRITTEN)) runner.report(hiddenCode, call);
    if (stdin !== undefined) runCode(stdin, scope, call, runner);
    return undefined;
  }
  return runFile(first, rest, call, runner, stdin);
}

/** `set -l d ~` of fish, with one value. */
const FISH_SET =
  /(?<![^\s;])set\s{1,9}(?:-[-\w]{1,20}\s{1,9}){0,4}(\w{1,40})\s{1,9}(?=[^\s;]{1,400}(?:[^\S\n]{0,9}[;\n]|$))/g;

const RUNS: Readonly<Record<Exclude<Runs, Language>, Interpreter>> = {
  shell: runShell,
  input: runInput,
  make: runMakefile,
  carried: runCarried,
  queries: runQueries,
};

/** What it reads is a script for a shell. */
function runInput({ stdin: piped, args }: Invocation, call: Call, runner: Runner): string | undefined {
  const stdin = args.find((arg) => arg.startsWith(CONTENT))?.slice(1) ?? piped;
  return stdin === undefined ? undefined : runCode(stdin, call.scope, call, runner);
}

/** Runs the queries and commands that a database shell gets as arguments and input. */
function runQueries(invocation: Invocation, call: Call, runner: Runner): undefined {
  const { args, stdin = '' } = invocation;
  for (const text of [...args.filter((arg) => /[\s(]/.test(arg)), isKnown(stdin) ? stdin : ''])
    runText(text, invocation, call, runner);
}

/** Programs in other languages that an editor or a debugger is told to run: `-ex 'python …'`, `-c ':lua …'`. */
function runCarried(invocation: Invocation, call: Call, runner: Runner): undefined {
  for (const arg of invocation.args) {
    const [, language = '', code] = CARRIED.exec(arg) ?? [];
    if (code !== undefined)
      runText(code, { ...invocation, known: language === 'tcl' ? { forms: 'tcl' } : {} }, call, runner);
  }
}

const CARRIED = /^[:+]{0,2}(py(?:thon)?3?x?|lua|ruby|perl|tcl)\s+(.+)$/s;

function runLanguage(language: Language, invocation: Invocation, call: Call, runner: Runner): undefined {
  const { args, stdin } = invocation;
  const run = (text: string): void => {
    if (language.windows) runWindows(text, 'powershell', call.scope, runner);
    runText(text, invocation, call, runner);
  };
  const valued = language.valued?.split(' ') ?? [];
  let hasCode = false;
  let operand: string | undefined;
  for (let i = 0; i < args.length && operand === undefined; i++) {
    const arg = args[i] ?? '';
    const code = codeIn(arg, args.slice(i + 1), language);
    if (code) {
      hasCode = true;
      run(code.text === '-' ? (stdin ?? '') : contentOr(code.text));
      i += code.used;
    } else if (language.windows && /^[-/]e(?:c|n\w*)?$/i.test(arg)) runner.report(hiddenCode, call);
    else if (language.windows && VALUED_OF_POWERSHELL.test(arg)) i++;
    else if (arg.startsWith('-') && arg !== '-') {
      if (language.module && arg.slice(1, 2) === language.module) return undefined;
      if (valued.includes(arg)) i++;
      const loader = language.loads?.split(' ').find((name) => arg.startsWith(name));
      const file = arg === loader ? (args[i] ?? '') : arg.slice(loader?.length).replace(/^=/, '');
      const loaded = loader === undefined ? undefined : sourceOf(file, invocation, runner);
      if (loaded !== undefined) runText(loaded, invocation, call, runner);
    } else if (language.compiles && args.includes('-')) operand = '-';
    else if (language.windows && !arg.endsWith('.ps1')) {
      run(args.slice(i).join(' '));
      return undefined;
    } else if (!language.verbs?.split(' ').includes(arg)) operand = arg;
  }
  if (hasCode) return undefined;
  if (operand === REMOTE || /^https?:/i.test(operand ?? '')) runner.report(remoteCode, call);
  const text = sourceOf(operand ?? '-', invocation, runner);
  if (text !== undefined) runText(text, invocation, call, runner);
}

/** The code in a file; `node ./a` runs `a.js`, `ruby -r./a` loads `a.rb`, and `perl -MA` loads `A.pm`. */
function sourceOf(path: string, { cwd, stdin }: Invocation, { files }: Runner): string | undefined {
  const own = contentOf(path, cwd, files, stdin);
  for (const end of own === undefined ? ['.js', '.rb', '.pm'] : []) {
    const text = contentOf(path + end, cwd, files);
    if (text !== undefined) return text;
  }
  return own;
}

const VALUED_OF_POWERSHELL =
  /^[-/](?:w(?:indowstyle|in)?|ep?x?(?:ecutionpolicy)?|exec(?:utionpolicy)?|v(?:ersion)?|inputformat|outputformat|psconsolefile|wd|workingdirectory)$/i;

/** The code in an option, and how many words behind it belong to it. */
function codeIn(
  arg: string,
  rest: readonly string[],
  { code = '', long: words = '' }: Language,
): { readonly text: string; readonly used: number } | undefined {
  const long = words.split(' ');
  const lower = arg.toLowerCase();
  if (long.includes(lower)) return { text: rest.join(' '), used: rest.length };
  const equals = long.find((name) => name.startsWith('--') && lower.startsWith(`${name}=`));
  if (equals) return { text: arg.slice(equals.length + 1), used: 0 };
  if (code === '') return undefined;
  // Behind some letters the rest of the cluster is a value.
  const cluster = new RegExp(`^-[A-Za-z0-9.]*?(?:[${code}]|([${code === 'c' ? 'mWX' : 'mMIrWXF'}]))`).exec(
    arg,
  );
  if (!cluster || cluster[1] !== undefined) return undefined;
  const attached = arg.slice(cluster[0].length);
  return attached === '' ? { text: rest[0] ?? '', used: 1 } : { text: attached, used: 0 };
}

function runText(code: string, invocation: Invocation, call: Call, runner: Runner): void {
  if (!runner.spend(SEARCHED * code.length)) return;
  const { stdin = '' } = invocation;
  if ((stdin.includes(REMOTE) || stdin.includes(OPAQUE)) && runsInput(code))
    runner.report(stdin.includes(REMOTE) ? remoteCode : hiddenCode, call);
  const found = judgeCode(withEnvironment(code, invocation.env), invocation.known, {
    shell: (command) => runner.script(command, subshell(call.scope)),
    download: (path) => runner.files.set(fileKey(path, call.scope.shell.cwd), REMOTE),
  });
  if (found) runner.report(found, call);
}

/** What a character of code costs, because many expressions search it. */
const SEARCHED = 4;

function contentOr(text: string): string {
  return text.startsWith(CONTENT) ? text.slice(1) : text;
}
