import { forkingFunction, remoteCode } from '../dangers.ts';
import { fileKey } from '../paths/places.ts';
import { UNPACKED } from '../programs/effects.ts';
import { runCode } from './builtins.ts';
import { CONTENT, REMOTE } from './marks.ts';
import type { Call, Runner } from './runner.ts';
import { subshell } from './scope.ts';

/** A script that this command wrote; one that starts itself in the background does so without end. */
export function runFile(
  path: string,
  args: readonly string[],
  call: Call,
  runner: Runner,
  stdin: string | undefined,
): string | undefined {
  if (path.startsWith(CONTENT)) return runCode(path.slice(1), subshell(call.scope), call, runner, stdin);
  // `curl … | xargs bash`: each word of an answer is a script to run.
  if (path === REMOTE) runner.report(remoteCode, call);
  const key = fileKey(path, call.scope.shell.cwd);
  const text = runner.files.get(key);
  if (text === undefined) {
    if (runner.files.has(UNPACKED) && SCRIPT.test(path)) runner.report(remoteCode, call);
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
    shell: { ...shell, owned: false, positional: ['$0', ...args] },
  };
  return runCode(text, scope, call, runner, stdin);
}

/** What is there to be run in an archive, and nowhere in the system. */
const SCRIPT =
  /^(?!\/(?:usr|bin|etc|opt)\/)(?:[\w.@+~-]*\/){1,16}(?:(?:un)?install|setup|bootstrap)(?:\.sh|\.run|\.bin)?$/;

/** Where this command put a program of that name: `~/bin/x`. */
export function installed(program: string, { files }: Runner): string | undefined {
  for (const path of files.keys()) if (path.endsWith(`bin/${program}`)) return path;
  return undefined;
}
