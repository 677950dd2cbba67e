import { drawn } from '@hooks/testing/random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AfterModelCall,
  AfterToolCall,
  addContext,
  BeforeModelCall,
  BeforeRun,
  BeforeToolCall,
  createHooks,
  type EventPayload,
  type EventToken,
  HookEvent,
  type Hooks,
  modify,
  PermissionRequest,
  proceed,
  requireApproval,
  retry,
  Stop,
  ToolApprovalDecision,
  TransformToolResult,
  UserPromptSubmit,
} from '../src/index.ts';
import { call } from './support/call.ts';

/** Writes into everything that can be reached from an event; whether any write was refused. */
function overwrite(value: unknown, seen = new Set<unknown>()): boolean {
  if (typeof value !== 'object' || value === null || seen.has(value)) return false;
  seen.add(value);
  let refused = false;
  for (const key of [...Reflect.ownKeys(value), 'added']) {
    // Sessions keep state on purpose; the framework's own objects are passed by reference.
    if (key === 'session' || key === 'native' || key === 'ref') continue;
    const nested = Reflect.get(value, key);
    refused = overwrite(nested, seen) || refused;
    refused = !Reflect.set(value, key, 'overwritten') || refused;
    refused = !Reflect.deleteProperty(value, key) || refused;
  }
  return refused;
}

/** Hooks of every verb that write into what they are given, and answer Proceed. */
function vandalise(hooks: Hooks, points: readonly EventToken<never, never, never>[]): void {
  const spoil = (event: EventPayload) => {
    overwrite(event);
    return proceed();
  };
  for (const point of points as readonly never[]) {
    hooks.on(point, spoil as never, { priority: 1000 });
    hooks.on(point, spoil as never, { priority: -1000 });
  }
  hooks.guard(BeforeToolCall, spoil);
  hooks.guard(AfterToolCall, spoil);
  hooks.guard(PermissionRequest, spoil);
  hooks.observe(HookEvent, (event, decision) => {
    overwrite(event);
    overwrite(decision);
  });
}

const toolEvents = [
  BeforeToolCall,
  PermissionRequest,
  ToolApprovalDecision,
  TransformToolResult,
  AfterToolCall,
] as unknown as readonly EventToken<never, never, never>[];

const json = fc.jsonValue({ maxDepth: 4 });

/** What came of a call: what ran, what the approver was shown, and the outcome. */
async function outcomeOf(spoilt: boolean, input: unknown, output: unknown, patch: unknown, fails: boolean) {
  const hooks = createHooks();
  if (spoilt) vandalise(hooks, toolEvents);
  const replaced = structuredClone(patch);
  hooks.on(BeforeToolCall, () => modify({ input: replaced, context: ['look'] }), { id: 'replace' });
  hooks.on(BeforeToolCall, () => requireApproval('sure?'), { id: 'ask' });
  hooks.on(AfterToolCall, ({ attempt }) => (attempt < 2 ? retry('again') : proceed()), { id: 'again' });
  const ran: unknown[] = [];
  const shown: unknown[] = [];
  const {
    callId: _,
    durationMs: __,
    ...outcome
  } = await call(hooks, {
    input: structuredClone(input),
    approval: (request) => {
      shown.push(request.input);
      overwrite(request.input);
      return { decision: 'allow' };
    },
    execute: (effective) => {
      ran.push(structuredClone(effective));
      // A tool may do with its arguments as it likes.
      overwrite(effective);
      if (fails) throw Object.assign(new Error('boom'), { details: structuredClone(output) });
      return structuredClone(output);
    },
  });
  const error = fails ? String(outcome.error) : undefined;
  return { ran, shown, outcome: { ...outcome, error } };
}

describe('hooks that write into what they are given', () => {
  it('change neither what runs, nor what is approved, nor what comes of a call', async () => {
    await fc.assert(
      fc.asyncProperty(json, json, json, fc.boolean(), async (input, output, patch, fails) => {
        expect(await outcomeOf(true, input, output, patch, fails)).toEqual(
          await outcomeOf(false, input, output, patch, fails),
        );
      }),
      { numRuns: drawn(50) },
    );
  });

  it('change no payload and no patch of any event', async () => {
    const payloads = [
      [UserPromptSubmit, { prompt: 'hi', metadata: { tags: ['a'] }, context: ['x'] }, { prompt: 'ho' }],
      [
        BeforeRun,
        { message: 'hi', metadata: {}, settings: { temperature: 0 } },
        { settings: { maxTokens: 1 } },
      ],
      [
        BeforeModelCall,
        { iteration: 1, messages: [{ role: 'user', text: 'hi' }], tools: [{ name: 'exec' }] },
        { messages: [{ role: 'user', text: 'ho' }] },
      ],
      [
        AfterModelCall,
        {
          iteration: 1,
          attempt: 1,
          response: { text: 'ok', toolCalls: [{ callId: 'c', toolName: 't', input: { a: [1] } }] },
        },
        { response: { text: 'no', toolCalls: [] } },
      ],
    ] as unknown as readonly [EventToken<EventPayload, 'modify', never>, object, object][];
    for (const [token, payload, patch] of payloads) {
      const hooks = createHooks();
      const event = structuredClone(payload);
      const own = structuredClone(patch);
      vandalise(hooks, [token] as never);
      hooks.on(token, (() => modify(own)) as never);
      const decision = await hooks.dispatch(token, { ...event, session: hooks.session('s') } as never);
      await hooks.settled();
      expect(event).toEqual(payload);
      expect(own).toEqual(patch);
      expect(decision).toMatchObject({ kind: 'modify', patch });
    }
  });

  it('in strict code throw, so that a guard that tries fails, and the gate stays closed', async () => {
    const hooks = createHooks();
    hooks.guard(
      BeforeToolCall,
      (event) => {
        (event.input as { command: string }).command = 'ls';
        return proceed();
      },
      { id: 'careless' },
    );
    const outcome = await call(hooks, { input: { command: 'rm' } });
    expect(outcome).toMatchObject({ status: 'blocked', ran: false, by: 'careless' });
  });

  it('reach copies also where data or an error leads back to itself', async () => {
    const hooks = createHooks();
    vandalise(hooks, toolEvents);
    const error = Object.assign(new Error('boom'), { details: {} });
    Object.assign(error.details, { error, cause: error });
    const outcome = await call(hooks, {
      execute: () => {
        throw error;
      },
    });
    expect(outcome).toMatchObject({ status: 'error' });
    expect([outcome.error === error, error.message, error.details]).toEqual([
      true,
      'boom',
      { error, cause: error },
    ]);
  });

  it('of another realm’s objects reach copies only', async () => {
    const { runInNewContext } = await import('node:vm');
    const hooks = createHooks();
    hooks.on(BeforeToolCall, (event) => (overwrite(event), proceed()));
    const input = runInNewContext('({ command: "ls", nested: { list: [1, 2] } })');
    expect((await call(hooks, { input })).output).toEqual({ command: 'ls', nested: { list: [1, 2] } });
  });

  it('and a Modify that its hook changes afterwards is what it was when it was answered', async () => {
    const hooks = createHooks();
    const mine = { command: 'ls' };
    hooks.on(BeforeToolCall, () => modify({ input: mine }));
    hooks.guard(BeforeToolCall, async () => {
      mine.command = 'rm';
      return proceed();
    });
    hooks.on(Stop, () => proceed());
    hooks.on(TransformToolResult, () => addContext('looked'));
    expect((await call(hooks, { input: { command: 'pwd' } })).output).toEqual({ command: 'ls' });
  });

  it('and a patch that cannot be read is a failure of its hook: nothing runs', async () => {
    const hooks = createHooks();
    const patch = Object.defineProperty({}, 'input', {
      enumerable: true,
      get() {
        throw new Error('gone');
      },
    });
    hooks.on(BeforeToolCall, () => modify(patch), { id: 'broken' });
    expect(await call(hooks)).toMatchObject({ status: 'blocked', ran: false, by: 'broken' });
  });
});
