import { runCode } from './builtins.ts';
import { cronCommands } from './cron.ts';
import type { Invocation } from './invocation.ts';
import { CONTENT, REWRITTEN } from './marks.ts';
import { fileKey } from './places.ts';
import { judgeCode } from './rules/code.ts';
import { hiddenCode } from './rules/remote-code.ts';
import type { Call, Runner } from './runner.ts';
import { subshell } from './scope.ts';

/** Runs what an interpreter is given: a text in an option, a script that this command wrote, or its input. */
export function runInterpreter(invocation: Invocation, call: Call, runner: Runner): string | undefined {
  const { name, program, stdin } = invocation;
  if (SHELLS.has(name)) return runShell(invocation, call, runner);
  const language = LANGUAGES.get(/\d$/.test(name) ? name.replace(/[\d.]+$/, '') : name);
  if (language) return runLanguage(language, invocation, call, runner);
  if (READS_SHELL.has(name))
    return stdin === undefined ? undefined : runCode(stdin, call.scope, call, runner, undefined);
  if (name === 'crontab' && stdin !== undefined)
    return runCode(cronCommands(stdin), call.scope, call, runner, undefined);
  const written = program.includes('/') ? runner.files.get(fileKey(program)) : undefined;
  return written === undefined ? undefined : runCode(written, subshell(call.scope), call, runner, stdin);
}

const SHELLS: ReadonlySet<string> = new Set([
  'bash',
  'sh',
  'zsh',
  'dash',
  'ksh',
  'ash',
  'fish',
  'mksh',
  'rbash',
  'csh',
  'tcsh',
]);
const READS_SHELL: ReadonlySet<string> = new Set(['at', 'batch', 'iex', 'invoke-expression']);

function runShell(invocation: Invocation, call: Call, runner: Runner): string | undefined {
  const { args, stdin } = invocation;
  let hasCode = false;
  let readsInput = false;
  let i = 0;
  for (; i < args.length; i++) {
    const arg = args[i] ?? '';
    if (arg === '--') {
      i++;
      break;
    }
    if (arg.startsWith('--')) {
      if (arg === '--rcfile' || arg === '--init-file') i++;
      continue;
    }
    if (!/^[-+]./.test(arg)) break;
    if (arg.startsWith('-') && arg.includes('n') && !arg.includes('c')) return '';
    if (arg.includes('c')) hasCode = true;
    if (arg.includes('s')) readsInput = true;
    if (/[oO]$/.test(arg)) i++;
  }
  const [first, ...rest] = args.slice(i);
  const positional = hasCode ? (rest.length > 0 ? rest : [invocation.name]) : args.slice(i);
  const scope = subshell(call.scope, { calls: call.scope.calls });
  scope.shell.positional = readsInput ? ['', ...positional] : positional;
  if (hasCode) return first === undefined ? undefined : runCode(contentOr(first), scope, call, runner, stdin);
  if (first === undefined || readsInput || first === '-' || first === '/dev/stdin') {
    if (stdin?.includes(REWRITTEN)) runner.report(hiddenCode, call);
    if (stdin !== undefined) runCode(stdin, scope, call, runner, undefined);
    return undefined;
  }
  const text = first.startsWith(CONTENT) ? first.slice(1) : runner.files.get(fileKey(first));
  return text === undefined ? undefined : runCode(text, scope, call, runner, stdin);
}

interface Language {
  /** Letters of the short options that are followed by code, alone or at the end of a cluster. */
  readonly code: string;
  readonly long?: readonly string[];
  /** Options that name what to run otherwise, so that the input is only data. */
  readonly module?: string;
}

const PYTHON: Language = { code: 'c', module: 'm' };
const POWERSHELL: Language = { code: '', long: ['-c', '-command', '/c', '-com'] };
const LANGUAGES: ReadonlyMap<string, Language> = new Map<string, Language>([
  ['python', PYTHON],
  ['pypy', PYTHON],
  ['node', { code: 'ep', long: ['--eval', '--print', '-pe'] }],
  ['nodejs', { code: 'ep', long: ['--eval', '--print'] }],
  ['bun', { code: 'ep', long: ['--eval', '--print'] }],
  ['deno', { code: '', long: ['eval'] }],
  ['perl', { code: 'eE' }],
  ['ruby', { code: 'e' }],
  ['php', { code: 'r' }],
  ['lua', { code: 'e' }],
  ['luajit', { code: 'e' }],
  ['osascript', { code: 'e' }],
  ['rscript', { code: 'e' }],
  ['pwsh', POWERSHELL],
  ['powershell', POWERSHELL],
]);

function runLanguage(
  language: Language,
  invocation: Invocation,
  call: Call,
  runner: Runner,
): string | undefined {
  const { args, stdin } = invocation;
  let operand: string | undefined;
  let hasCode = false;
  for (let i = 0; i < args.length && operand === undefined; i++) {
    const arg = args[i] ?? '';
    const code = codeIn(arg, args.slice(i + 1), language);
    if (code !== undefined) {
      hasCode = true;
      if (code.usesRest) i = args.length;
      else i++;
      runText(contentOr(code.text), call, runner);
      // Its simple commands look the same to us.
      if (language === POWERSHELL) runner.script(code.text, subshell(call.scope), undefined);
    } else if (/^-e(?:nc|ncodedcommand|c)$/i.test(arg) && language === POWERSHELL) {
      runner.report(hiddenCode, call);
    } else if (arg.startsWith('-') && arg !== '-') {
      if (language.module && arg.slice(1, 2) === language.module) return undefined;
    } else if (language !== POWERSHELL || arg.endsWith('.ps1')) operand = arg;
  }
  if (hasCode) return undefined;
  const text =
    operand === undefined || operand === '-' || operand === '/dev/stdin'
      ? stdin
      : operand.startsWith(CONTENT)
        ? operand.slice(1)
        : runner.files.get(fileKey(operand));
  if (text !== undefined) runText(text, call, runner);
  return undefined;
}

function codeIn(
  arg: string,
  rest: readonly string[],
  { code, long = [] }: Language,
): { text: string; usesRest: boolean } | undefined {
  const lower = arg.toLowerCase();
  if (long.includes(lower)) return { text: rest.join(' '), usesRest: true };
  const equals = long.find((name) => name.startsWith('--') && lower.startsWith(`${name}=`));
  if (equals) return { text: arg.slice(equals.length + 1), usesRest: false };
  if (code === '' || !/^-[A-Za-z0-9.]/.test(arg)) return undefined;
  for (let c = 1; c < arg.length; c++) {
    const letter = arg[c] ?? '';
    if (code.includes(letter)) {
      const attached = arg.slice(c + 1);
      return attached ? { text: attached, usesRest: false } : { text: rest[0] ?? '', usesRest: false };
    }
    // After these letters the rest of the cluster is a value.
    if ('mMIlrWXF'.includes(letter) && code !== 'c') return undefined;
    if (code === 'c' && 'mWX'.includes(letter)) return undefined;
  }
  return undefined;
}

function runText(code: string, call: Call, runner: Runner): void {
  const found = judgeCode(code, (shell) => runner.script(shell, subshell(call.scope), undefined));
  if (found) runner.report(found, call);
}

function contentOr(text: string): string {
  return text.startsWith(CONTENT) ? text.slice(1) : text;
}
