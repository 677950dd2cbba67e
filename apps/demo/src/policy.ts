import { AfterToolCall, BeforeToolCall, type Hooks, modify, proceed, retry } from '@hooks/core';
import { commandSafety, redactSecrets } from '@hooks/guards';
import { routeCommands, type Sandbox } from '@hooks/sandbox';

/**
 * The one policy of the demo. It knows nothing of any framework; each of its hooks decides one of the situations that
 * the model brings about. Guards of `@hooks/guards` stand beside hooks of its own.
 */
export function applyPolicy(hooks: Hooks, sandbox: Sandbox): void {
  hooks.use(
    commandSafety({ tools: { run_shell: 'command', try_command: 'command' }, allowWhenIsolated: true }),
  );
  hooks.use(redactSecrets());
  hooks.use(routeCommands(sandbox, { tools: 'try_command' }));

  hooks.on(
    BeforeToolCall.matching('run_shell'),
    ({ input }) => {
      const { command } = input as { readonly command: string };
      const plain = command.replace(/^(ls|grep)\b(?!.*--color)/, '$1 --color=never');
      return plain === command ? proceed() : modify({ input: { command: plain } });
    },
    { id: 'plain-output' },
  );

  hooks.on(
    AfterToolCall.matching('fetch_url'),
    ({ status }) =>
      status === 'error' ? retry('The server may be back in a moment.', { delayMs: 10 }) : proceed(),
    { id: 'retry-flaky' },
  );
}
