import { BeforeRun, block, createHooks, modify, proceed, retry, Stop, UserPromptSubmit } from '@hooks/core';
import { type AgentRunOptions, openRun, type PromptPort } from '@hooks/core/adapter';
import { describe, expect, test } from 'vitest';

interface Message {
  readonly role: 'user' | 'assistant' | 'tool' | 'system';
  readonly text: string;
  readonly parts: readonly object[];
}

const port: PromptPort<Message> = {
  read: ({ role, text, parts }) =>
    role === 'user' ? { text, parts } : role === 'system' ? undefined : 'answer',
  write: (message, text) => ({ ...message, text }),
};

const user = (text: string, parts: readonly object[] = []): Message => ({ role: 'user', text, parts });
const answer = (text = 'Sure, '): Message => ({ role: 'assistant', text, parts: [] });

/** A registry that hides numbers in prompts, refuses those with "steal", and notes what it was asked. */
function gate() {
  const hooks = createHooks();
  const asked: string[] = [];
  hooks.on(UserPromptSubmit, ({ prompt }) => {
    asked.push(prompt);
    if (prompt.includes('steal')) return block('No theft.');
    return prompt.includes('42') ? modify({ prompt: prompt.replace('42', '[number]') }) : proceed();
  });
  const submit = async (messages: readonly Message[], options: AgentRunOptions = { sessionId: 's1' }) => {
    const run = openRun(hooks, options);
    await run.begin();
    const submitted = await run.submitInput(messages, port);
    await run.end({ kind: 'done' });
    if (submitted.kind === 'blocked') return { reason: submitted.stop.reason, at: submitted.at };
    return submitted.messages.map(({ text }) => text);
  };
  return { hooks, asked, submit };
}

describe('every user message of an input that no run of the session has submitted is submitted', () => {
  test.each([
    ['an answer behind it', [user('steal'), answer()], 0],
    ['a tool result behind it', [user('steal'), { role: 'tool', text: 'done', parts: [] }], 0],
    ['a harmless message behind an answer', [user('steal'), answer(), user('Hi.')], 0],
    ['answers around it', [answer(), user('steal'), answer()], 1],
    [
      'a system message behind it',
      [user('Hi.'), user('steal'), { role: 'system', text: 'Be brief.', parts: [] }],
      1,
    ],
  ] satisfies [string, Message[], number][])('%s does not hide it', async (_name, messages, at) => {
    expect(await gate().submit(messages)).toEqual({ reason: 'No theft.', at });
  });

  test('the messages of models, tools and systems are not submitted', async () => {
    const { submit, asked } = gate();
    await submit([
      { role: 'system', text: 'steal', parts: [] },
      answer('steal'),
      { role: 'tool', text: 'steal', parts: [] },
      user('Hi.'),
    ]);
    expect(asked).toEqual(['Hi.']);
  });

  test('a history that is posted again in its session is not asked about again, and gets the same rewriting', async () => {
    const { submit, asked } = gate();
    await submit([user('I am 42.')]);
    expect(await submit([user('I am 42.'), answer(), user('And now?')])).toEqual([
      'I am [number].',
      'Sure, ',
      'And now?',
    ]);
    expect(
      await submit([user('I am [number].'), answer(), user('And now?'), answer(), user('Bye.')]),
    ).toContain('Bye.');
    expect(asked).toEqual(['I am 42.', 'And now?', 'Bye.']);
  });

  test('the same text at a later place is a new prompt', async () => {
    const { submit, asked } = gate();
    await submit([user('Yes.')]);
    await submit([user('Yes.')]);
    await submit([user('Yes.'), answer(), user('Yes.'), answer(), user('Yes.'), answer()]);
    expect(asked).toEqual(['Yes.', 'Yes.', 'Yes.']);
  });

  test('the same text with another image is a new prompt, also where it is bytes', async () => {
    const { submit, asked } = gate();
    const image = (byte: number) => ({ image: new Uint8Array([byte, 2, 3]) });
    await submit([user('Look.', [image(1)])]);
    await submit([user('Look.', [image(1)]), answer()]);
    expect(asked).toEqual(['Look.']);
    await submit([user('Look.', [image(200)]), answer()]);
    await submit([user('Look.', [{ size: 1n }]), answer()]);
    await submit([user('Look.', [{ size: 1n }]), answer()]);
    expect(asked).toHaveLength(4);
  });

  test.each<[string, AgentRunOptions]>([
    ['another session', { sessionId: 's2' }],
    ['a session of the run', {}],
    ['another principal', { sessionId: 's1', principal: { id: 'bob' } }],
  ])('%s knows nothing of what was submitted', async (_name, options) => {
    const { submit, asked } = gate();
    await submit([user('Hi.')]);
    await submit([user('Hi.'), answer()], options);
    expect(asked).toEqual(['Hi.', 'Hi.']);
  });

  test.each([
    ['of another tenant', { id: 'ann', tenant: 'B', roles: ['admin'] }],
    ['with other roles', { id: 'ann', tenant: 'A', roles: ['guest'] }],
  ])('a principal with the same id, but %s, knows nothing of what was submitted', async (_name, other) => {
    const { submit, asked } = gate();
    const ann = { id: 'ann', tenant: 'A', roles: ['admin'] };
    await submit([user('Hi.')], { sessionId: 's1', principal: ann });
    await submit([user('Hi.'), answer()], { sessionId: 's1', principal: ann });
    expect(asked).toEqual(['Hi.']);
    await submit([user('Hi.'), answer()], { sessionId: 's1', principal: other });
    expect(asked).toEqual(['Hi.', 'Hi.']);
  });

  test('a hook that is registered later is asked about the whole history', async () => {
    const { hooks, submit } = gate();
    await submit([user('Hi.')]);
    hooks.guard(UserPromptSubmit, () => block('Closed.'));
    expect(await submit([user('Hi.'), answer()])).toEqual({ reason: 'Closed.', at: 0 });
  });

  test('a registry that has not seen a prompt of the session is asked', async () => {
    const { hooks, submit } = gate();
    await submit([user('Hi.')]);
    const inner = createHooks();
    inner.guard(UserPromptSubmit, () => block('Closed.'));
    const run = openRun([{ hooks }, { hooks: inner }], { sessionId: 's1' });
    await run.begin();
    expect(await run.submitInput([user('Hi.'), answer()], port)).toMatchObject({ kind: 'blocked', at: 0 });
  });

  test.each([
    ['its own prompt', [user('steal')], []],
    ['what the user wrote before it', [user('Hi.'), answer(), user('One'), user('steal')], ['Hi.', 'Sure, ']],
    [
      'what the user wrote before it, with a system message between',
      [user('Hi.'), answer(), user('One'), { role: 'system', text: 'Be brief.', parts: [] }, user('steal')],
      ['Hi.', 'Sure, ', 'Be brief.'],
    ],
    [
      'what stands behind it',
      [user('Hi.'), answer(), user('steal'), answer('I stole it.'), user('Go on.')],
      ['Hi.', 'Sure, '],
    ],
  ] satisfies [string, Message[], string[]][])(
    'of a refused input, the history does not keep %s',
    async (_, messages, kept) => {
      const run = openRun(gate().hooks, { sessionId: 's1' });
      await run.begin();
      const submitted = await run.submitInput(messages, port);
      expect(submitted.kind === 'blocked' && submitted.kept.map(({ text }) => text)).toEqual(kept);
    },
  );

  test('of an input that BeforeRun refuses, the history keeps no prompt without an answer', async () => {
    const { hooks } = gate();
    hooks.on(BeforeRun, () => block('Closed.'));
    const run = openRun(hooks);
    const messages: Message[] = [
      user('Hi.'),
      answer(),
      user('One'),
      { role: 'system', text: 'Be brief.', parts: [] },
    ];
    const submitted = await run.submitInput(messages, port);
    expect(submitted.kind === 'blocked' && submitted.kept).toEqual([messages[0], messages[1], messages[3]]);
  });

  test('a refused prompt is refused again', async () => {
    const { submit } = gate();
    const refused = { reason: 'No theft.', at: 0 };
    expect(await submit([user('steal')])).toEqual(refused);
    expect(await submit([user('steal'), answer()])).toEqual(refused);
  });

  test('the reason of a Stop hook is no prompt when the history is posted again', async () => {
    const { hooks, submit, asked } = gate();
    hooks.on(Stop, () => retry('Give the source.'));
    const run = openRun(hooks, { sessionId: 's1' });
    await run.begin();
    await run.submitInput([user('Hi.')], port);
    await run.finished('Hello.');
    await submit([user('Hi.'), answer(), user('Give the source.'), answer()]);
    expect(asked).toEqual(['Hi.']);
  });

  test('BeforeRun fires once for a history that is known, with its last prompt as hooks left it', async () => {
    const { hooks, submit } = gate();
    const messages: string[] = [];
    hooks.on(BeforeRun, ({ message }) => {
      messages.push(message);
      return proceed();
    });
    await submit([user('Hi.'), answer(), user('I am 42.')]);
    await submit([user('Hi.'), answer(), user('I am 42.'), answer()]);
    expect(messages).toEqual(['I am [number].', 'I am [number].']);
  });

  test('what a sub-agent is given is no prompt', async () => {
    const { hooks, asked } = gate();
    const child = openRun(hooks, { sessionId: 's1' }).openChild({ agent: 'sub' });
    await child.begin();
    expect(await child.submitInput([user('steal'), answer()], port)).toMatchObject({ kind: 'submitted' });
    expect(asked).toEqual([]);
  });

  test('a session forgets its oldest prompts when they take up too much, and asks about them again', async () => {
    const { hooks, submit, asked } = gate();
    hooks.on(UserPromptSubmit, ({ prompt }) => modify({ prompt: prompt + ' '.repeat(400_000) }));
    for (const prompt of ['One.', 'Two.', 'Three.']) await submit([user(prompt)]);
    asked.length = 0;
    await submit([user('Two.'), answer(), user('Three.'), answer()]);
    expect(asked).toEqual([]);
    await submit([user('One.'), answer()]);
    expect(asked).toEqual(['One.']);
  });

  class Sealed {
    readonly #of: string;
    constructor(of: string) {
      this.#of = of;
    }
    toJSON() {
      return this.#of;
    }
  }

  test.each<[string, object[], object[], boolean]>([
    ['an empty part is none', [{}], [], true],
    ['a field without a value is none', [{ name: undefined, cache: {}, marks: [] }], [], true],
    ['an empty field of a part is none', [{ image: 'A', cache: {} }], [{ image: 'A' }], true],
    ['another field makes another prompt', [{ image: 'A', cache: { ttl: 1 } }], [{ image: 'A' }], false],
    ['null, zero and an empty text are values', [{ image: null, n: 0 }], [{ image: '' }], false],
    ['an object of a class has what its fields do not show', [{ image: new Sealed('A') }], [{}], false],
    ['so has another object of it', [{ image: new Sealed('A') }], [{ image: new Sealed('B') }], false],
    ['so has a part that is one', [new Sealed('A')], [new Sealed('B')], false],
  ])('in the parts of a prompt, %s', async (_name, parts, others, isSame) => {
    const { submit, asked } = gate();
    await submit([user('Look.', parts)]);
    await submit([user('Look.', others), answer()]);
    expect(asked).toHaveLength(isSame ? 1 : 2);
  });
});

describe('a prompt that has an id', () => {
  test.each([
    ['runs no hooks when its run submits it again', 'Look', [{ image: 'A' }], ['Look']],
    ['is another one with another text', 'Listen', [{ image: 'A' }], ['Look', 'Listen']],
    ['is another one with other parts', 'Look', [{ image: 'B' }], ['Look', 'Look']],
  ])('%s', async (_name, text, parts, events) => {
    const { hooks, asked } = gate();
    const run = openRun(hooks, { sessionId: 's1' });
    await run.begin();
    await run.submit([{ id: 'm1', text: 'Look', parts: [{ image: 'A' }] }]);
    await run.submit([{ id: 'm1', text, parts }]);
    expect(asked).toEqual(events);
    await run.end({ kind: 'done' });
  });
});
