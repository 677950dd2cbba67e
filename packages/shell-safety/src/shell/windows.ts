import { finding } from '../effect.ts';
import { remoteCode } from '../rules/remote-code.ts';
import { REMOTE } from './marks.ts';
import type { Call, Runner } from './runner.ts';
import { listenedTo, type Scope, subshell } from './scope.ts';

/** Shells that are no POSIX shell. */
export type WindowsShell = 'powershell' | 'cmd';

const DIALECT = finding(
  'unjudged/dialect',
  'Of PowerShell and cmd only the worst is known: this command is not judged as a whole.',
  'Use a POSIX shell, or let the user look at it.',
  'low',
);

/**
 * Goes through a text for PowerShell or cmd: its programs one by one, with quotes, pipes, blocks and simple variables. It
 * is no parser: expressions are taken for words.
 */
export function runWindows(source: string, shell: WindowsShell, scope: Scope, runner: Runner): void {
  const inner = listenedTo(subshell(scope));
  const variables = new Map<string, string>();
  for (const { commands, part } of statementsOf(source, shell)) {
    const call: Call = { scope: inner, env: new Map(), redirects: [], stdin: undefined, wrapped: true, part };
    const filled = commands.map((words) => words.map((word) => fill(word, variables)));
    const fetches = filled.some((words) => words.some((word) => FETCHES.test(word) || word.includes(REMOTE)));
    if (fetches && filled.some(([name = '']) => RUNS_TEXT.test(name))) runner.report(remoteCode, call);
    const [variable, equals, ...value] = filled[0] ?? [];
    if (variable?.startsWith('$') && equals === '=')
      variables.set(variable.toLowerCase(), fetches ? REMOTE : value.join(' '));
    let stdin: string | undefined;
    for (const words of filled)
      stdin = runner.run(words[1] === '=' ? words.slice(2) : words, { ...call, stdin });
  }
  runner.report(DIALECT, { scope, env: new Map(), redirects: [], stdin: undefined, part: source });
}

const FETCHES =
  /^(?:iwr|irm|curl|wget|invoke-webrequest|invoke-restmethod|start-bitstransfer)(?:\.exe)?$|\.download(?:string|data|file)\b/i;
const RUNS_TEXT = /^(?:&|iex|invoke-expression|powershell|pwsh|cmd|bash|sh)(?:\.exe)?$/i;

interface Statement {
  /** What stands between pipes and brackets, as words. */
  readonly commands: readonly (readonly string[])[];
  readonly part: string;
}

function statementsOf(source: string, shell: WindowsShell): readonly Statement[] {
  const statements: Statement[] = [];
  let commands: string[][] = [];
  let words: string[] = [];
  let word: string | undefined;
  let from = 0;
  const endWord = (): void => {
    if (word !== undefined) words.push(word);
    word = undefined;
  };
  const endCommand = (): void => {
    endWord();
    if (words.length > 0) commands.push(words);
    words = [];
  };
  const endStatement = (at: number): void => {
    endCommand();
    if (commands.length > 0) statements.push({ commands, part: source.slice(from, at) });
    commands = [];
    from = at + 1;
  };
  const escaping = shell === 'cmd' ? '^' : '`';
  for (let i = 0; i < source.length; i++) {
    const char = source[i] ?? '';
    if (char === '"' || (char === "'" && shell === 'powershell')) {
      const close = source.indexOf(char, i + 1);
      const end = close === -1 ? source.length : close;
      word = (word ?? '') + source.slice(i + 1, end);
      i = end;
    } else if (char === escaping) word = (word ?? '') + (source[++i] ?? '');
    else if (char === '#' && shell === 'powershell' && word === undefined) {
      const line = source.indexOf('\n', i);
      i = (line === -1 ? source.length : line) - 1;
    } else if (char === '\n' || char === ';' || (char === '&' && (shell === 'cmd' || source[i + 1] === '&')))
      endStatement(i);
    else if ('|(){}'.includes(char)) endCommand();
    else if (/\s/.test(char)) endWord();
    else word = (word ?? '') + char;
  }
  endStatement(source.length);
  return statements;
}

/** Variables that hold a text or the home folder; an expression stays as it is. */
function fill(word: string, variables: ReadonlyMap<string, string>): string {
  return word
    .replace(/\$(?:env:(?:userprofile|home)|home)\b|%(?:userprofile|homepath)%/gi, '~')
    .replace(/\$env:systemroot\b|%(?:systemroot|windir)%/gi, 'C:\\Windows')
    .replace(/\$env:systemdrive\b|%systemdrive%/gi, 'C:')
    .replace(/\$\w+/g, (name) => variables.get(name.toLowerCase()) ?? name);
}
