// What a user's compiler of the oldest supported version must accept, and must not.
import {
  AfterToolCall,
  addContext,
  BeforeToolCall,
  block,
  createHooks,
  defineEvent,
  type EventPayload,
  type HookDecision,
  HookEvent,
  modify,
  proceed,
  requireApproval,
  retry,
  SessionEnd,
  SessionStart,
  type StandardSchema,
  ToolEvent,
  UserPromptSubmit,
} from '@hooks/core';

const hooks = createHooks();

hooks.on(BeforeToolCall, () => proceed());
hooks.on(BeforeToolCall.matching('shell'), async () => block('no'));
hooks.on(BeforeToolCall, () => modify({ input: 1 }));
hooks.on(AfterToolCall, () => retry('again'));
hooks.on(SessionStart, () => addContext('x'));
hooks.on(SessionEnd, () => {});
hooks.guard(BeforeToolCall, () => requireApproval('sure?'));
hooks.observe(ToolEvent, (event) => event.callId.length);

// @ts-expect-error Retry before a tool call
hooks.on(BeforeToolCall, () => retry('again'));
// @ts-expect-error a literal as a decision
hooks.on(BeforeToolCall, () => ({ kind: 'block', reason: 'no' }));
// @ts-expect-error a forgotten return
hooks.on(BeforeToolCall, () => {});
// @ts-expect-error a field that is not modifiable
hooks.on(BeforeToolCall, () => modify({ session: 1 }));
// @ts-expect-error the whole union
hooks.on(BeforeToolCall, (): HookDecision => proceed());
// @ts-expect-error a guard that modifies
hooks.guard(BeforeToolCall, () => modify({ input: 1 }));
// @ts-expect-error a guard where nothing can be blocked
hooks.guard(SessionStart, () => proceed());
// @ts-expect-error a hook on a group
hooks.on(ToolEvent, () => proceed());

const tool = { name: 'exec', func: async (_input: { readonly command: string }) => ({ stdout: '' }) };
hooks.on(AfterToolCall.for(tool), ({ output }) =>
  modify({ output: { stdout: (output?.stdout ?? '').trim() } }),
);
// @ts-expect-error an output that is not the tool's
hooks.on(AfterToolCall.for(tool), () => modify({ output: 1 }));

const amount: StandardSchema<string, number> = {
  '~standard': { version: 1, vendor: 'acme', validate: (value) => ({ value: Number(value) }) },
};
hooks.guard(BeforeToolCall.matching('pay', amount), ({ input }) => (input > 5 ? block('no') : proceed()));
hooks.on(BeforeToolCall.matching('pay', amount), () => modify({ input: '5' }));
// @ts-expect-error an input that the schema does not take
hooks.on(BeforeToolCall.matching('pay', amount), () => modify({ input: 5 }));

interface Deploy extends EventPayload {
  readonly target: string;
}
const Deploy = defineEvent<Deploy>()({
  type: 'acme_deploy',
  permits: ['block', 'modify'],
  modifies: ['target'],
  extends: HookEvent,
});
hooks.on(Deploy, (event) => modify({ target: event.target.trim() }));
// @ts-expect-error not permitted
hooks.on(Deploy, () => retry('again'));
interface Canary extends Deploy {
  readonly share: number;
}
// @ts-expect-error a sub-event must not widen
defineEvent<Canary>()({ type: 'acme_canary', permits: ['retry'], extends: Deploy });

export async function decide(prompt: string): Promise<string> {
  const decision = await hooks.dispatch(UserPromptSubmit, { session: hooks.session(), prompt });
  switch (decision.kind) {
    case 'proceed':
      return prompt;
    case 'modify':
      return decision.patch.prompt ?? prompt;
    case 'block':
      return decision.reason;
    default:
      return decision satisfies never;
  }
}
