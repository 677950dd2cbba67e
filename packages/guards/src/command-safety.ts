import { BeforeToolCall, block, type HookProvider, proceed } from '@hooks/core';
import { type CommandVerdict, checkCommand, commandsOfCall, type Policy, presets } from '@hooks/shell-safety';
import { lookedAt, type ToolArguments, toolPattern, usualCommandTools } from './tool-arguments.ts';

/** Options of {@link commandSafety}. */
export interface CommandSafetyOptions {
  /** Which tools run commands, and the argument that holds the command; {@link usualCommandTools} unless set. */
  readonly tools?: ToolArguments;
  /** What is refused: a preset by name, or a policy of `@hooks/shell-safety`; `recommended` unless set. */
  readonly policy?: keyof typeof presets | Policy;
  /** Let a call pass that is routed to an isolated sandbox (`routeTo` of `@hooks/sandbox`); false unless set. */
  readonly allowWhenIsolated?: boolean;
}

/**
 * Refuses shell commands that cannot be taken back: deleting a root or a home, writing on disks, opening permissions,
 * changing accounts, running code from the network, backdoors, fork bombs, losing work, destroying infrastructure,
 * skipping git hooks, and reading, printing or sending secrets. It guards the input that will really run, after every
 * rewrite, at priority 100.
 *
 * @example
 * ```ts
 * hooks.use(commandSafety());
 * hooks.use(commandSafety({ policy: 'strict', tools: { ...usualCommandTools, my_shell: 'script' } }));
 * ```
 */
export function commandSafety(options: CommandSafetyOptions = {}): HookProvider {
  const { tools = usualCommandTools, allowWhenIsolated = false, policy = 'recommended' } = options;
  const refused = typeof policy === 'string' ? presets[policy] : policy;
  return {
    name: 'command-safety',
    register(hooks) {
      hooks.guard(
        BeforeToolCall.matching(toolPattern(tools)),
        function checkCommands(call) {
          if (allowWhenIsolated && call.execute?.route?.isolated === true) return proceed();
          for (const command of commandsOfCall(lookedAt(tools, call.toolName, call.input), call.input)) {
            const verdict = checkCommand(command, refused);
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
