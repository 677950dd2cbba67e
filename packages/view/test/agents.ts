import {
  AfterToolCall,
  type Approver,
  addContext,
  BeforeToolCall,
  block,
  createHooks,
  type Hooks,
  modify,
  proceed,
  requireApproval,
  retry,
  Stop,
  TransformToolResult,
  UserPromptSubmit,
} from '@hooks/core';
import { openRun } from '@hooks/core/adapter';
import type { Journal } from '@hooks/journal';

/** Waits. Returns at once, except for screenshots. */
type Work = (ms: number) => Promise<void> | void;

/** The policy of these agents, with a journal of its decisions. */
export function policyWith(log: Journal): Hooks {
  const hooks = createHooks();
  hooks.use({
    name: 'acme',
    register(acme) {
      acme.on(UserPromptSubmit, () => addContext('Amounts are in EUR.'), { id: 'currency' });
      acme.on(
        BeforeToolCall.matching('search_orders'),
        ({ input }) => modify({ input: { ...(input as object), limit: 20, includeArchived: false } }),
        { id: 'search-limits' },
      );
      acme.on(
        BeforeToolCall.matching('refund'),
        ({ input }) =>
          (input as { amount: number }).amount > 100
            ? requireApproval('Refunds over 100 EUR need a person.')
            : proceed({ note: 'below the limit' }),
        { id: 'refund-limit' },
      );
      acme.guard(
        BeforeToolCall.matching('run_shell'),
        ({ input }) =>
          (input as { command: string }).command.includes('rm -rf')
            ? block('Deleting whole folders is not allowed. Name the files to delete.')
            : proceed(),
        { id: 'no-mass-delete', priority: 100 },
      );
      acme.on(
        TransformToolResult,
        ({ output }) =>
          JSON.stringify(output)?.includes('sk-live')
            ? modify({
                output: JSON.parse(JSON.stringify(output).replace(/sk-live-\w+/g, '[redacted:api-key]')),
              })
            : proceed(),
        { id: 'redact-secrets', priority: 100 },
      );
      acme.on(
        AfterToolCall.matching('fetch_rate'),
        ({ status }) => (status === 'error' ? retry('The rate service may be back in a moment.') : proceed()),
        { id: 'retry-flaky' },
      );
      acme.on(Stop, ({ response }) => (response === '' ? retry('Answer the customer.') : proceed()), {
        id: 'answer-the-customer',
      });
    },
  });
  hooks.use(log);
  return hooks;
}

/** The delays of an agent, and its approver. */
export interface Playing {
  readonly sessionId: string;
  readonly agent?: string;
  readonly approval?: Approver;
  readonly work?: Work;
}

const allow: Approver = () => ({ decision: 'allow', source: 'user_approved' });

/** A run with everything: context, a rewritten input, a block, a retry, an approval, a sub-agent, a redacted result. */
export async function playRefund(
  hooks: Hooks,
  { sessionId, agent = 'support', approval = allow, work = () => {} }: Playing,
): Promise<void> {
  const registries = [{ hooks, approval }];
  const run = openRun(registries, {
    sessionId,
    agent,
    principal: { id: 'ann@acme.example', roles: ['support'] },
  });
  await run.begin();
  await run.submit([{ text: 'Refund order 4821, and tell me what went wrong with the delivery.' }]);
  const model = async (text: string, inputTokens: number, ms: number): Promise<void> => {
    await run.startTurn();
    const call = run.modelCall({ model: 'gpt-5', provider: 'openai' });
    await call.prepare(() => ({ messages: [], tools: [] }));
    await work(ms);
    await call.answer(
      () => ({ text, toolCalls: [], usage: { inputTokens, outputTokens: text.length } }),
      (response) => response,
    );
  };
  const tool = (toolName: string, callId: string, input: object, ms: number, output: () => unknown) =>
    run.callTool({ toolName, callId, input }, async () => {
      await work(ms);
      return output();
    });

  await model('I will look up the order.', 812, 340);
  await tool('search_orders', 'call_1', { query: '4821', limit: 500, includeArchived: true }, 60, () => ({
    orders: [{ id: 4821, total: 249.9, currency: 'EUR', status: 'lost', apiKey: 'sk-live-4f1c9d20' }],
  }));
  await tool('run_shell', 'call_2', { command: 'rm -rf /var/cache/orders' }, 0, () => '');
  await model('The order is lost. I ask the carrier.', 1204, 280);
  let attempt = 0;
  await tool('fetch_rate', 'call_3', { from: 'USD', to: 'EUR' }, 90, () => {
    attempt++;
    if (attempt < 2) throw new Error('503 Service Unavailable');
    return { rate: 0.92 };
  });
  await run.callTool({ toolName: 'ask_carrier', callId: 'call_4', input: { order: 4821 } }, async () => {
    const child = run.openChild({ agent: 'carrier-desk', parentCallId: 'call_4' });
    await child.begin();
    await child.startTurn();
    const asked = child.modelCall({ model: 'gpt-5-mini', provider: 'openai' });
    await asked.prepare(() => ({ messages: [], tools: [] }));
    await work(150);
    await asked.answer(
      () => ({ text: 'Tracking the parcel.', toolCalls: [], usage: { inputTokens: 240, outputTokens: 31 } }),
      (response) => response,
    );
    await child.callTool(
      { toolName: 'track_parcel', callId: 'call_5', input: { parcel: 'DE-77' } },
      async () => {
        await work(110);
        return { state: 'lost', depot: 'Leipzig' };
      },
    );
    await child.finished('The parcel was lost in Leipzig.');
    await child.end({ kind: 'done', response: 'The parcel was lost in Leipzig.' });
    return 'The parcel was lost in Leipzig.';
  });
  await model('Now the refund.', 1530, 210);
  await tool('refund', 'call_6', { order: 4821, amount: 249.9, reason: 'lost in transit' }, 130, () => ({
    refund: 're_118',
    state: 'paid',
  }));
  await model('Your refund of 249.90 EUR is on its way.', 1611, 260);
  await run.finished('Your refund of 249.90 EUR is on its way. The parcel was lost in Leipzig.');
  await run.end({ kind: 'done', response: 'Your refund of 249.90 EUR is on its way.' });
  await hooks.session(sessionId).close();
}

/** A short run: one question, one tool call. */
export async function playQuestion(
  hooks: Hooks,
  {
    sessionId,
    agent = 'support',
    approval = allow,
    work = () => {},
    prompt = 'Where is my parcel?',
    toolName = 'search_orders',
    input = { query: prompt },
    fails = false,
  }: Playing & {
    readonly prompt?: string;
    readonly toolName?: string;
    readonly input?: object;
    readonly fails?: boolean;
  },
): Promise<void> {
  const run = openRun([{ hooks, approval }], { sessionId, agent });
  await run.begin();
  await run.submit([{ text: prompt }]);
  await run.startTurn();
  const call = run.modelCall({ model: 'gpt-5-mini', provider: 'openai' });
  await call.prepare(() => ({ messages: [], tools: [] }));
  await work(120);
  await call.answer(
    () => ({ text: 'One moment.', toolCalls: [], usage: { inputTokens: 320, outputTokens: 24 } }),
    (response) => response,
  );
  await run.callTool({ toolName, callId: `${sessionId}-1`, input }, async () => {
    await work(80);
    return { found: 1 };
  });
  if (fails)
    await run.end({ kind: 'error', error: new Error('The model did not answer: 429 Too Many Requests') });
  else {
    await run.finished('Your parcel comes tomorrow.');
    await run.end({ kind: 'done', response: 'Your parcel comes tomorrow.' });
  }
  await hooks.session(sessionId).close();
}
