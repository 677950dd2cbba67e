import { describe, expect, test } from 'vitest';
import { type ModelRequest, type ModelServer, startModelServer, toolResults } from '../../src/index.ts';
import { oneCall, twoCalls } from './fixtures.ts';

/** A framework that uses one of the model server's endpoints. */
export interface Client {
  readonly name: string;
  readonly endpoint: ModelRequest['endpoint'];
  /** The model and settings that it is configured to send. */
  readonly sends: Pick<ModelRequest, 'model' | 'settings'>;
  /** Whether it requests the usage of a streamed answer. Default: yes. */
  readonly streamsUsage?: boolean;
  /** Runs an agent with the instructions 'Be brief.' and a tool `weather`, which returns `sunny in <city>`. */
  readonly run: (server: ModelServer, prompt: string, streaming: boolean) => Promise<Answered>;
}

/** The result of a run. */
interface Answered {
  readonly text: string | undefined;
  /** The usage of the last answer. */
  readonly usage:
    | { readonly inputTokens?: number | undefined; readonly outputTokens?: number | undefined }
    | undefined;
  /** The pieces of a streamed text; empty if it was not streamed. */
  readonly pieces: readonly string[];
}

/** Tests that a framework and the server understand each other. */
export function testClient({ name, endpoint, sends, streamsUsage = true, run }: Client): void {
  describe(`${name} over ${endpoint}`, () => {
    test.each([false, true])('a text answer arrives with its usage (streaming: %s)', async (streaming) => {
      await using server = await startModelServer({
        script: [{ text: 'A somewhat longer answer.', usage: { inputTokens: 7, outputTokens: 3 } }],
      });
      const { text, usage, pieces } = await run(server, 'Hi', streaming);
      expect(text).toBe('A somewhat longer answer.');
      const [inputTokens, outputTokens] = streaming && !streamsUsage ? [] : [7, 3];
      expect([usage?.inputTokens, usage?.outputTokens]).toEqual([inputTokens, outputTokens]);
      if (streaming) {
        expect(pieces.length).toBeGreaterThan(2);
        expect(pieces.join('')).toBe('A somewhat longer answer.');
      }
      expect(server.requests).toMatchObject([
        {
          endpoint,
          ...sends,
          system: 'Be brief.',
          messages: [
            { role: 'system', content: 'Be brief.' },
            { role: 'user', content: 'Hi' },
          ],
          tools: [
            {
              name: 'weather',
              description: 'Tells the weather.',
              parameters: { properties: { city: { type: 'string' } } },
            },
          ],
          stream: streaming,
          turn: 0,
          attempt: 1,
        },
      ]);
    });

    test.each([false, true])('a tool call makes the round trip (streaming: %s)', async (streaming) => {
      await using server = await startModelServer({ script: oneCall });
      expect((await run(server, 'Rome?', streaming)).text).toBe('It is sunny.');
      expect(server.requests.map(({ turn }) => turn)).toEqual([0, 1]);
      expect(server.requests[1]?.messages).toEqual([
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Rome?' },
        {
          role: 'assistant',
          content: '',
          toolCalls: [{ id: 'call_1', name: 'weather', arguments: '{"city":"Rome"}' }],
        },
        { role: 'tool', content: 'sunny in Rome', toolCallId: 'call_1' },
      ]);
    });

    test.each([false, true])(
      'text and parallel tool calls are one turn (streaming: %s)',
      async (streaming) => {
        await using server = await startModelServer({ script: twoCalls });
        // Some frameworks return the text of all turns.
        expect((await run(server, 'Both?', streaming)).text).toMatch(/Both are sunny\.$/);
        expect(server.requests.map(({ turn }) => turn)).toEqual([0, 1]);
        expect(server.requests.map(toolResults)).toEqual([
          {},
          { rome: 'sunny in Rome', oslo: 'sunny in Oslo' },
        ]);
        expect(server.requests[1]?.messages[2]?.content).toBe('I look at both.');
      },
    );

    test('the client throws a failure', async () => {
      await using server = await startModelServer({ script: [] });
      await expect(run(server, 'Hi', false)).rejects.toThrow('The script has no answer for turn 0');
    });
  });
}
