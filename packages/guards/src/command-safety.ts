import { BeforeToolCall, type Block, block, type HookProvider, type Proceed, proceed } from '@hooks/core';
import {
  type AnalyzeOptions,
  analyzeCall,
  type CommandVerdict,
  type Context,
  type Effect,
  judge,
  type Policy,
  presets,
} from '@hooks/shell-safety';
import type { WorkerOptions } from '@hooks/shell-safety/worker';
import { git } from './git.ts';
import { os, path, runtime } from './node.ts';
import { type Checks, callback, checkOptions, fields, flag, needed, oneOf, text, whole } from './options.ts';
import {
  lookedAt,
  type ToolArguments,
  toolArguments,
  toolPattern,
  usualCommandTools,
} from './tool-arguments.ts';
import { versionOf } from './version.ts';

/** Options of {@link commandSafety}. */
export interface CommandSafetyOptions {
  /** Which tools run commands, and the argument that holds the command. Default: {@link usualCommandTools}. */
  readonly tools?: ToolArguments;
  /** What to refuse: the name of a preset, or a policy of `@hooks/shell-safety`. Default: `recommended`. */
  readonly policy?: keyof typeof presets | Policy;
  /**
   * The folder in which commands start. Commands that delete folders outside of it are refused. If its git working tree
   * is clean, `git reset --hard` and similar commands pass; `isClean` of a policy decides instead.
   */
  readonly workingTree?: string;
  /**
   * The kind of machine that commands run on: a person's `workstation`, a `container` or a `ci` runner. On machines that are
   * thrown away, commands that break only the machine pass. Default: `workstation`.
   */
  readonly context?: Context;
  /**
   * Analyzes commands in a worker thread, and refuses a call whose analysis takes longer than so many milliseconds. Needs Node.js.
   * Default: in this thread, where the length of the command bounds the time.
   */
  readonly timeoutMs?: number;
  /** Lets calls pass that are routed to an isolated sandbox (`routeTo` of `@hooks/sandbox`). Default: false. */
  readonly allowWhenIsolated?: boolean;
}

type ToolCall = Pick<BeforeToolCall, 'toolName' | 'input'>;

interface ShellTexts {
  readonly texts: readonly unknown[];
  readonly shell: NonNullable<AnalyzeOptions['shell']>;
}

const severity = oneOf('low', 'medium', 'high', 'critical');

const policyFields = fields<Policy>({
  refuse: needed(
    fields<Policy['refuse']>({
      filesystem: severity,
      device: severity,
      permission: severity,
      'system-file': severity,
      'remote-code': severity,
      backdoor: severity,
      persistence: severity,
      'fork-bomb': severity,
      'git-hooks': severity,
      docker: severity,
      'sensitive-file': severity,
      'secret-output': severity,
      'lost-work': severity,
      infrastructure: severity,
      unjudged: severity,
    }),
  ),
  isClean: callback,
});

const presetName = oneOf(...Object.keys(presets));

const CHECKS: Checks<CommandSafetyOptions> = {
  tools: toolArguments,
  policy: (value, path) => (typeof value === 'object' ? policyFields : presetName)(value, path),
  workingTree: text,
  context: oneOf('workstation', 'container', 'ci'),
  timeoutMs: whole,
  allowWhenIsolated: flag,
};

/**
 * Refuses shell commands that cannot be undone: deleting a root or a home, writing on disks, opening permissions,
 * changing accounts, running code from the network, backdoors, fork bombs, losing work, destroying infrastructure,
 * skipping git hooks, and reading, printing or sending secrets. It guards the final input, after every rewrite, at
 * priority 100.
 *
 * @throws HooksError `CONFIG_INVALID` if an option is unknown, invalid, or refuses nothing
 * @example
 * ```ts
 * hooks.use(commandSafety());
 * hooks.use(commandSafety({ policy: 'strict', tools: { ...usualCommandTools, my_shell: 'script' } }));
 * ```
 */
export function commandSafety(options: CommandSafetyOptions = {}): HookProvider {
  options = checkOptions('commandSafety', options, CHECKS);
  const {
    tools = usualCommandTools,
    allowWhenIsolated = false,
    policy = 'recommended',
    workingTree,
    context,
    timeoutMs,
  } = options;
  if (timeoutMs !== undefined) runtime();
  const cwd = workingTree === undefined ? undefined : path().resolve(workingTree);
  const where: AnalyzeOptions = {
    ...(cwd !== undefined && { cwd }),
    ...(context !== undefined && { context }),
  };
  const refused = typeof policy === 'string' ? presets[policy] : policy;
  const decide = (effects: readonly Effect[]): Block | Proceed | Promise<Block | Proceed> => {
    const asksGit = workingTree !== undefined && refused.isClean === undefined;
    const folders = asksGit ? resetIn(effects) : [];
    if (folders.length === 0) return decisionOf(judge(effects, refused));
    return cleanOf(folders, workingTree).then((clean) =>
      decisionOf(judge(effects, { ...refused, isClean: (folder) => clean.has(folder) })),
    );
  };
  return {
    name: 'command-safety',
    version: versionOf(options, refused),
    register(hooks) {
      hooks.guard(
        BeforeToolCall.matching(toolPattern(tools)),
        function checkCommands(call) {
          if (allowWhenIsolated && call.execute?.route?.isolated === true) return proceed();
          if (timeoutMs === undefined) return decide(effectsOfCall(tools, call, where));
          return effectsInWorker(tools, call, { ...where, timeoutMs }).then(decide);
        },
        { id: 'builtin:command-safety-guard', priority: 100, allowUnknown: true },
      );
    },
  };
}

/** What the commands and the code of a call would do. */
export function effectsOfCall(
  tools: ToolArguments,
  call: ToolCall,
  where: AnalyzeOptions = {},
): readonly Effect[] {
  return textsOf(tools, call).flatMap(
    ({ texts, shell }) => analyzeCall(texts, call.input, { ...where, shell }).effects,
  );
}

/** The same, analyzed in a worker thread. */
export async function effectsInWorker(
  tools: ToolArguments,
  call: ToolCall,
  where: WorkerOptions,
): Promise<readonly Effect[]> {
  const { analyzeCallInWorker } = await import('@hooks/shell-safety/worker');
  const analyses = textsOf(tools, call).map(({ texts, shell }) =>
    analyzeCallInWorker(texts, call.input, { ...where, shell }),
  );
  return (await Promise.all(analyses)).flatMap(({ effects }) => effects);
}

/** The commands and the code of a call, by the shells that may run them. */
function textsOf(tools: ToolArguments, { toolName, input }: ToolCall): readonly ShellTexts[] {
  const values = lookedAt(tools, toolName, input);
  return languagesOf(toolName, input).map((language) => ({
    texts: values.map((value) => asCommand(value, language)),
    shell: shellOf(language),
  }));
}

function decisionOf(verdict: CommandVerdict | undefined): Block | Proceed {
  return verdict ? block(reasonOf(verdict)) : proceed();
}

/** The folders in which the command would discard uncommitted changes. */
function resetIn(effects: readonly Effect[]): readonly string[] {
  return effects.flatMap(({ danger, cwd }) => (danger?.rule === 'lost-work/discard' ? cwd : []));
}

/** The folders whose working tree has no uncommitted changes. */
async function cleanOf(folders: readonly string[], start = '.'): Promise<ReadonlySet<string>> {
  const clean = new Set<string>();
  for (const folder of new Set(folders)) {
    const cwd = path().resolve(start, folder.replace(/^~(?=\/|$)/, os().homedir()));
    if ((await git(['status', '--porcelain'], { cwd })) === '') clean.add(folder);
  }
  return clean;
}

type Language = 'posix' | 'powershell' | 'cmd' | 'python3';

/**
 * The languages of a tool's text: by the tool's name, and by the shell that the input names. A model writes the input, and a
 * tool may ignore that field, so the text must be harmless in both.
 */
function languagesOf(toolName: string, input: unknown): readonly Language[] {
  const named: unknown =
    typeof input === 'object' && input !== null ? Reflect.get(input, 'shell') : undefined;
  const languages = [languageOf(toolName)];
  if (typeof named === 'string' && named !== '') languages.push(languageOf(named));
  return [...new Set(languages)];
}

function languageOf(name: string): Language {
  return LANGUAGES.find(([pattern]) => pattern.test(name))?.[1] ?? 'posix';
}

const LANGUAGES: readonly (readonly [RegExp, Language])[] = [
  [/power_?shell|pwsh/i, 'powershell'],
  [/(?:^|[^a-z])(?:cmd(?:\.exe)?|command_?prompt)$/i, 'cmd'],
  [/(?:^|[^a-z])python3?(?:[^a-z]|$)/i, 'python3'],
];

function shellOf(language: Language): NonNullable<AnalyzeOptions['shell']> {
  return language === 'python3' ? 'posix' : language;
}

/** Code of another language, as the command that runs it. */
function asCommand(value: unknown, language: Language): unknown {
  if (language !== 'python3' || typeof value !== 'string') return value;
  return `python3 -c '${value.replaceAll("'", "'\\''")}'`;
}

/** The reason that the model reads. */
export function reasonOf({ rule, part, reason }: CommandVerdict): string {
  return `Blocked (${rule}): \`${part}\`. ${reason}`;
}
