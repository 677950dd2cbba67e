import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { hooksFromFlags } from '@hooks/cli';
import { loadHooks } from '@hooks/config';
import { AfterToolCall, BeforeToolCall, type Hooks, modify, proceed, retry } from '@hooks/core';
import { commandSafety, redactSecrets } from '@hooks/guards';
import { routeCommands, type Sandbox } from '@hooks/sandbox';

/** Puts one policy into a registry; the sandbox is where isolated commands run. */
export type Policy = (hooks: Hooks, sandbox: Sandbox) => void | Promise<void>;

/**
 * The one policy of the demo. It knows nothing of any framework; each of its hooks decides one of the situations that
 * the model brings about. Guards of `@hooks/guards` stand beside hooks of its own.
 */
const writtenPolicy: Policy = (hooks, sandbox) => {
  hooks.use(safety());
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
};

/** The policy that the command line asks for: `--policy hooks.yaml`, else the written one; docker-agent's flags add to it. */
export async function policyFrom(args: readonly string[]): Promise<Policy> {
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  const { hooks: flagged, rest } = await hooksFromFlags(args);
  const { values } = parseArgs({ args: [...rest], options: { policy: { type: 'string' } } });
  return async (hooks, sandbox) => {
    if (values.policy === undefined) await writtenPolicy(hooks, sandbox);
    else {
      const builtins = {
        command_safety: safety,
        route_commands: () => routeCommands(sandbox, { tools: 'try_command' }),
      };
      hooks.use(await loadHooks(values.policy, { cwd, trust: true, builtins }));
    }
    hooks.use(flagged);
  };
}

function safety(): ReturnType<typeof commandSafety> {
  return commandSafety({ tools: { run_shell: 'command', try_command: 'command' }, allowWhenIsolated: true });
}
