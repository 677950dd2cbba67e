import {
  AfterToolCall,
  BeforeToolCall,
  block,
  createHooks,
  proceed,
  requireApproval,
  ToolApprovalDecision,
} from '@hooks/core';
import { openRun } from '@hooks/core/adapter';
import { describe, expect, test } from 'vitest';

const call = { callId: 'c1', toolName: 'pay', input: { euros: 4 } };
const no = { decision: 'deny', reason: 'Too much.' } as const;

function asking() {
  const hooks = createHooks();
  const events: string[] = [];
  hooks.on(BeforeToolCall, ({ resumed }) => {
    events.push(`asked ${resumed?.decision ?? 'first'}`);
    return resumed === undefined ? requireApproval('It costs money.') : proceed();
  });
  hooks.observe(ToolApprovalDecision, ({ approval }) => void events.push(approval));
  hooks.observe(AfterToolCall, ({ status }) => void events.push(status));
  return { hooks, events };
}

describe('a denied call', () => {
  test('that waits in this process ends, with the reason for the model', async () => {
    const { hooks, events } = asking();
    const run = openRun([{ hooks }]);
    expect(await run.beginTool(call, { approval: 'native', capabilities: { ask: true } })).toMatchObject({
      kind: 'ask',
    });
    expect(await run.denyTool(call, no)).toBe('Too much.');
    expect(events).toEqual(['asked first', 'deny', 'denied']);
    expect(run.pending.get(call)).toBeUndefined();
  });

  test('that began in another process ends, too, and no hook is asked whether it may run', async () => {
    const { hooks, events } = asking();
    const run = openRun([{ hooks }], { sessionId: 's' });
    expect(await run.denyTool(call, no)).toBe('Too much.');
    expect(events).toEqual(['deny', 'denied']);
  });

  test('that nobody gave a reason for is worded by the framework', async () => {
    const { hooks } = asking();
    expect(await openRun([{ hooks }]).denyTool(call, { decision: 'deny' })).toBeUndefined();
  });

  test('ends the run if a hook says so', async () => {
    const { hooks } = asking();
    hooks.on(AfterToolCall, () => block('That is enough.', { stop: true }));
    const run = openRun([{ hooks }]);
    await run.beginTool(call, { approval: 'native', capabilities: { ask: true } });
    expect(await run.denyTool(call, no)).toBe('That is enough.');
    expect(run.stop).toMatchObject({ reason: 'That is enough.' });
  });
});

test('an answered call ends the run if a hook says so', async () => {
  const { hooks } = asking();
  hooks.on(AfterToolCall, () => block('That is enough.', { stop: true }));
  const run = openRun([{ hooks }]);
  await run.beginTool(call, { approval: 'native', capabilities: { ask: true } });
  expect(await run.answerTool('c1', no)).toMatchObject({ kind: 'done' });
  expect(run.stop).toMatchObject({ reason: 'That is enough.' });
});
