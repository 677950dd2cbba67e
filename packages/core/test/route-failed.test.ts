import { expect, it } from 'vitest';
import {
  AfterToolCall,
  answer,
  BeforeToolCall,
  createHooks,
  HooksError,
  modify,
  proceed,
  TransformToolResult,
} from '../src/index.ts';
import { callTool } from '../src/tool-call/index.ts';

it('a replaced execute that cannot take the call blocks it; the tool does not run instead', async () => {
  const hooks = createHooks();
  hooks.on(BeforeToolCall, () =>
    modify({
      execute: () => {
        throw new HooksError('ROUTE_FAILED', 'No room elsewhere.');
      },
    }),
  );
  let ran = false;
  const call = { session: hooks.session('s'), toolName: 'exec', input: 'ls' };
  const outcome = await callTool(hooks, call, () => {
    ran = true;
  });
  expect(outcome).toMatchObject({ status: 'blocked', ran: false, message: 'No room elsewhere.' });
  expect(ran).toBe(false);
});

it('it left no result: hooks that transform results are not asked', async () => {
  const hooks = createHooks();
  const asked: string[] = [];
  hooks.on(BeforeToolCall, () =>
    modify({ execute: () => Promise.reject(new HooksError('ROUTE_FAILED', 'No room elsewhere.')) }),
  );
  hooks.on(TransformToolResult, ({ type }) => (asked.push(type), proceed()));
  hooks.on(AfterToolCall, ({ type, status, ran }) => (asked.push(`${type} ${status} ${ran}`), proceed()));
  const call = { session: hooks.session('s'), toolName: 'exec', input: 'ls' };
  await callTool(hooks, call, () => 'ran');
  expect(asked).toEqual(['after_tool_call blocked false']);
});

it('of the tool itself, or with another code, it is an error like any other', async () => {
  const thrown = (code: 'ROUTE_FAILED' | 'INVALID_INPUT') => () => {
    throw new HooksError(code, 'No.');
  };
  const hooks = createHooks();
  const call = { session: hooks.session('s'), toolName: 'exec', input: 'ls' };
  expect(await callTool(hooks, call, thrown('ROUTE_FAILED'))).toMatchObject({ status: 'error', ran: true });
  using _routed = hooks.on(BeforeToolCall, () => modify({ execute: thrown('INVALID_INPUT') }));
  expect(await callTool(hooks, call, () => 'ran')).toMatchObject({ status: 'error', ran: true });
});

it('what a replaced execute returns, an error too, is the output', async () => {
  const hooks = createHooks();
  const output = new HooksError('ROUTE_FAILED', 'A text about it.');
  hooks.on(BeforeToolCall, () => answer(output));
  const call = { session: hooks.session('s'), toolName: 'exec', input: 'ls' };
  expect(await callTool(hooks, call, () => 'ran')).toMatchObject({ status: 'ok', output });
});
