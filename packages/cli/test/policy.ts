import {
  AfterToolCall,
  BeforeToolCall,
  block,
  grantApproval,
  type HookProvider,
  modify,
  PermissionRequest,
  proceed,
  requireApproval,
  retry,
  SessionStart,
  Stop,
  TransformToolResult,
  UserPromptSubmit,
} from '@hooks/core';

/** Not every agent reports these. */
const optional = { optional: true };

/** The policy that the tests run as a hook of each command-line agent. */
const policy: HookProvider = {
  name: 'policy',
  register(hooks) {
    hooks.on(SessionStart, () => modify({ context: ['be careful'] }));
    hooks.on(
      UserPromptSubmit,
      ({ prompt }) => (prompt.includes('secret') ? block('no secrets') : modify({ context: ['noted'] })),
      optional,
    );
    hooks.on(BeforeToolCall, ({ input }) => {
      const text = textOf(input);
      if (text.includes('rm -rf')) return block('rm is not allowed');
      if (text.includes('shutdown')) return block('that ends it', { stop: true });
      if (text.includes('deploy')) return requireApproval('a person has to agree');
      if (text.includes('"drop"')) return modify({ input: { command: 'ls' } });
      if (text.includes('"ls"')) return modify({ input: { ...Object(input), command: 'ls --color=never' } });
      return text.includes('rename') ? modify({ toolName: 'other' }) : proceed();
    });
    hooks.on(
      PermissionRequest,
      ({ input }) => {
        const text = textOf(input);
        if (text.includes('rm -rf')) return block('rm is not allowed');
        return text.includes('status') ? grantApproval('it only looks') : proceed();
      },
      optional,
    );
    hooks.on(TransformToolResult, ({ output }) =>
      textOf(output).includes('sk-') ? modify({ output: 'scrubbed' }) : proceed(),
    );
    hooks.on(AfterToolCall, ({ output }) =>
      textOf(output).includes('leak') ? block('that leaks') : proceed(),
    );
    hooks.on(
      Stop,
      ({ continuations, response }) => {
        if (response.trim() === 'the end') return block('that ends it');
        return continuations === 0 ? retry('run the tests') : proceed();
      },
      optional,
    );
  },
};

export default policy;

function textOf(value: unknown): string {
  return JSON.stringify(value) ?? '';
}
