/** The Messages API in terms of hooks, without a process. */
import { describe, expect, test } from 'vitest';
import { changedAnswer, responseIn } from '../src/model/answer.ts';
import { changedBody, isRequestBody, type RequestBody, requestOf } from '../src/model/request.ts';
import { answerIn, changedEvents, eventOf, eventsIn } from '../src/model/stream.ts';

const MARK = { cache_control: { type: 'ephemeral' } };
const REMINDER = '<system-reminder>\nToday is Monday.\n</system-reminder>';
const body: RequestBody = {
  model: 'm',
  system: [
    { type: 'text', text: 'x-anthropic-billing-header: cc_version=2.1.332.18b; cc_entrypoint=sdk-ts;' },
    { type: 'text', text: 'Be brief.', ...MARK },
  ],
  tools: [{ name: 'pay', description: 'Pays.' }, { name: 'look' }],
  tool_choice: { type: 'tool', name: 'look' },
  max_tokens: 32_000,
  thinking: { type: 'enabled', budget_tokens: 31_999 },
  context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: REMINDER },
        { type: 'text', text: 'Look at this.' },
        { type: 'image', source: { type: 'base64', data: 'AA==' } },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: 'sig' },
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: 'c1', name: 'look', input: { at: 'it' } },
        { type: 'brand_new', anything: { nested: [1] } },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'c1', content: 'seen 4711', is_error: true },
        {
          type: 'tool_result',
          tool_use_id: 'c2',
          content: [
            { type: 'text', text: 'and 4711' },
            { type: 'image', source: {} },
          ],
          ...MARK,
        },
        { type: 'text', text: 'Go on.', ...MARK },
      ],
    },
  ],
};
const send = (patch: Parameters<typeof changedBody>[1]['patch'], context: readonly string[] = []) =>
  changedBody(body, { kind: 'send', patch, context });

describe('a request of the Messages API', () => {
  test('shows hooks the results and the reminders of a message as messages of their own', () => {
    expect(requestOf(body)).toMatchObject({
      instructions: 'Be brief.',
      tools: [{ name: 'pay', description: 'Pays.' }, { name: 'look' }],
      messages: [
        { role: 'system', text: REMINDER },
        { role: 'user', text: 'Look at this.' },
        { role: 'assistant', text: 'I look.', calls: [{ callId: 'c1', toolName: 'look' }] },
        { role: 'tool', text: 'seen 4711', toolName: 'look', callId: 'c1' },
        { role: 'tool', text: 'and 4711', callId: 'c2' },
        { role: 'user', text: 'Go on.' },
      ],
    });
  });

  test('stays as it is where hooks hand back what they got', () => {
    const { messages, instructions = '' } = requestOf(body);
    expect(send({})).toBe(body);
    expect(send({ messages, instructions })).toEqual(body);
  });

  test('keeps everything beside a changed text', () => {
    const { messages } = requestOf(body);
    const changed = messages.map((one) => ({ ...one, text: one.text.replace('4711', '[n]') }));
    expect(send({ messages: changed })).toEqual(JSON.parse(JSON.stringify(body).replaceAll('4711', '[n]')));
    const said = messages.map((one) => ({
      ...one,
      text: one.text.replace('I look.', 'I see.').replace('Monday', 'Friday'),
    }));
    const expected = JSON.stringify(body).replace('I look.', 'I see.').replace('Monday', 'Friday');
    expect(send({ messages: said })).toEqual(JSON.parse(expected));
  });

  test('gets the messages of hooks: the system’s as a reminder, and context at the end', () => {
    const { messages } = requestOf(body);
    const [first, ...rest] = messages;
    const { messages: left } = send(
      {
        messages: [
          ...(first ? [first] : []),
          ...rest,
          { role: 'user', text: 'New.' },
          { role: 'system', text: 'Rule.' },
        ],
      },
      ['CONTEXT'],
    );
    expect(left.slice(0, 3)).toEqual(body.messages);
    expect(JSON.stringify(left.slice(3))).toMatch(
      /New\..*additional context: Rule\..*additional context: CONTEXT/,
    );
    expect(send({}, ['CONTEXT']).messages.slice(0, -1)).toEqual(body.messages.slice(0, -1));
  });

  test('has only the tools that hooks left, and chooses none that is gone', () => {
    const { tools, tool_choice: choice } = send({ tools: [{ name: 'pay', description: 'Pays a lot.' }] });
    expect(tools).toEqual([{ name: 'pay', description: 'Pays a lot.' }]);
    expect(choice).toBeUndefined();
  });

  test.each([
    [{ maxTokens: 5000 }, { max_tokens: 5000, thinking: { type: 'enabled', budget_tokens: 4999 } }],
    [{ reasoningEffort: 'low' as const }, { thinking: { type: 'enabled', budget_tokens: 4096 } }],
    [{ maxTokens: 77 }, { max_tokens: 77, thinking: { type: 'disabled' } }],
    [{ reasoningEffort: 'off' as const }, { thinking: { type: 'disabled' } }],
  ])('takes the settings %j', (settings, expected) => {
    const changed = send({ settings });
    expect(changed).toMatchObject(expected);
    expect(changed.context_management === undefined).toBe(expected.thinking.type === 'disabled');
  });

  test('a message of the role system is shown to hooks, and one of a model that looks like a reminder is a model’s', () => {
    const odd: RequestBody = {
      messages: [
        { role: 'system', content: 'Rule.' },
        { role: 'assistant', content: [{ type: 'text', text: REMINDER }] },
      ],
    };
    const { messages } = requestOf(odd);
    expect(messages).toMatchObject([
      { role: 'system', text: 'Rule.' },
      { role: 'assistant', text: REMINDER },
    ]);
    expect(changedBody(odd, { kind: 'send', patch: { messages }, context: [] }).messages).toEqual(
      odd.messages,
    );
  });

  const text = (said: string) => ({ type: 'text', text: said });
  const document = (source: object, more: object = {}) => ({ type: 'document', source, ...more });
  const plain = (data: string) => ({ type: 'text', media_type: 'text/plain', data });
  const pdf = { type: 'base64', media_type: 'application/pdf', data: 'AA==' };
  const image = { type: 'image', source: { type: 'base64', data: 'AA==' } };
  const found = (...content: readonly object[]) => ({
    type: 'search_result',
    source: 'https://example.com/4711',
    title: 'About 4711',
    content,
    ...MARK,
  });
  const holders: readonly (readonly [string, object, string])[] = [
    [
      'a document',
      document(plain('It is 4711.'), { title: 'T 4711', context: 'C 4711', ...MARK }),
      'T 4711\nC 4711\nIt is 4711.',
    ],
    ['a document in one text', document({ type: 'content', content: 'It is 4711.' }), 'It is 4711.'],
    [
      'a document made of blocks',
      document({ type: 'content', content: [text('One 4711.'), image, text('Two.')] }, { title: 'T' }),
      'T\nOne 4711.\nTwo.',
    ],
    ['a title of a PDF', document(pdf, { title: 'T 4711', context: null }), 'T 4711'],
    [
      'a search result',
      found(text('One 4711.'), text('Two.')),
      'About 4711\nhttps://example.com/4711\nOne 4711.\nTwo.',
    ],
  ];
  const inMessage = (block: object) => [{ role: 'user', content: [text('Read.'), block, text('Go on.')] }];
  const inResult = (block: object) => [
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: [text('Read.'), block] }] },
  ];
  test.each(
    holders.flatMap(([name, block, shown]) => [
      [`${name} in a message`, inMessage(block), `Read.\n${shown}\nGo on.`] as const,
      [`${name} in a result`, inResult(block), `Read.\n${shown}`] as const,
    ]),
  )('hooks see and change the texts of %s, and nothing else of it', (_, messages, shown) => {
    const own = { messages } as unknown as RequestBody;
    const [seen] = requestOf(own).messages;
    expect(seen?.text).toBe(shown);
    const left = (change: (text: string) => string) => {
      const changed = requestOf(own).messages.map((one) => ({ ...one, text: change(one.text) }));
      return changedBody(own, { kind: 'send', patch: { messages: changed }, context: [] }).messages;
    };
    expect(left((one) => one)).toEqual(messages);
    expect(left((one) => one.replaceAll('4711', '[n]'))).toEqual(
      JSON.parse(JSON.stringify(messages).replaceAll('4711', '[n]')),
    );
  });

  test('a document without the text that it was is no more than what hooks left', () => {
    const block = document(plain('It is 4711.'), { title: 'T' });
    const own = { messages: inMessage(block) } as unknown as RequestBody;
    const left = (said: string) => {
      const changed = requestOf(own).messages.map((one) => ({ ...one, text: said }));
      return changedBody(own, { kind: 'send', patch: { messages: changed }, context: [] }).messages;
    };
    expect(left('Read.\nT\nGo on.')).toEqual([
      { role: 'user', content: [text('Read.'), text('T'), text('Go on.')] },
    ]);
    expect(left('Read.\nIt is 4711.\nGo on.')).toEqual(inMessage({ ...block, title: null }));
    expect(left('Read.\nGo on.')).toEqual([{ role: 'user', content: [text('Read.'), text('Go on.')] }]);
  });

  test('a changed text loses its citations, which are about the original', () => {
    const text = { type: 'text', text: 'seen 4711', citations: [{ cited_text: '4711' }] };
    const cited: RequestBody = { messages: [{ role: 'assistant', content: [text] }] };
    const messages = requestOf(cited).messages.map((one) => ({ ...one, text: 'seen [n]' }));
    const { messages: left } = changedBody(cited, { kind: 'send', patch: { messages }, context: [] });
    expect(left).toEqual([{ role: 'assistant', content: [{ type: 'text', text: 'seen [n]' }] }]);
  });

  test.each([
    [{}],
    [{ messages: 'no' }],
    [{ messages: [{ content: [1] }] }],
    [{ messages: [], system: [null] }],
    [{ messages: [], tools: 3 }],
    [null],
  ])('is refused if hooks could not read it: %j', (value) => expect(isRequestBody(value)).toBe(false));
});

/** A stream with everything in it, and a kind of block that this package does not know. */
const events = [
  {
    type: 'message_start',
    message: { id: 'm1', content: [], usage: { input_tokens: 5, cache_read_input_tokens: 7 } },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm.' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'sig' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'ping' },
  { type: 'content_block_start', index: 1, content_block: { type: 'brand_new', state: 1 } },
  { type: 'content_block_delta', index: 1, delta: { type: 'brand_new_delta', more: 2 } },
  { type: 'content_block_stop', index: 1 },
  { type: 'content_block_start', index: 2, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 2, delta: { type: 'text_delta', text: 'a SEC' } },
  { type: 'content_block_delta', index: 2, delta: { type: 'text_delta', text: 'RET' } },
  { type: 'content_block_stop', index: 2 },
  {
    type: 'content_block_start',
    index: 3,
    content_block: { type: 'tool_use', id: 'c1', name: 'pay', input: {} },
  },
  { type: 'content_block_delta', index: 3, delta: { type: 'input_json_delta', partial_json: '{"n":' } },
  { type: 'content_block_delta', index: 3, delta: { type: 'input_json_delta', partial_json: '1}' } },
  { type: 'content_block_stop', index: 3 },
  { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 3 } },
  { type: 'message_stop' },
].map(eventOf);

describe('a streamed answer of the Messages API', () => {
  const answer = answerIn(events) ?? { content: [] };
  const response = responseIn(answer);

  test('is read out of its events, however they are cut', async () => {
    const bytes = Buffer.from(events.map(({ raw }) => raw).join(''));
    async function* pieces() {
      for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
    }
    const read = [];
    for await (const event of eventsIn(pieces())) read.push(event);
    expect(read).toEqual(events);
    expect(response).toMatchObject({
      text: 'a SECRET',
      reasoning: 'Hm.',
      toolCalls: [{ callId: 'c1', toolName: 'pay', input: { n: 1 } }],
      usage: { inputTokens: 12, outputTokens: 3 },
    });
  });

  test('is none without an end', () => {
    expect(answerIn(events.slice(0, -1))).toEqual(answer);
    expect(
      answerIn(
        events.filter(
          ({ data }) => !String(data.type).startsWith('message_') || data.type === 'message_start',
        ),
      ),
    ).toBeUndefined();
    expect(answerIn([])).toBeUndefined();
  });

  test('keeps the events of blocks that hooks did not change', () => {
    const calls = changedAnswer(answer, {
      ...response,
      toolCalls: [{ callId: 'c1', toolName: 'pay', input: { n: 2 } }],
    });
    const left = [...changedEvents(events, answer, calls)];
    expect(left.slice(0, 5)).toEqual(events.slice(0, 5));
    expect(left.slice(5, 12)).toEqual(events.slice(6, 13));
    expect(responseIn(answerIn(left) ?? { content: [] })).toMatchObject({
      reasoning: 'Hm.',
      toolCalls: [{ input: { n: 2 } }],
    });
  });

  test('has another text and other calls, and ends for another reason', () => {
    const changed = changedAnswer(answer, { ...response, text: 'a word', toolCalls: [] });
    const left = [...changedEvents(events, answer, changed)];
    const text = left.map(({ raw }) => raw).join('');
    expect(text).not.toMatch(/SEC|RET|Hm\.|c1/);
    expect(text).toContain('brand_new_delta');
    expect(answerIn(left)).toMatchObject({
      stop_reason: 'end_turn',
      content: [{ type: 'brand_new' }, { type: 'text', text: 'a word' }],
    });
  });
});
