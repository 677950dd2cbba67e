import { fileKey } from '../paths/places.ts';
import type { Invocation } from '../programs/program.ts';
import { runCode } from './builtins.ts';
import { CONTENT } from './marks.ts';
import { options } from './options.ts';
import type { Call, Runner } from './runner.ts';
import { subshell } from './scope.ts';

/** The commands of a makefile that this command wrote, that is piped in, or that stands in `--eval`. */
export function runMakefile({ args, stdin }: Invocation, call: Call, runner: Runner): undefined {
  const { values } = options(args, ['f', 'file', 'makefile', 'eval', 'E', 'C', 'j', 'I', 'o', 'W']);
  const file = (name: string): string | undefined =>
    name.startsWith(CONTENT) ? name.slice(1) : runner.files.get(fileKey(name, call.scope.shell.cwd));
  const named = values.get('-f') ?? values.get('--file') ?? values.get('--makefile');
  const text =
    values.get('--eval') ??
    (named === '-' ? stdin : named === undefined ? (file('Makefile') ?? file('makefile')) : file(named));
  if (text === undefined) return;
  const recipes = [...text.matchAll(/^\t[-@+]*(.*)$|^[^\t#=\n]{1,200}:[^;=\n]{0,200};[-@+ ]*(.*)$/gm)];
  const commands = recipes.map((match) => match[1] ?? match[2]);
  for (const [, way, path] of text.matchAll(/\$\(file\s*(>>?|<)\s*([^,)]+)/g))
    commands.push(way === '<' ? `cat ${path}` : `echo x ${way} ${path}`);
  runCode(commands.length > 0 ? commands.join('\n') : text, subshell(call.scope), call, runner, undefined);
}
