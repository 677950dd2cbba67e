import {
  AfterToolCall,
  answer,
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

/**
 * Makes the decision that the input or the prompt names, as `<decision> of <moment>` with dashes: all decisions in the
 * agents' table. Every reason and text ends with that name.
 */
const policy: HookProvider = {
  name: 'decides',
  register(hooks) {
    hooks.on(SessionStart, () => modify({ context: ['context of the start'] }));
    hooks.on(
      UserPromptSubmit,
      ({ prompt }) => {
        // Gemini CLI puts the context of the session start before the prompt.
        if (prompt.endsWith('block-of-prompt')) return block('REASON block-of-prompt');
        if (prompt.endsWith('block-stop-of-prompt'))
          return block('REASON block-stop-of-prompt', { stop: true });
        if (prompt.endsWith('prompt-of-prompt')) return modify({ prompt: 'ANOTHER prompt' });
        return modify({ context: ['context of the prompt'] });
      },
      optional,
    );
    hooks.on(BeforeToolCall, ({ input }) => {
      const key = keyOf(input, 'call');
      switch (key) {
        case 'block-of-call':
          return block(`REASON ${key}`);
        case 'block-stop-of-call':
          return block(`REASON ${key}`, { stop: true });
        case 'input-of-call':
          return modify({ input: { ...Object(input), command: 'touch ran-rewritten' } });
        case 'toolName-of-call':
          return modify({ toolName: 'another' });
        case 'execute-of-call':
          return answer('run elsewhere');
        case 'context-of-call':
          return modify({ context: ['context of the call'] });
        case 'require-approval-of-call':
          return requireApproval(`REASON ${key}`);
        case 'grant-approval-of-call':
          return grantApproval(`REASON ${key}`);
        default:
          return proceed();
      }
    });
    hooks.on(
      PermissionRequest,
      ({ input }) => {
        const key = keyOf(input, 'approval');
        if (key === 'block-of-approval') return block(`REASON ${key}`);
        if (key === 'block-stop-of-approval') return block(`REASON ${key}`, { stop: true });
        if (key === 'input-of-approval') return modify({ input: { command: 'ls' } });
        return key === 'grant-approval-of-approval' ? grantApproval(`REASON ${key}`) : proceed();
      },
      optional,
    );
    hooks.on(TransformToolResult, ({ input, status }) => {
      const [result, failed] = [keyOf(input, 'result'), keyOf(input, 'failed')];
      if (result === 'output-of-result' && status === 'ok') return modify({ output: `REPLACED ${result}` });
      if (failed === 'errorMessage-of-failed' && status === 'error')
        return modify({ errorMessage: `REPLACED ${failed}` });
      return proceed();
    });
    hooks.on(AfterToolCall, ({ input, status }) => {
      const key = keyOf(input, status === 'error' ? 'failed' : 'result');
      if (key?.startsWith('block-stop')) return block(`REASON ${key}`, { stop: true });
      if (key?.startsWith('block')) return block(`REASON ${key}`);
      if (key?.startsWith('retry')) return retry(`REASON ${key}`);
      if (key?.startsWith('context')) return modify({ context: [`context of ${key}`] });
      return proceed();
    });
    hooks.on(
      Stop,
      ({ continuations, response }) => {
        if (response.includes('block-of-stop')) return block('REASON block-of-stop');
        return continuations === 0 ? retry('REASON retry-of-stop') : proceed();
      },
      optional,
    );
  },
};

export default policy;

function keyOf(input: unknown, moment: string): string | undefined {
  return new RegExp(`[a-zA-Z-]+-of-${moment}`).exec(JSON.stringify(input))?.[0];
}
