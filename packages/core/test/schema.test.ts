import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openRun } from '../src/adapter/index.ts';
import {
  AfterToolCall,
  BeforeToolCall,
  block,
  createHooks,
  defineEvent,
  type EventPayload,
  HookEvent,
  type Hooks,
  type HooksError,
  modify,
  PermissionRequest,
  proceed,
  requireApproval,
  type StandardSchema,
  type ToolCallOutcome,
} from '../src/index.ts';
import { callTool } from '../src/tool-call/index.ts';

const payment = z.object({ amount: z.number(), to: z.object({ iban: z.string() }).optional() });

const pay = (hooks: Hooks, input: unknown, options = {}): Promise<ToolCallOutcome> =>
  callTool(hooks, { session: hooks.session(), toolName: 'pay', input }, (paid) => paid, options);

describe('a matcher with a schema', () => {
  it('gives the handler the output of the schema, and the tool what the model sent', async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    const schema = z.object({ amount: z.coerce.number(), currency: z.string().default('EUR') });
    const look = ({ input }: { readonly input: z.output<typeof schema> }) => {
      seen.push(input);
      return proceed();
    };
    hooks.on(BeforeToolCall.matching('pay', schema), look);
    hooks.guard(BeforeToolCall.matching('pay', schema), look);
    hooks.observe(BeforeToolCall.matching('pay', schema), look);
    hooks.on(AfterToolCall.matching('pay', schema), look);
    expect(await pay(hooks, { amount: '7' })).toMatchObject({ status: 'ok', output: { amount: '7' } });
    expect(seen).toEqual(Array.from({ length: 4 }, () => ({ amount: 7, currency: 'EUR' })));
  });

  it('answers a call that does not fit as the tool’s own schema would: no hook is asked, nothing runs', async () => {
    const hooks = createHooks();
    const asked: string[] = [];
    hooks.on(BeforeToolCall, () => {
      asked.push('before');
      return proceed();
    });
    hooks.guard(BeforeToolCall.matching('pay', payment), () => block('no'), { id: 'pay-limit' });
    hooks.observe(AfterToolCall, ({ code, ran }) => void asked.push(`after ${code} ${ran}`));
    const outcome = await pay(hooks, { amount: 1, to: { iban: 12 } });
    expect(outcome).toMatchObject({
      status: 'error',
      ran: false,
      code: 'INVALID_INPUT',
      by: 'pay-limit',
      attempts: 0,
    });
    expect((outcome.error as Error).message).toMatch(
      /^The input does not fit the schema of hook "pay-limit": to\.iban: .*expected string/,
    );
    expect(asked).toEqual(['after INVALID_INPUT false']);
  });

  it('does so in a run, too, with hooks of several registries, each by its own name of the tool', async () => {
    const [outer, inner] = [createHooks(), createHooks({ aliases: { pay: 'transfer' } })];
    inner.guard(BeforeToolCall.matching('transfer', payment), () => proceed());
    const run = openRun([{ hooks: outer }, { hooks: inner }]);
    expect(await run.callTool({ toolName: 'pay', input: {} }, () => 'paid')).toMatchObject({
      code: 'INVALID_INPUT',
    });
    expect(await run.callTool({ toolName: 'pay', input: { amount: 1 } }, () => 'paid')).toMatchObject({
      status: 'ok',
    });
  });

  it('leaves the calls of other tools and other agents alone', async () => {
    const hooks = createHooks();
    hooks.guard(BeforeToolCall.matching('refund', payment), () => block('no'));
    hooks.guard(BeforeToolCall.matching('pay', payment), () => block('no'), { agents: 'cashier' });
    expect(await pay(hooks, {})).toMatchObject({ status: 'ok' });
  });

  it('refuses nothing for a hook whose failure is to proceed', async () => {
    const errors: HooksError[] = [];
    const hooks = createHooks({ onError: (error) => errors.push(error) });
    hooks.guard(BeforeToolCall.matching('pay', payment), () => block('no'), { onFailure: 'proceed' });
    expect(await pay(hooks, {})).toMatchObject({ status: 'ok' });
    expect(errors).toMatchObject([{ code: 'INVALID_INPUT' }]);
  });

  it('asks the tool’s own schema first', async () => {
    const hooks = createHooks();
    hooks.guard(BeforeToolCall.matching('pay', payment), () => proceed());
    const error = new TypeError('the framework’s own');
    expect(await pay(hooks, {}, { check: () => ({ message: 'x', error }) })).toMatchObject({ error });
  });

  it('blocks the input of an interceptor that does not fit a guard behind it', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => modify({ input: { amount: 'much' } }));
    hooks.guard(BeforeToolCall.matching('pay', payment), () => proceed(), { id: 'pay-limit' });
    expect(await pay(hooks, { amount: 1 })).toMatchObject({
      status: 'blocked',
      reason: expect.stringMatching(/hook "pay-limit" got an input that does not fit its schema \(amount: /),
    });
  });

  it('does not call an observer with what does not fit', async () => {
    const hooks = createHooks({ onError: (error) => expect(error).toBeUndefined() });
    hooks.observe(BeforeToolCall.matching('pay', payment), () => expect.unreachable());
    hooks.observe(AfterToolCall.matching('pay', payment), () => expect.unreachable());
    expect(await pay(hooks, {})).toMatchObject({ status: 'ok' });
  });

  it('fails a hook on an event after the call, or on one about its approval', async () => {
    const errors: HooksError[] = [];
    const hooks = createHooks({ onError: (error) => errors.push(error) });
    hooks.guard(BeforeToolCall, () => requireApproval('sure?'));
    hooks.on(PermissionRequest.matching('pay', payment), () => expect.unreachable(), { id: 'grants' });
    hooks.on(AfterToolCall.matching('pay', payment), () => expect.unreachable(), { id: 'checks' });
    const outcome = await pay(hooks, {}, { approval: () => ({ decision: 'allow' }) });
    expect(outcome).toMatchObject({ status: 'blocked', ran: true });
    expect(errors.map(({ code, hook }) => [code, hook])).toEqual([
      ['INVALID_INPUT', 'grants'],
      ['INVALID_INPUT', 'checks'],
    ]);
  });

  it('takes schemas that answer with a promise; one that throws fits nothing', async () => {
    const later: StandardSchema<unknown, number> = {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: async (value) =>
          typeof value === 'number'
            ? { value }
            : { issues: [{ message: 'no number', path: [{ key: 'x' }] }] },
      },
    };
    const hooks = createHooks();
    hooks.guard(BeforeToolCall.matching('pay', later), ({ input }) => (input > 5 ? block('no') : proceed()));
    expect(await pay(hooks, 1)).toMatchObject({ status: 'ok' });
    expect(await pay(hooks, 9)).toMatchObject({ status: 'blocked' });
    expect((await pay(hooks, 'x')).error).toMatchObject({ message: expect.stringMatching(/x: no number/) });
    hooks.guard(
      BeforeToolCall.matching(
        'pay',
        z.number().refine(() => {
          throw new Error('a secret');
        }),
      ),
      () => proceed(),
    );
    const thrown = await pay(hooks, 1);
    expect(thrown).toMatchObject({ code: 'INVALID_INPUT', ran: false });
    expect(JSON.stringify(thrown)).not.toContain('a secret');
  });

  it('is an error at registration where it is no schema', () => {
    const hooks = createHooks();
    const point = BeforeToolCall.matching('pay', { type: 'object' } as never);
    expect(() => hooks.on(point, () => proceed())).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringMatching(/Standard Schema/) }),
    );
  });
});

describe('an event with a schema', () => {
  const fields = z.strictObject({ target: z.enum(['staging', 'production']), version: z.string().min(1) });
  type Deploy = EventPayload & z.infer<typeof fields>;
  const Deploy = defineEvent<Deploy>()({
    type: 'acme_deploy',
    permits: ['block', 'modify'],
    modifies: ['version'],
    schema: fields,
    extends: HookEvent,
  });
  const misfit = (text: RegExp) =>
    expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringMatching(text) });

  it('is dispatched where its payload fits, with all that events carry', async () => {
    const hooks = createHooks();
    const session = hooks.session('ops', { principal: { id: 'ann' } });
    hooks.guard(Deploy, ({ target }) => (target === 'production' ? block('no') : proceed()));
    const common = { session, run: 'r', turn: 't', agent: 'a', native: {}, version: '1' };
    expect(await hooks.dispatch(Deploy, { ...common, target: 'staging' })).toEqual(proceed());
    expect(await hooks.dispatch(Deploy, { ...common, target: 'production' })).toMatchObject({
      kind: 'block',
    });
  });

  it('is refused with what does not fit, also where no hook would be asked, and where a run asks', () => {
    const hooks = createHooks();
    const session = hooks.session();
    const wrong = { target: 'prod' as never, version: '1' };
    expect(() => hooks.dispatch(Deploy, { session, ...wrong })).toThrow(
      misfit(/^acme_deploy: target: .*"staging"/),
    );
    expect(() => openRun(hooks).ask(Deploy, wrong)).toThrow(misfit(/^acme_deploy: target: /));
    hooks.guard(Deploy, () => expect.unreachable());
    expect(() => hooks.dispatch(Deploy, { type: 'acme_deploy', session, ...wrong })).toThrow(
      misfit(/^acme_deploy: target: /),
    );
  });

  it('fails the hook whose patch does not fit', async () => {
    const errors: HooksError[] = [];
    const hooks = createHooks({ onError: (error) => errors.push(error) });
    hooks.on(Deploy, () => modify({ version: '' }), { id: 'empties' });
    const decision = await hooks.dispatch(Deploy, {
      session: hooks.session(),
      target: 'staging',
      version: '1',
    });
    expect(decision).toMatchObject({
      kind: 'block',
      reason: expect.stringMatching(
        /hook "empties" returned a Modify that does not fit the event's schema \(version: /,
      ),
    });
    expect(errors.map(({ code }) => code)).toEqual(['INVALID_DECISION']);
  });

  it('hands its schema on to sub-events that have none', () => {
    const Canary = defineEvent<Deploy>()({ type: 'acme_canary', permits: ['block'], extends: Deploy });
    const hooks = createHooks();
    const event = { session: hooks.session(), target: 'staging', version: '' } as const;
    expect(() => hooks.dispatch(Canary, event)).toThrow(misfit(/^acme_canary: version: /));
  });

  it('needs a schema that answers at once', () => {
    const Slow = defineEvent<EventPayload>()({ type: 'acme_slow', schema: fields.refine(async () => true) });
    const hooks = createHooks();
    const event = { session: hooks.session(), target: 'staging', version: '1' };
    expect(() => hooks.dispatch(Slow, event)).toThrow(
      misfit(/^acme_slow: its schema must not be asynchronous/),
    );
    expect(() => defineEvent<EventPayload>()({ type: 'acme_none', schema: {} as never })).toThrow(
      expect.objectContaining({ code: 'INVALID_EVENT', message: expect.stringMatching(/Standard Schema/) }),
    );
  });
});
