import { forkingFunction, remoteCode } from '../dangers.ts';
import { fileKey } from '../paths/places.ts';
import { UNPACKED } from '../programs/effects.ts';
import type { Invocation } from '../programs/program.ts';
import { runCode } from './builtins.ts';
import { contentOf } from './file-content.ts';
import { REMOTE } from './marks.ts';
import { options } from './options.ts';
import type { Call, Runner } from './runner.ts';
import { lookUp, shiftedIn, subshell } from './scope.ts';

/** A script that this command wrote; one that starts itself in the background does so without end. */
export function runFile(
  path: string,
  args: readonly string[],
  call: Call,
  runner: Runner,
  stdin?: string,
): string | undefined {
  // `curl … | xargs bash`: each word of an answer is a script to run.
  if (path === REMOTE) runner.report(remoteCode, call);
  const { cwd } = call.scope.shell;
  const key = fileKey(path, cwd);
  const text = contentOf(path, cwd, runner.files);
  if (text === undefined) {
    if (isUnpacked(key, path, runner)) runner.report(remoteCode, call);
    return undefined;
  }
  const { calls, forked, shell } = call.scope;
  if (calls.includes(key)) {
    if (forked) runner.report(forkingFunction, call);
    return undefined;
  }
  const scope = {
    ...call.scope,
    calls: [...calls, key],
    shell: { ...shell, owned: false, positional: ['$0', ...args], shifted: shiftedIn(call.part, call.scope) },
  };
  return runCode(text, scope, call, runner, stdin);
}

/** Whether a script may come from an unpacked archive or a cloned repository. */
function isUnpacked(key: string, path: string, runner: Runner): boolean {
  const { files } = runner;
  if (!SCRIPT.test(path) && !SCRIPT.test(key)) return false;
  runner.spend(runner.files.size);
  if (files.has(UNPACKED)) return !/(?:run|start)(?:\.sh)?$/.test(path) || path.startsWith('/tmp/');
  return [...files.keys()].some(
    (file) => file.endsWith(UNPACKED) && key.startsWith(`${file.slice(0, -UNPACKED.length)}/`),
  );
}

/** Names of scripts that are there to be run, outside the folders of the system. */
const SCRIPT =
  /^(?!\/(?:usr|bin|etc|opt)\/)(?:[\w.@+~-]*\/){1,16}(?:(?:un)?install|setup|bootstrap|run|start)(?:\.sh|\.run|\.bin)?$/;

/** A program of that name that this command put into a folder of its own `PATH`. */
export function onPath(program: string, { env, scope }: Call, runner: Runner): string | undefined {
  const { files } = runner;
  const path = env.get('PATH') ?? lookUp(scope, 'PATH')?.at(-1);
  if (path === undefined || !files.hasNamed(program) || !runner.spend(4 * path.length)) return undefined;
  const folders = path.split(':');
  return folders
    .map((folder) => `${folder || '.'}/${program}`)
    .find((path) => files.has(fileKey(path, scope.shell.cwd)));
}

/** Where this command put a program of that name: `~/bin/x`. */
export function installed(program: string, runner: Runner): string | undefined {
  if (!runner.files.hasNamed(program)) return undefined;
  runner.spend(runner.files.size);
  for (const path of runner.files.keys()) if (path.endsWith(`bin/${program}`)) return path;
  return undefined;
}

/** The commands of a makefile that this command wrote, that is piped in, or that stands in `--eval`. */
export function runMakefile({ args, stdin, cwd }: Invocation, call: Call, runner: Runner): undefined {
  const { values } = options(args, [
    'f',
    'file',
    'makefile',
    'eval',
    'E',
    'C',
    'directory',
    'j',
    'I',
    'o',
    'W',
  ]);
  const named = values.get('-f') ?? values.get('--file') ?? values.get('--makefile');
  const folder = values.get('-C') ?? values.get('--directory');
  const there = folder === undefined ? cwd : fileKey(folder, cwd) || '.';
  const file = (name: string): string | undefined => contentOf(name, there, runner.files, stdin);
  const text =
    values.get('--eval') ??
    values.get('-E') ??
    (named ? file(named) : MAKEFILES.map(file).find((found) => found !== undefined));
  if (text === undefined) return;
  const recipes = [...text.matchAll(/^\t[-@+]*(.*)$|^[^\t#=\n]{1,200}:[^;=\n]{0,200};[-@+ ]*(.*)$/gm)];
  const commands = recipes.map((match) =>
    (match[1] ?? match[2] ?? '').replace(MAKE_VARIABLE, (_, name: string) => `\${${name}}`),
  );
  for (const [, way, path] of text.matchAll(/\$\(file\s*(>>?|<)\s*([^,)]+)/g))
    commands.push(way === '<' ? `cat ${path}` : `echo x ${way} ${path}`);
  runCode(commands.length > 0 ? commands.join('\n') : text, subshell(call.scope), call, runner);
}

/** `$(HOME)` of make is `${HOME}` of a shell. */
const MAKE_VARIABLE = /\$\((\w+)\)/g;
const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile'];

/** The commands in a file of a task runner; nothing where it is code in another language. */
export function commandsOfRecipe(name: string, text: string): string | undefined {
  if (/\.(?:py|js)$|^(?:Rakefile|SConstruct)$/.test(name)) return undefined;
  if (name === 'Procfile') return text.replace(/^[\w-]+:/gm, '');
  if (!name.endsWith('.json')) return text.replace(AROUND_COMMAND, '');
  const scripts = text.slice(Math.max(0, text.indexOf('"scripts"')));
  return Array.from(scripts.matchAll(/:\s{0,9}"((?:[^"\\\n]|\\.)*)"/g), ([, value = '']) =>
    value.replace(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char)),
  ).join('\n');
}

/** What stands around the commands of a line: `- cmd: x`, `run = "x"`, `\t@x`, `execute_process(COMMAND x)`. */
const AROUND_COMMAND =
  /^[\s[-]*(?:execute_process\(\s*)?(?:(?:cmds?|commands?|run|scripts?|shell|sh|entry|COMMAND)\s*[:=]?\s+)?[@"'[-]*|["'\]),]+$/gm;
