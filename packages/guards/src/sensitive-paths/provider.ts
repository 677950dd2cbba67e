import { BeforeToolCall, type Block, block, type HookProvider, type Proceed, proceed } from '@hooks/core';
import { checkPath, type Effect, judge, normalizePath, type PathVerdict } from '@hooks/shell-safety';
import { effectsInWorker, effectsOfCall, reasonOf } from '../command-safety.ts';
import { os, runtime } from '../node.ts';
import { type Checks, checkOptions, expression, flag, listOf, whole } from '../options.ts';
import {
  lookedAt,
  patchedFiles,
  pathTexts,
  type ToolArguments,
  toolArguments,
  toolPattern,
  usualCommandTools,
  usualPathTools,
} from '../tool-arguments.ts';
import { versionOf } from '../version.ts';

/** Options of {@link sensitivePaths}. */
export interface SensitivePathsOptions {
  /** Which tools access files, and the arguments that hold paths. Default: {@link usualPathTools}. */
  readonly tools?: ToolArguments;
  /** Paths to let pass besides tests, fixtures and dependencies. Matched against the normalized path. */
  readonly allow?: readonly RegExp[];
  /** Also follow symbolic links on this machine. Default: false. */
  readonly symlinks?: boolean;
  /**
   * Analyzes commands in a worker thread, and refuses a call whose analysis takes longer than so many milliseconds. Needs Node.js.
   * Default: in this thread, where the length of the command bounds the time.
   */
  readonly timeoutMs?: number;
}

const CHECKS: Checks<SensitivePathsOptions> = {
  tools: toolArguments,
  allow: listOf(expression, 'regular expressions, such as [/\\.env\\.ci$/]'),
  symlinks: flag,
  timeoutMs: whole,
};

/**
 * Refuses to read, write or edit files with keys, credentials and logins, however the path is written. What a shell
 * command writes, moves or deletes is judged by the same rules. Guards the final input, after every rewrite, at
 * priority 99.
 *
 * @throws HooksError `CONFIG_INVALID` if an option is unknown or invalid
 * @example
 * ```ts
 * hooks.use(sensitivePaths({ symlinks: true, allow: [/(?:^|\/)\.env\.ci$/] }));
 * ```
 */
export function sensitivePaths(options: SensitivePathsOptions = {}): HookProvider {
  options = checkOptions('sensitivePaths', options, CHECKS);
  const { tools = usualPathTools, allow = [], symlinks = false, timeoutMs } = options;
  if (timeoutMs !== undefined) runtime();
  const verdictOn = (path: string): PathVerdict | undefined => {
    const verdict = checkPath(path) ?? (symlinks ? checkPath(followLinks(path)) : undefined);
    return verdict && allow.some((pattern) => verdict.path.search(pattern) !== -1) ? undefined : verdict;
  };
  const refusalOf = (paths: readonly string[]): Block | undefined => {
    for (const path of paths) {
      if (path.length > MAX_PATH && normalizePath(path).length > MAX_PATH) continue;
      const verdict = verdictOn(path);
      if (verdict) return block(`Blocked (${verdict.rule}): ${normalizePath(path)}. ${verdict.reason}`);
    }
    return undefined;
  };
  return {
    name: 'sensitive-paths',
    version: versionOf(options),
    register(hooks) {
      hooks.guard(
        BeforeToolCall.matching(toolPattern(tools)),
        function checkPaths(call) {
          return refusalOf(lookedAt(tools, call.toolName, call.input).flatMap(pathTexts)) ?? proceed();
        },
        { id: 'builtin:security-audit', priority: 99, allowUnknown: true },
      );
      hooks.guard(
        BeforeToolCall.matching(toolPattern(usualCommandTools)),
        function checkWrites(call) {
          const decide = (effects: readonly Effect[]): Block | Proceed => {
            const unjudged = judge(effects, { refuse: { unjudged: 'high' } });
            return unjudged ? block(reasonOf(unjudged)) : (refusalOf(changedBy(call, effects)) ?? proceed());
          };
          if (timeoutMs === undefined) return decide(effectsOfCall(usualCommandTools, call));
          return effectsInWorker(usualCommandTools, call, { timeoutMs }).then(decide);
        },
        { id: 'builtin:security-audit-commands', priority: 99, allowUnknown: true },
      );
    },
  };
}

/**
 * The files that the commands of a call write, move or delete, and those of the patches in them, in each folder where one
 * of the commands runs.
 */
function changedBy(call: BeforeToolCall, effects: readonly Effect[]): readonly string[] {
  const changed = effects.filter(({ kind }) => kind === 'write' || kind === 'move' || kind === 'delete');
  const texts = lookedAt(usualCommandTools, call.toolName, call.input).flatMap(pathTexts);
  const patched = texts.flatMap(patchedFiles);
  const folders = patched.length === 0 ? [] : [...new Set(effects.map(({ cwd }) => cwd))];
  return [
    ...changed.flatMap(({ path }) => path ?? []),
    ...patched,
    ...folders.flatMap((folder) => patched.map((file) => `${folder}/${file}`)),
  ];
}

/** In a tool with unknown arguments, a text whose normal form exceeds this length is content, not a path. */
const MAX_PATH = 4096;

/** Where a path leads on this machine. If it does not exist, follows its nearest existing folder. */
function followLinks(path: string): string {
  const { basename, dirname, join } = runtime().getBuiltinModule('node:path');
  const { realpathSync } = runtime().getBuiltinModule('node:fs');
  let folder = path.replace(/^~(?=\/|$)/, os().homedir());
  let rest = '';
  for (let i = 0; i < 64; i++) {
    try {
      return join(realpathSync(folder), rest);
    } catch {
      const parent = dirname(folder);
      if (parent === folder) break;
      rest = join(basename(folder), rest);
      folder = parent;
    }
  }
  return path;
}
