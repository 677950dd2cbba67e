import { describe, expect, test } from 'vitest';
import { inOrder, type Script, startModelServer } from '../../src/index.ts';
import { clientOf, gate } from './fixtures.ts';

describe('A script', () => {
  test.each<[string, Script, string]>([
    ['has no answer', () => undefined, 'The script has no answer for turn 0'],
    ['throws', () => Promise.reject(new Error('I am lost')), 'The script failed: Error: I am lost'],
    ['says nothing', () => ({}), "The script's answer has neither text, toolCalls nor status."],
    [
      'fails with a success',
      () => ({ status: 200, error: '' }),
      'status 200; a failure has one from 400 to 599',
    ],
  ])('that %s gives a 400 that the client shows', async (_, script, message) => {
    await using server = await startModelServer({ script });
    const asked = clientOf(server).responses.create({ model: 'm', input: 'Hi' });
    await expect(asked).rejects.toThrow(message);
    await expect(asked).rejects.toMatchObject({ status: 400 });
  });

  test('sends malformed arguments unchanged', async () => {
    await using server = await startModelServer({
      script: [{ toolCalls: [{ name: 'look', arguments: '{"at":' }] }],
    });
    const { output } = await clientOf(server).responses.create({ model: 'm', input: 'Hi' });
    expect(output).toMatchObject([{ arguments: '{"at":' }]);
  });

  test('may answer late without delaying other conversations', async () => {
    const slowly = gate<void>();
    await using server = await startModelServer({
      script: async ({ messages }) => {
        const asked = messages.at(-1)?.content;
        if (asked === 'slow') await slowly.promise;
        return { text: `${asked} answered` };
      },
    });
    const ask = async (input: string) =>
      (await clientOf(server).responses.create({ model: 'm', input })).output_text;
    const slow = ask('slow');
    expect(await ask('quick')).toBe('quick answered');
    slowly.open();
    expect(await slow).toBe('slow answered');
  });

  test('made by inOrder gives each conversation its own next answer and does not count failures', async () => {
    const script = inOrder([
      { text: 'one' },
      { status: 503, error: 'Busy.' },
      ({ model }) => ({ text: `two for ${model}` }),
    ]);
    await using server = await startModelServer({ script });
    const { chat } = clientOf(server);
    const say = async (model: string, ...said: string[]) => {
      const messages = said.map(
        (content, index) => ({ role: index % 2 ? 'assistant' : 'user', content }) as const,
      );
      return (await chat.completions.create({ model, messages })).choices[0]?.message.content;
    };
    expect(await say('a', 'Hi')).toBe('one');
    expect(await say('b', 'Hi')).toBe('one');
    await expect(say('a', 'Hi', 'one', 'More')).rejects.toMatchObject({ status: 503, message: '503 Busy.' });
    expect(await say('a', 'Hi', 'one', 'More')).toBe('two for a');
    await expect(say('b', 'Hi', 'one', 'More')).rejects.toMatchObject({ status: 503 });
    await expect(say('b', 'Hi', 'one', 'More', 'two', 'More')).rejects.toThrow('no answer for turn 2');
  });
});

test('closing the server ends pending requests', async () => {
  const asked = gate<void>();
  const server = await startModelServer({
    script: () => {
      asked.open();
      return new Promise(() => {});
    },
  });
  const waiting = clientOf(server).responses.create({ model: 'm', input: 'Hi' });
  const cutOff = expect(waiting).rejects.toThrow('Connection error');
  await asked.promise;
  await server.close();
  await cutOff;
});
