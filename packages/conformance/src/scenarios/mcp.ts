import { BeforeToolCall, block, modify, TransformToolResult } from '@hooks/core';
import { expect } from 'vitest';
import { findText } from '../leak.ts';
import type { Script } from '../model-server/index.ts';
import { can, reaches } from '../need.ts';
import type { Family } from '../scenario.ts';
import type { Actor, Cast, Stage } from '../stage.ts';
import { call, expectAnswered } from './script.ts';

const secret = 'sk-tangerine-0123456789';

/** Tools of an MCP server in its own process, over stdio. */
export const mcp: Family = {
  name: 'tools of an MCP server',
  scenarios: [
    {
      rule: 'Block keeps the call from the server, and the model reads the reason',
      needs: [reaches(BeforeToolCall, 'mcp'), can(BeforeToolCall, 'block')],
      async play(stage) {
        stage.hooks.on(BeforeToolCall.matching('.*weather'), () => block('No forecasts today.'));
        const { actor, asked } = await withServer(stage);
        const played = await actor.run();
        expectAnswered(played);
        expect(await asked()).toEqual([]);
        expect(played.read).toEqual({ c1: 'No forecasts today.' });
      },
    },
    {
      rule: 'Modify of input reaches the server, and an input that does not fit its schema does not',
      needs: [reaches(BeforeToolCall, 'mcp'), can(BeforeToolCall, 'modify.input')],
      async play(stage) {
        stage.hooks.on(BeforeToolCall, ({ callId }) =>
          modify({ input: { city: callId === 'c1' ? 'Oslo' : 42 } }),
        );
        const { actor, asked } = await withServer(stage, {}, ['c1', 'c2']);
        const played = await actor.run();
        expectAnswered(played);
        expect(await asked()).toEqual(['Oslo']);
        expect(played.read['c1']).toContain('sunny in Oslo');
        expect(played.read['c2']).toMatch(/input does not fit the schema/);
      },
    },
    {
      rule: 'Modify of output hides the original from models, streams, events and memory',
      needs: [reaches(TransformToolResult, 'mcp'), can(TransformToolResult, 'modify.output')],
      async play(stage) {
        stage.hooks.on(TransformToolResult, ({ output }) => modify({ output: redacted(output) }));
        const { actor, asked } = await withServer(stage, { answer: `the key of {city} is ${secret}` });
        const played = await actor.run({ session: 's1' });
        expectAnswered(played);
        expect(await asked()).toEqual(['Rome']);
        expect(played.read['c1']).toContain('the key of Rome is [redacted]');
        expect(findText(actor.server.requests, secret), 'model').toBeUndefined();
        expect(findText(played.result, secret), 'result and streams').toBeUndefined();
        expect(findText(await actor.agent.stored('s1'), secret), 'memory').toBeUndefined();
      },
    },
  ],
};

/** An agent whose only tool is the server's, and whose model calls it once per id. */
async function withServer(
  stage: Stage,
  { answer, ...cast }: Cast & { readonly answer?: string } = {},
  ids: readonly string[] = ['c1'],
): Promise<{ readonly actor: Actor; readonly asked: () => Promise<readonly string[]> }> {
  const { spec, asked } = await stage.mcpServer('weather', answer);
  const script: Script = ({ turn, tools }) => {
    const name = tools.find((tool) => tool.name.includes('weather'))?.name ?? 'weather';
    return turn === 0 ? { toolCalls: ids.map((id) => call(id, name, 'Rome')) } : { text: 'Done.' };
  };
  return { actor: await stage.agent(script, { tools: [], mcpServers: [spec], ...cast }), asked };
}

/** The output without the secret, whatever its shape in this framework. */
function redacted(output: unknown): unknown {
  return JSON.parse(JSON.stringify(output).replaceAll(secret, '[redacted]'));
}
