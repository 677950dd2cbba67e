import { describe, expect, test } from 'vitest';
import { type ModelServer, startModelServer } from '../../src/index.ts';
import { clientOf } from './fixtures.ts';

const hi = [{ role: 'user' as const, content: 'Hi' }];
const post = (server: ModelServer, path: string, body: unknown) =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

describe('A request', () => {
  test('has one shape for both endpoints', async () => {
    await using server = await startModelServer({ script: () => ({ text: 'Done.' }) });
    const parameters = { type: 'object', properties: {} };
    await clientOf(server).chat.completions.create({
      model: 'm',
      messages: [
        { role: 'developer', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look: ' },
            { type: 'image_url', image_url: { url: 'data:,' } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'look', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'a', content: 'A cat.' },
      ],
      tools: [{ type: 'function', function: { name: 'look', description: 'Looks.', parameters } }],
      tool_choice: { type: 'function', function: { name: 'look' } },
      temperature: 0.5,
      top_p: 0.9,
      max_completion_tokens: 50,
      reasoning_effort: 'low',
      parallel_tool_calls: false,
    });
    await clientOf(server).responses.create({
      model: 'm',
      instructions: 'Be brief.',
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'Look: ' },
            { type: 'input_image', image_url: 'data:,', detail: 'auto' },
          ],
        },
        { type: 'reasoning', id: 'rs_1', summary: [] },
        { type: 'function_call', call_id: 'a', name: 'look', arguments: '{}' },
        { type: 'function_call_output', call_id: 'a', output: 'A cat.' },
      ],
      tools: [{ type: 'function', name: 'look', description: 'Looks.', parameters, strict: false }],
      tool_choice: { type: 'function', name: 'look' },
      temperature: 0.5,
      top_p: 0.9,
      max_output_tokens: 50,
      reasoning: { effort: 'low', summary: 'auto' },
      parallel_tool_calls: false,
    });
    const [chat, response] = server.requests;
    expect(chat).toMatchObject({
      endpoint: 'chat.completions',
      system: 'Be brief.',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Look: [image_url]' },
        { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'look', arguments: '{}' }] },
        { role: 'tool', content: 'A cat.', toolCallId: 'a' },
      ],
      tools: [{ name: 'look', description: 'Looks.', parameters }],
      turn: 1,
    });
    expect(chat?.settings).toEqual({
      temperature: 0.5,
      topP: 0.9,
      maxTokens: 50,
      reasoningEffort: 'low',
      toolChoice: { name: 'look' },
      parallelToolCalls: false,
    });
    expect(response).toMatchObject({
      endpoint: 'responses',
      system: 'Be brief.',
      messages: chat?.messages.with(1, { role: 'user', content: 'Look: [input_image]' }),
      tools: chat?.tools,
      settings: { ...chat?.settings, reasoningSummary: 'auto' },
      turn: 1,
    });
  });

  test('may refer to an earlier response instead of repeating it', async () => {
    await using server = await startModelServer({
      script: [{ text: 'First.' }, { text: 'Second.' }, { text: 'Third.' }],
    });
    const { responses } = clientOf(server);
    const first = await responses.create({ model: 'm', input: 'Go.' });
    const second = await responses.create({ model: 'm', input: 'On.', previous_response_id: first.id });
    expect(second.output_text).toBe('Second.');
    const reference = { type: 'item_reference' as const, id: second.output[0]?.id ?? '' };
    await responses.create({ model: 'm', input: [{ role: 'user', content: 'Go.' }, reference] });
    const conversations = server.requests.map(({ messages }) => messages.map(({ content }) => content));
    expect(conversations).toEqual([['Go.'], ['Go.', 'First.', 'On.'], ['Go.', 'Second.']]);
  });

  test.each([
    ['/chat/completions', '{', 'The body is not JSON'],
    ['/chat/completions', [], 'The body must be an object, but is an array.'],
    ['/chat/completions', { model: 'm' }, 'messages must be an array, but is missing.'],
    ['/chat/completions', { messages: hi }, 'model must be a string, but is missing.'],
    [
      '/chat/completions',
      { model: 'm', messages: [{ role: 'me' }] },
      'messages[0].role must be one of system, ',
    ],
    ['/responses', { model: 'm' }, 'input must be an array, but is missing.'],
    [
      '/responses',
      { model: 'm', input: 'Hi', previous_response_id: 'x' },
      "Previous response with id 'x' not found.",
    ],
    [
      '/responses',
      { model: 'm', input: [{ type: 'item_reference', id: 'y' }] },
      "Item with id 'y' not found.",
    ],
    [
      '/responses',
      { model: 'm', input: 'Hi', conversation: 'z' },
      'conversation is not supported by this server',
    ],
  ])('that is malformed gets a 400 with the position: %s %j', async (path, body, message) => {
    await using server = await startModelServer({ script: [{ text: 'Never said.' }] });
    const answer = await post(server, path, body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { message: expect.stringContaining(message) } });
    expect(server.requests).toEqual([]);
  });

  const call = (id: string) => ({ id, type: 'function', function: { name: 'look', arguments: '{}' } });
  const calls = { role: 'assistant', content: null, tool_calls: [call('a'), call('b')] };
  const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'ok' });
  test.each([
    ['a result missing', [calls, result('a')], "there is none for 'b'"],
    ['a result too late', [calls, result('a'), ...hi, result('b')], "there is none for 'b'"],
    [
      'a result given twice',
      [calls, result('a'), result('a'), result('b')],
      "for 'a' answers no open tool call",
    ],
    [
      'a result of no call',
      [calls, result('a'), result('b'), result('c')],
      "for 'c' answers no open tool call",
    ],
  ])('with %s is refused, as by the real API', async (_, messages, message) => {
    await using server = await startModelServer({ script: [] });
    const answer = await post(server, '/chat/completions', { model: 'm', messages: [...hi, ...messages] });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { message: expect.stringContaining(message) } });
  });

  test('to an unknown path gets a 404 with the known ones', async () => {
    await using server = await startModelServer({ script: [] });
    const answer = await post(server, '/embeddings', {});
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain(
      'There is no POST /v1/embeddings; there is POST /v1/chat/completions',
    );
  });
});
