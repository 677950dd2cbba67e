import { AfterToolCall, block, createHooks, type Hooks, modify, TransformToolResult } from '@hooks/core';
import { Agent } from '@mastra/core/agent';
import { describe, expect, test } from 'vitest';
import { hookedAgent } from '../src/index.ts';
import { modelOf, quiet, runAgent, serve } from './fixtures.ts';

describe.each([false, true])(
  'the result of a sub-agent, given to another by reference (streamed: %s)',
  (streaming) => {
    /** What the second sub-agent was told. */
    const told = async (hooks: Hooks): Promise<string> => {
      await using server = await serve(({ messages, turn }) => {
        const text = JSON.stringify(messages);
        if (text.includes('You look.')) return { text: 'a secret' };
        if (text.includes('You tell.') || turn === 2) return { text: 'Done.' };
        const prompt = { prompt: 'Go on.', ...(turn === 1 && { contextFromRefs: ['first-1'] }) };
        return {
          toolCalls: [
            { id: `c${turn}`, name: turn === 0 ? 'agent-first' : 'agent-second', arguments: prompt },
          ],
        };
      });
      const make = (id: string, instructions: string) =>
        quiet(new Agent({ id, name: id, description: id, instructions, model: modelOf(server) }));
      const agents = { first: make('first', 'You look.'), second: make('second', 'You tell.') };
      const config = { id: 'lead', name: 'lead', instructions: '', model: modelOf(server), agents };
      const lead = quiet(hookedAgent(config, hooks));
      await runAgent(lead, 'Go', streaming, { delegation: { enableResultReferences: true } });
      const requests = server.requests.map(({ messages }) => JSON.stringify(messages));
      return requests.find((text) => text.includes('You tell.')) ?? '';
    };

    test('is not given where hooks may change or refuse it', async () => {
      const changing = createHooks();
      changing.on(TransformToolResult, () => modify({ output: { text: 'redacted' } }));
      expect(await told(changing)).not.toContain('a secret');
      const refusing = createHooks();
      refusing.on(AfterToolCall.matching('agent-first'), () => block('Not this.'));
      expect(await told(refusing)).not.toContain('a secret');
    });

    test('is given where hooks only look, or are about another tool', async () => {
      const hooks = createHooks();
      hooks.observe(AfterToolCall, () => {});
      hooks.on(TransformToolResult.matching('look'), () => modify({ output: 'redacted' }));
      expect(await told(hooks)).toContain('a secret');
    });
  },
);
