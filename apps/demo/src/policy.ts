import {
  AfterToolCall,
  BeforeToolCall,
  block,
  type HookProvider,
  modify,
  proceed,
  retry,
  TransformToolResult,
} from '@hooks/core';

/**
 * The one policy of the demo. It knows nothing of any framework; each of its hooks decides one of the situations that
 * the model brings about.
 */
export const policy: HookProvider = {
  name: 'policy',
  register(hooks) {
    hooks.guard(
      BeforeToolCall.matching('run_shell'),
      ({ input }) =>
        /\brm\s+-\w*[rf]\w*\s+("?\$HOME|~|\/|\*)/.test(commandOf(input))
          ? block('This deletes everything. Name the folder that you want to delete.')
          : proceed(),
      { id: 'no-destruction', priority: 100 },
    );

    hooks.on(
      BeforeToolCall.matching('run_shell'),
      ({ input }) => {
        const command = commandOf(input);
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

    hooks.on(
      TransformToolResult,
      ({ output }) => {
        if (typeof output !== 'string') return proceed();
        const redacted = output.replace(/sk-[A-Za-z0-9]{16,}/g, 'sk-[REDACTED]');
        return redacted === output ? proceed() : modify({ output: redacted });
      },
      { id: 'redact-secrets', priority: 50 },
    );
  },
};

function commandOf(input: unknown): string {
  return String((input as { readonly command?: unknown }).command ?? '');
}
