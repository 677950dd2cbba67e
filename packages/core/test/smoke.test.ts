import { expect, it } from 'vitest';
import {
  AfterToolCall,
  addContext,
  BeforeToolCall,
  block,
  callTool,
  createHooks,
  modify,
  proceed,
  recordTraces,
  retry,
} from '../src/index.ts';

it('smoke', async () => {
  const hooks = createHooks();
  const rec = recordTraces();
  hooks.trace(rec.listener);
  hooks.guard(
    BeforeToolCall.matching('exec'),
    (call) => (String(call.input).includes('rm -rf') ? block('no') : proceed()),
    { id: 'g' },
  );
  hooks.on(BeforeToolCall, (call) => modify({ input: `${call.input}!` }), { id: 'm' });
  hooks.on(BeforeToolCall, async () => addContext('hi'), { id: 'c' });
  hooks.on(AfterToolCall, (e) => (e.attempt < 2 ? retry('again') : proceed()), { id: 'r' });
  const session = hooks.session('s');
  const out = await callTool(hooks, { session, toolName: 'exec', input: 'ls' }, (input) => `ran ${input}`);
  expect(out).toMatchObject({ status: 'ok', output: 'ran ls!', attempts: 2, context: ['hi'] });
  const no = await callTool(hooks, { session, toolName: 'exec', input: 'rm -rf' }, (input) => `ran ${input}`);
  expect(no).toMatchObject({ status: 'blocked', ran: false, message: 'no', by: 'g' });
  console.log(rec.lines());
  expect(session.takeContext()).toEqual(['hi']);
});
