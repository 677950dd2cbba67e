import { AfterToolCall, block, modify, TransformToolResult } from '@hooks/core';
import { expect } from 'vitest';
import { findText } from '../leak.ts';
import { can } from '../need.ts';
import type { Family } from '../scenario.ts';
import type { Actor, Played, Stage } from '../stage.ts';
import { askWeather, expectAnswered, outOfOrder } from './script.ts';

const secret = 'sk-tangerine-0123456789';

/** A redacted text does not occur anywhere. */
export const redaction: Family = {
  name: 'redaction',
  scenarios: [
    {
      rule: 'an output replaced on TransformToolResult is hidden from models, streams, events, hooks and memory',
      needs: [can(TransformToolResult, 'modify.output')],
      async play(stage) {
        stage.hooks.on(TransformToolResult, () => modify({ output: 'the key is [redacted]' }));
        await expectNothingLeaks(stage);
      },
    },
    {
      rule: 'an output replaced on AfterToolCall is hidden from models, streams, events and memory',
      needs: [can(AfterToolCall, 'modify.output')],
      async play(stage) {
        stage.hooks.on(AfterToolCall, () => modify({ output: 'the key is [redacted]' }));
        await expectNothingLeaks(stage);
      },
    },
    {
      rule: 'an output withheld by Block on AfterToolCall is hidden from models, streams, events and memory',
      needs: [can(AfterToolCall, 'block')],
      async play(stage) {
        stage.hooks.on(AfterToolCall, () => block('the key is [redacted]'));
        await expectNothingLeaks(stage);
      },
    },
    {
      rule: 'an output whose TransformToolResult hook throws is hidden from models, streams, events and memory',
      needs: [can(TransformToolResult)],
      async play(stage) {
        stage.hooks.on(TransformToolResult, outOfOrder, { id: '[redacted]' });
        await expectNothingLeaks(stage);
      },
    },
    {
      rule: 'an error message replaced on TransformToolResult is hidden from models, streams, events and memory',
      needs: [can(TransformToolResult, 'modify.errorMessage')],
      async play(stage) {
        stage.hooks.on(TransformToolResult, () => modify({ errorMessage: 'the key is [redacted]' }));
        await expectNoErrorLeaks(stage);
      },
    },
    {
      rule: 'an error withheld by Block on AfterToolCall is hidden from models, streams, events and memory',
      needs: [can(AfterToolCall, 'block')],
      async play(stage) {
        stage.hooks.on(AfterToolCall, () => block('the key is [redacted]'));
        await expectNoErrorLeaks(stage);
      },
    },
  ],
};

async function expectNothingLeaks(stage: Stage): Promise<void> {
  const events = stage.events();
  const tool = stage.tool('weather', () => `the key is ${secret}`);
  for (const form of stage.forms()) {
    const actor = await stage.agent(askWeather, { tools: [tool] });
    const played = await actor.run({ session: 's1', ...form });
    expectAnswered(played);
    expect(played.read['c1']).toContain('[redacted]');
    await expectNowhere(actor, played);
  }
  const ended = events.filter(({ type }) => type === 'after_tool_call');
  if (stage.hooks.get(TransformToolResult).some(({ verb }) => verb === 'on')) {
    expect(findText(ended, secret, 'AfterToolCall')).toBeUndefined();
  }
}

async function expectNoErrorLeaks(stage: Stage): Promise<void> {
  const tool = stage.tool('weather', () => {
    throw new Error(`Wrong key: ${secret}`);
  });
  for (const form of stage.forms()) {
    const actor = await stage.agent(askWeather, { tools: [tool] });
    const played = await actor.run({ session: 's1', ...form });
    expectAnswered(played);
    await expectNowhere(actor, played);
  }
}

async function expectNowhere({ server, agent }: Actor, { result }: Played): Promise<void> {
  expect(findText(server.requests, secret), 'model').toBeUndefined();
  expect(findText(result, secret), 'result and streams').toBeUndefined();
  expect(findText(await agent.stored('s1'), secret), 'memory').toBeUndefined();
}
