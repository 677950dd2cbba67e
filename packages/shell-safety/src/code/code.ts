import { forkingLoop, hiddenCode, printsSecret, remoteCode, sensitiveFile } from '../dangers.ts';
import type { Finding } from '../effect.ts';
import { sensitiveKind } from '../paths/check.ts';
import { normalizePath } from '../paths/normalize.ts';
import type { Invocation, Program } from '../programs/program.ts';
import { checkStatements } from '../rules/infrastructure.ts';
import { OPAQUE, REMOTE } from '../shell/marks.ts';
import { isSecretName } from '../shell/scope.ts';
import { DANGERS, PRINTS, VARIABLE } from './code-patterns.ts';
import { literals, withPathsQuoted, withPathsWrittenOut } from './code-text.ts';
import { judgeFiles, judgeFilesOfStatements } from './files.ts';
import { commandsIn, fetches, runsWhatItLoads, startsWithoutEnd } from './processes.ts';

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
  const code = withPathsWrittenOut(bare ? withPathsQuoted(source) : source);
  const texts = literals(code);
  const paths = texts.filter((text) => text.length < 300 && !/\s/.test(text));
  if (program.forms === 'sql') return judgeFilesOfStatements(code, paths);
  if (printsSecretOf(source)) return printsSecret;
  const flat = code.replaceAll('\\n', '\n');
  const said = `${source}\n${flat}`;
  const danger = DANGERS.find(([, ...signs]) => signs.every((sign) => sign.test(said)));
  if (danger) return danger[0];
  if (runsWhatItLoads(said)) return remoteCode;
  if (startsWithoutEnd(flat)) return forkingLoop;
  const statement = QUERIES.test(code) ? texts.map(checkStatements).find(Boolean) : undefined;
  if (statement) return statement;
  if (fetches(code)) for (const path of paths) if (!/^\w+:/.test(path)) runner.download(path);
  for (const command of commandsIn(bare ? source : code, [...literals(source), ...texts]))
    runner.shell(command);
  return judgeFiles(code, paths);
}

const QUERIES = /(?:execute\w{0,20}|query\w{0,20}|\b(?:raw|exec|run|command))\s?\(/;

/** `console.log(process.env.API_KEY)`, but not whether it is set or how long it is. */
function printsSecretOf(source: string): boolean {
  if (isSecretName(/^\s*process\.env\.(\w{1,80})\s*;?\s*$/.exec(source)?.[1] ?? '')) return true;
  for (const [, before = '', quoted, bare, after = ''] of source.matchAll(PRINTS_VARIABLE))
    if (
      isSecretName(quoted ?? bare ?? '') &&
      !/!!|bool|len\(|\bin\b|typeof|===?/i.test(before) &&
      !/^\s*(?:\?|!==?|===?|is |\.length|\.slice|\.sub|\[)/.test(after)
    )
      return true;
  return false;
}

/** A variable of the environment is printed: what stands between, its name, and what is behind it. */
const PRINTS_VARIABLE = new RegExp(`${PRINTS}([^;\\n]{0,60}?)(?:${VARIABLE})(.{0,24})`, 'g');
