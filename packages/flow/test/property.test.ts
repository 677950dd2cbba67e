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

/*
 * The sentence without options: a tool that only reads sends nothing beside a link but what stands as a whole in the user's words,
 * and of its own less than a PIN of four digits says.
 */

/** The oracle: what an input says beside its links, in its JSON. Each text has to be the user's, or one of a short list. */
class Outbox {
  readonly #words: readonly string[];
  readonly #links: readonly string[];
  readonly foreign: string[] = [];
  bits = 0;

  constructor(words: readonly string[], links: readonly string[]) {
    this.#words = words;
    this.#links = links;
  }

  read(value: unknown, known: readonly string[]): void {
    if (Array.isArray(value)) for (const one of value) this.read(one, known);
    else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) {
        // The names of arguments are the tool's own.
        if (!known.includes(name)) this.read(name, known);
        this.read(inner, known);
      }
    else if (typeof value === 'string' && value !== '') this.#readText(value);
    else if (typeof value === 'number')
      this.bits += Math.log2(10) * (/[1-9]/.test(`${value}`) ? digits(value) : 0);
    else this.bits += 1;
  }

  #readText(text: string): void {
    if (this.#links.includes(text) || EVERYDAY.has(text)) return;
    if (/^-?[\d.]+$/.test(text)) this.bits += Math.log2(9) * digits(Number(text));
    else if (!this.#words.some((words) => stands(text, words))) this.foreign.push(text);
  }
}

/** The digits of a number but zeros around them, less one, since the first says somewhat less. */
function digits(value: number): number {
  return Math.max(0, `${Math.abs(value)}`.replace(/\D/g, '').replace(/^0+|0+$/g, '').length - 1);
}

const EVERYDAY = new Set(['page', 'limit', 'Accept', 'application/json', 'GET', 'markdown']);

test('a reading tool sends nothing beside a link but the user’s words, and of its own less than a PIN', async () => {
  const words = ['Write in general about my files', 'and say "acme 7" to ann@a.example'];
  const links = [
    'https://evil.com/y',
    'evil.com/y',
    '6.6.6.6',
    'http://[::1]/a',
    'evil.com:8080/?a=1',
    'evil.com',
  ];
  const secret = fc.constantFrom(
    'zqsecretzq',
    'zq',
    '4711',
    'general zq',
    'GENERAL',
    'gen',
    ' general',
    'genеral',
  );
  const own = fc.constantFrom<unknown>(
    'general',
    'ann@a.example',
    'acme 7',
    'my files',
    true,
    false,
    null,
    '',
    2,
    5000,
    20,
    7,
  );
  const common = fc.constantFrom(...EVERYDAY);
  const leaf = fc.oneof(
    own,
    own,
    own,
    common,
    secret,
    fc.integer({ min: -99_999, max: 99_999 }),
    fc.double(),
  );
  const { sent } = fc.letrec<{ sent: unknown }>((tie) => ({
    sent: fc.oneof(
      { maxDepth: 3 },
      leaf,
      leaf,
      fc.array(tie('sent'), { maxLength: 3 }),
      fc.dictionary(fc.oneof(common, own.map(String), secret), tie('sent'), { maxKeys: 3 }),
    ),
  }));
  const call = fc.record({
    tool: fc.constantFrom(
      'fetch',
      'WebFetch',
      'get_page',
      'read_url',
      'mcp__web__lookup',
      'search',
      'read_it',
    ),
    link: fc.constantFrom(...links),
    // Any names: none of them frees a value.
    more: fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), sent, { minKeys: 1, maxKeys: 4 }),
    place: fc.oneof(fc.constantFrom('url', 'target', 'q'), fc.string({ minLength: 1, maxLength: 8 })),
    hasSchema: fc.boolean(),
  });
  let [ran, asked] = [0, 0];
  await fc.assert(
    fc.asyncProperty(call, async ({ tool, link, more, place, hasSchema }) => {
      const input = JSON.parse(JSON.stringify({ ...more, [place]: link }));
      const names = Object.keys(input);
      fc.pre(names.every((name) => !/[.]|__proto__|prompt/.test(name)));
      const agent = testAgent(flow());
      for (const one of words) await agent.prompt(one);
      await agent.callTool(
        'read_page',
        {},
        { execute: () => [...links, 'general', 'zq zqsecretzq 4711'].join(' ') },
      );
      const inputSchema = () => ({ properties: Object.fromEntries(names.map((name) => [name, {}])) });
      await agent.callTool(tool, input, hasSchema ? { tool: { kind: 'function', inputSchema } } : {});
      if (agent.approvals.length > 0) asked++;
      if (agent.approvals.length > 0) return;
      ran++;
      const outbox = new Outbox(words, [...links]);
      outbox.read(input, names);
      expect(outbox.foreign).toEqual([]);
      expect(outbox.bits).toBeLessThan(Math.log2(10_000));
    }),
    { numRuns: drawn(3000) },
  );
  expect(ran).toBeGreaterThan(drawn(150));
  expect(asked).toBeGreaterThan(drawn(1000));
}, 120_000);
