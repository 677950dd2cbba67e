import { BeforeToolCall, block, type HookProvider, proceed } from '@hooks/core';
import { lookedAt, strings, type ToolArguments, toolPattern, usualCommandTools } from '../tool-arguments.ts';
import { checkCommand } from './check.ts';
import type { CommandVerdict } from './verdict.ts';

/** Options of {@link commandSafety}. */
export interface CommandSafetyOptions {
  /** Which tools run commands, and the argument that holds the command; {@link usualCommandTools} unless set. */
  readonly tools?: ToolArguments;
  /** Let a call pass that is routed to an isolated sandbox (`routeTo` of `@hooks/sandbox`); false unless set. */
  readonly allowWhenIsolated?: boolean;
}

/**
 * Refuses shell commands that cannot be taken back: deleting a root or a home, writing on disks, opening permissions,
 * changing accounts, running code from the network, backdoors, fork bombs, skipping git hooks, wiping docker's data and
 * reading files with secrets. It guards the input that will really run, after every rewrite, at priority 100.
 *
 * @example
 * ```ts
 * hooks.use(commandSafety());
 * hooks.use(commandSafety({ tools: { ...usualCommandTools, my_shell: 'script' }, allowWhenIsolated: true }));
 * ```
 */
export function commandSafety(options: CommandSafetyOptions = {}): HookProvider {
  const { tools = usualCommandTools, allowWhenIsolated = false } = options;
  return {
    name: 'command-safety',
    register(hooks) {
      hooks.guard(
        BeforeToolCall.matching(toolPattern(tools)),
        function checkCommands(call) {
          if (allowWhenIsolated && call.execute?.route?.isolated === true) return proceed();
          const commands = commandsOf(lookedAt(tools, call.toolName, call.input));
          for (const command of new Set([...commands, ...withArguments(call.input)])) {
            const verdict = checkCommand(command);
            if (verdict) return block(reasonOf(verdict));
          }
          return proceed();
        },
        { id: 'builtin:command-safety-guard', priority: 100, allowUnknown: true },
      );
    },
  };
}

/** A text is a command; a list of words is one command, as `['bash', '-lc', 'ls']`, and may be one of several. */
function commandsOf(values: readonly unknown[]): string[] {
  return values.flatMap((value) => {
    if (typeof value !== 'object' || value === null) return strings(value);
    const inner = Object.values(value);
    if (!Array.isArray(value)) return [...commandsOf(inner), ...withArguments(value)];
    const words = strings(value);
    const nested = inner.filter((item) => typeof item === 'object');
    return [line(words), ...words.filter((word) => /\s/.test(word)), ...commandsOf(nested)];
  });
}

const ARGUMENTS: readonly string[] = ['args', 'arguments', 'argv', 'parameters', 'params'];

/** `{ command: 'rm', args: ['-rf', '/'] }`: what stands beside arguments is called with them. */
function withArguments(input: unknown): string[] {
  if (typeof input !== 'object' || input === null) return [];
  const fields = Object.entries(input).map(([name, value]) => ({
    isArgument: ARGUMENTS.includes(name),
    text: typeof value === 'string' ? value : line(strings(value)),
  }));
  const given = fields.filter(({ isArgument, text }) => isArgument && text !== '').map(({ text }) => text);
  if (given.length === 0) return [];
  return fields.filter(({ isArgument }) => !isArgument).map(({ text }) => `${text} ${given.join(' ')}`);
}

function line(words: readonly string[]): string {
  return words.map(quote).join(' ');
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

function reasonOf({ rule, part, reason }: CommandVerdict): string {
  return `Blocked (${rule}): \`${part}\`. ${reason}`;
}
