import { measure, report } from '@hooks/testing/bench';
import Emittery from 'emittery';
import { createHooks as createHookable } from 'hookable';
import { AsyncSeriesBailHook, SyncBailHook } from 'tapable';
import {
  BeforeToolCall,
  createHooks,
  type Hooks,
  type Proceed,
  proceed,
  type Session,
} from '../src/index.ts';
import { makeHandlers, patternOf } from './handlers.ts';

const PROCEED = proceed();
const handlers = makeHandlers(10);
// Of two kinds, so that V8 inlines neither into the hand-written loop.
const later = handlers.map((handler, index) =>
  index % 2 === 0
    ? async (call: BeforeToolCall) => handler(call)
    : async (call: BeforeToolCall) => {
        const answer = handler(call);
        return answer;
      },
);

function event(session: Session): BeforeToolCall {
  return {
    type: 'before_tool_call',
    session,
    callId: 'c',
    toolName: 'exec',
    nativeToolName: 'exec',
    input: { command: 'ls' },
  };
}

const large = {
  command: 'ls',
  items: Array.from({ length: 12 }, (_, id) => ({
    id,
    name: `item number ${id}`,
    tags: ['a', 'b'],
    at: '2026-11-22T18:00:00Z',
  })),
};

/** What hooks are shown is copied: this tells what that costs. */
function largeEvent(session: Session): BeforeToolCall {
  return { ...event(session), input: large };
}

async function registry(
  all: readonly ((call: BeforeToolCall) => Proceed | Promise<Proceed>)[],
  options = {},
): Promise<{ hooks: Hooks; session: Session }> {
  const hooks = createHooks({ timeoutMs: Number.POSITIVE_INFINITY, ...options });
  for (const [index, handler] of all.entries()) hooks.on(BeforeToolCall.matching(patternOf(index)), handler);
  const session = hooks.session('bench');
  await session.open();
  return { hooks, session };
}

const repeat = (work: () => unknown) => (times: number) => {
  for (let i = 0; i < times; i++) work();
};
const repeatAwaiting = (work: () => unknown) => async (times: number) => {
  for (let i = 0; i < times; i++) await work();
};

const asking = (hooks: Hooks) => (call: BeforeToolCall) => hooks.dispatch(BeforeToolCall, call);

export async function benchSync(): Promise<void> {
  const { hooks, session } = await registry(handlers);
  const traced = await registry(handlers);
  traced.hooks.trace(() => {});
  const ask = asking(hooks);
  const askTraced = asking(traced.hooks);
  const two = handlers.slice(0, 2);
  const loop = () => {
    const call = event(session);
    for (const handler of two) {
      const answer = handler(call);
      if (answer !== PROCEED) return answer;
    }
    return PROCEED;
  };
  const tapable = new SyncBailHook<[BeforeToolCall], Proceed | undefined>(['call']);
  for (const [index, handler] of two.entries())
    tapable.tap(String(index), (call) => (handler(call) === PROCEED ? undefined : PROCEED));
  const hookable = createHookable();
  for (const handler of two) hookable.hook('call', handler as (...parts: unknown[]) => void);
  const strands = handlers.map((handler, index) => ({
    handler,
    pattern: new RegExp(`^(?:${patternOf(index)})$`),
    priority: index,
  }));
  const sortAndMatch = () => {
    const call = event(session);
    for (const { handler } of strands
      .filter(({ pattern }) => pattern.test(call.toolName))
      .sort((a, b) => b.priority - a.priority))
      handler(call);
  };
  const results = await measure(
    [
      { name: 'hand-written loop over the two', run: repeat(loop) },
      { name: 'dispatch', run: repeat(() => ask(event(session))) },
      { name: 'dispatch, an input of 1 kB in 40 objects', run: repeat(() => ask(largeEvent(session))) },
      { name: 'dispatch, with a trace listener', run: repeat(() => askTraced(event(traced.session))) },
      { name: 'tapable, one hook a tool', run: repeat(() => tapable.call(event(session))) },
      { name: 'hookable, one hook a tool', run: repeat(() => hookable.callHook('call', event(session))) },
      { name: 'sort and match on every call', run: repeat(sortAndMatch) },
    ],
    8_000,
    151,
  );
  report('Ten hooks, two match, synchronous', results, { dispatch: 2 });

  const empty = createHooks();
  const nobody = asking(empty);
  const noMatch = asking(hooks);
  const call = { ...event(session), toolName: 'other' };
  const indirect: readonly ((call: BeforeToolCall) => unknown)[] = [() => PROCEED, () => undefined];
  const none = await measure(
    [
      { name: 'an empty indirect call', run: repeat(() => indirect[0]?.(call)) },
      { name: 'dispatch, no match', run: repeat(() => noMatch(call)) },
      { name: 'dispatch, no hooks', run: repeat(() => nobody(call)) },
    ],
    50_000,
    101,
  );
  report('Nothing applies', none, { 'dispatch, no match': 2 });
}

export async function benchAsync(): Promise<void> {
  const { hooks, session } = await registry(later);
  const bounded = await registry(later, { timeoutMs: 30_000 });
  const ask = asking(hooks);
  const askBounded = asking(bounded.hooks);
  const two = later.slice(0, 2);
  const loop = async () => {
    const call = event(session);
    for (const handler of two) {
      const answer = await handler(call);
      if (answer !== PROCEED) return answer;
    }
    return PROCEED;
  };
  const tapable = new AsyncSeriesBailHook<[BeforeToolCall], Proceed | undefined>(['call']);
  for (const [index, handler] of two.entries())
    tapable.tapPromise(String(index), async (call) =>
      (await handler(call)) === PROCEED ? undefined : PROCEED,
    );
  const hookable = createHookable();
  for (const handler of two) hookable.hook('call', handler as (...parts: unknown[]) => void);
  const emittery = new Emittery<{ call: BeforeToolCall }>();
  for (const handler of two) emittery.on('call', ({ data }) => void handler(data));
  type Next = () => Promise<Proceed>;
  const onion = two.reduceRight<(call: BeforeToolCall) => Promise<Proceed>>(
    (inner, handler) => async (call) => {
      const next: Next = () => inner(call);
      const answer = await handler(call);
      return answer === PROCEED ? next() : answer;
    },
    async () => PROCEED,
  );
  const results = await measure(
    [
      { name: 'hand-written loop that awaits the two', run: repeatAwaiting(loop) },
      { name: 'dispatch', run: repeatAwaiting(() => ask(event(session))) },
      {
        name: 'dispatch, with a timeout on each',
        run: repeatAwaiting(() => askBounded(event(bounded.session))),
      },
      { name: 'onion of middlewares', run: repeatAwaiting(() => onion(event(session))) },
      { name: 'tapable', run: repeatAwaiting(() => tapable.promise(event(session))) },
      { name: 'hookable', run: repeatAwaiting(() => hookable.callHook('call', event(session))) },
      { name: 'emittery', run: repeatAwaiting(() => emittery.emitSerial('call', event(session))) },
    ],
    3_000,
    151,
  );
  report('Ten hooks, two match, each answers with a promise', results, {
    dispatch: 2,
    'dispatch, with a timeout on each': 2.5,
  });
}
