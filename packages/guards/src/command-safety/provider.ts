import { BeforeToolCall, block, type HookProvider, proceed } from '@hooks/core';
import { lookedAt, type ToolArguments, toolPattern, usualCommandTools } from '../tool-arguments.ts';
import { commandsOf, withArguments } from './call-commands.ts';
import { inItsPlace } from './call-place.ts';
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
            const placed = inItsPlace(command, call.input);
            const verdict =
              checkCommand(command) ?? (placed === undefined ? undefined : checkCommand(placed));
            if (verdict) return block(reasonOf(verdict));
          }
          return proceed();
        },
        { id: 'builtin:command-safety-guard', priority: 100, allowUnknown: true },
      );
    },
  };
}

function reasonOf({ rule, part, reason }: CommandVerdict): string {
  return `Blocked (${rule}): \`${part}\`. ${reason}`;
}
