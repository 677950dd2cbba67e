import { testAgent } from '@hooks/core/testing';
import { drawn } from '@hooks/testing/random';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { flow } from '../src/index.ts';

/*
 * What a call chooses beside a link is what it carries. For each way to choose, the oracle counts how many different calls there are
 * of a size, and plays some of them: those that run unasked have to be fewer than the codes of a PIN, but for a bit of rounding.
 */

const url = 'https://evil.example/y';
const MOST = Math.log2(10_000) + 1;

interface Way {
  readonly prompt?: string;
  readonly page?: string;
  /** How many calls there are of this size, as bits. */
  readonly bits: (size: number) => number;
  readonly call: (size: number, draw: (below: number) => number) => readonly [object, object?];
}

const factorial = (n: number): number =>
  Array.from({ length: n }, (_, nth) => Math.log2(nth + 1)).reduce((a, b) => a + b, 0);
const choose = (n: number, k: number): number => factorial(n) - factorial(k) - factorial(n - k);
const names = Array.from({ length: 20 }, (_, nth) => `n${nth}`);
const words = Array.from({ length: 50 }, (_, nth) => `w${nth}x`);
const links = Array.from({ length: 40 }, (_, nth) => `https://evil.example/${nth}`);

/** The first link of a call is chosen among all that were read, which the guide says. */
const sites = Array.from({ length: 12 }, (_, site) =>
  Array.from({ length: site === 0 ? 1 : 40 }, (_, nth) => `https://evil${site}.example/${nth}`),
);
const common = 'page limit offset sort order asc desc q json html text markdown raw en GET HEAD'.split(' ');
const addresses = Array.from({ length: 40 }, (_, nth) => `http://[2001:db8::${nth + 1}]/`);

function schemaOf(fields: object, required: readonly string[] = Object.keys(fields)): object {
  return { properties: { url: {}, ...fields }, required: ['url', ...required] };
}

function some<T>(all: readonly T[], size: number, draw: (below: number) => number): readonly T[] {
  const left = [...all];
  return Array.from({ length: size }, () => left.splice(draw(left.length), 1)).flat();
}

function one<T>(all: readonly T[], draw: (below: number) => number): T {
  return all[draw(all.length)] as T;
}

const list = { l: { type: 'array' } };
const ways: Readonly<Record<string, Way>> = {
  'which switches, and how they are': {
    bits: (size) => choose(20, size) + size,
    call: (size, draw) => {
      const chosen = some(names, size, draw);
      const sent = names.filter((name) => chosen.includes(name)).map((name) => [name, draw(2) === 1]);
      const fields = Object.fromEntries(names.map((name) => [name, { type: 'boolean' }]));
      return [{ url, ...Object.fromEntries(sent) }, schemaOf(fields, [])];
    },
  },
  'the order of names': {
    bits: factorial,
    call: (size, draw) => {
      const all = names.slice(0, size);
      const fields = Object.fromEntries(all.map((name) => [name, { const: 1 }]));
      return [
        { url, ...Object.fromEntries(some(all, size, draw).map((name) => [name, 1])) },
        schemaOf(fields),
      ];
    },
  },
  'words of the user': {
    prompt: words.join(' '),
    bits: (size) => size * Math.log2(50),
    call: (size, draw) => [{ url, l: Array.from({ length: size }, () => one(words, draw)) }, schemaOf(list)],
  },
  'words of the user with commas between': {
    prompt: words.join(','),
    bits: (size) => size * Math.log2(50),
    call: (size, draw) => [{ url, l: Array.from({ length: size }, () => one(words, draw)) }, schemaOf(list)],
  },
  'names of arguments without a schema': {
    bits: (size) => size * 10,
    call: (size, draw) => [
      { url, ...Object.fromEntries(Array.from({ length: size }, () => [`x${draw(1024)}`, true])) },
    ],
  },
  'the name of the argument that has the link': {
    bits: () => 20,
    call: (_, draw) => [{ [`x${draw(2 ** 20)}`]: url }],
  },
  'links of one site': {
    page: links.join(' '),
    bits: (size) => (size - 1) * Math.log2(40),
    call: (size, draw) => [
      { urls: [links[0], ...Array.from({ length: size - 1 }, () => one(links, draw))] },
      { properties: { urls: { type: 'array' } }, required: ['urls'] },
    ],
  },
  'literals of a schema': {
    bits: (size) => size * Math.log2(30),
    call: (size, draw) => {
      const items = { anyOf: Array.from({ length: 30 }, (_, nth) => ({ const: `e${nth}` })) };
      return [
        { url, l: Array.from({ length: size }, () => `e${draw(30)}`) },
        schemaOf({ l: { type: 'array', items } }),
      ];
    },
  },
  'kinds of empty values': {
    bits: (size) => size * 2,
    call: (size, draw) => [
      { url, l: Array.from({ length: size }, () => one<unknown>([null, '', [], {}], draw)) },
      schemaOf(list),
    ],
  },
  numbers: {
    bits: (size) => size * Math.log2(1000),
    call: (size, draw) => [{ url, l: Array.from({ length: size }, () => draw(1000)) }, schemaOf(list)],
  },
  'numbers of any size': {
    bits: (size) => size * Math.log2(64 * 600),
    call: (size, draw) => [
      { url, l: Array.from({ length: size }, () => Number(`${draw(64)}e${draw(600) - 300}`)) },
      schemaOf(list),
    ],
  },
  'texts that programs read as numbers': {
    bits: (size) => size * Math.log2(6),
    call: (size, draw) => [
      {
        url,
        l: Array.from({ length: size }, () =>
          one<unknown>([0, '0', 'NaN', 'Infinity', '-Infinity', 1], draw),
        ),
      },
      schemaOf(list),
    ],
  },
  'which field each object of a list has': {
    bits: (size) => size * Math.log2(6),
    call: (size, draw) => {
      const properties = Object.fromEntries(names.slice(0, 6).map((name) => [name, { const: 1 }]));
      const items = { type: 'object', properties };
      return [
        { url, l: Array.from({ length: size }, () => ({ [`n${draw(6)}`]: 1 })) },
        schemaOf({ l: { type: 'array', items } }),
      ];
    },
  },
  'the fields on the way to a link, where a schema names itself': {
    bits: (size) => size * 2,
    call: (size, draw) => {
      const inner = { $ref: '#' };
      const properties = { a: inner, b: inner, c: inner, d: inner, url: {} };
      const input = Array.from({ length: size }).reduce<object>(
        (all) => ({ [one(['a', 'b', 'c', 'd'], draw)]: all }),
        { url },
      );
      return [input, { type: 'object', properties }];
    },
  },
  'the fields on the way to a link, without a schema': {
    bits: (size) => size * 3,
    call: (size, draw) => [
      Array.from({ length: size }).reduce<object>(
        (all) => ({
          [one(['url', 'uri', 'href', 'host', 'domain', 'website', 'tld', 'origin'], draw)]: all,
        }),
        { url },
      ),
    ],
  },
  'the place of a name that the schema lacks': {
    prompt: 'Read the w0x',
    bits: (size) => Math.log2(common.length * (common.length - 1)) + Math.log2((2 * size + 1) * (size + 1)),
    call: (size, draw) => {
      const known = names.slice(0, 2 * size).map((name) => [name, 1] as const);
      const more = some(common, 2, draw).map((name) => [name, 1] as const);
      for (const entry of more) known.splice(draw(known.length + 1), 0, entry);
      const fields = Object.fromEntries(names.slice(0, 2 * size).map((name) => [name, { const: 1 }]));
      return [
        { url, o: Object.fromEntries(known) },
        schemaOf({ o: { type: 'object', properties: fields, required: Object.keys(fields) } }),
      ];
    },
  },
  'links of several sites, by one of each': {
    page: sites.flat().join(' '),
    bits: (size) => (size - 1) * Math.log2(40),
    call: (size, draw) => [
      { urls: sites.slice(0, size).map((each) => one(each, draw)) },
      { properties: { urls: { type: 'array' } }, required: ['urls'] },
    ],
  },
  'addresses of one network': {
    page: addresses.join(' '),
    bits: (size) => (size - 1) * Math.log2(40),
    call: (size, draw) => [
      { urls: Array.from({ length: size }, () => one(addresses, draw)) },
      { properties: { urls: { type: 'array' } }, required: ['urls'] },
    ],
  },
};

test('a call with ten thousand names is judged in a moment, with and without a schema', async () => {
  const fields = Array.from({ length: 10_000 }, (_, nth) => [`n${nth}`, true] as const);
  const agent = testAgent(flow());
  await agent.prompt('Read it');
  await agent.callTool('read_page', {}, { execute: () => `see ${url}` });
  const inputSchema = () => schemaOf(Object.fromEntries(fields.map(([name]) => [name, {}])), []);
  const input = { url, ...Object.fromEntries(fields) };
  const start = process.cpuUsage();
  await agent.callTool('fetch', input);
  await agent.callTool('fetch', input, { tool: { kind: 'function', inputSchema } });
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(3_000); // 8,000 where it is quadratic
  expect(agent.approvals).toHaveLength(2);
});

test('links of addresses are counted in a moment, whatever is in what was read', async () => {
  const agent = testAgent(flow());
  await agent.prompt('Read it');
  const page = `${'a'.repeat(400_000)} ${addresses.join(' ')}`;
  await agent.callTool('read_page', {}, { execute: () => page });
  const start = process.cpuUsage();
  await agent.callTool('fetch', { urls: addresses.slice(0, 3) });
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(3_000); // minutes where it is quadratic
});

test.each(Object.keys(ways))(
  'fewer calls than a PIN has codes run unasked that choose among %s',
  async (name) => {
    const { prompt = 'Read it', page = `see ${url}`, bits, call } = ways[name] as Way;
    const agent = testAgent(flow());
    await agent.prompt(prompt);
    await agent.callTool('read_page', {}, { execute: () => page });
    let carried = 0;
    for (let size = 1; size <= 12; size++) {
      const calls = fc.sample(fc.infiniteStream(fc.nat({ max: 2 ** 31 - 1 })), drawn(30)).map((numbers) => {
        return call(size, (below) => Number(numbers.next().value) % below);
      });
      let ran = 0;
      for (const [input, schema] of calls) {
        const asked = agent.approvals.length;
        const tool = schema && { tool: { kind: 'function' as const, inputSchema: () => schema } };
        await agent.callTool('fetch', input, tool);
        if (agent.approvals.length === asked) ran++;
      }
      carried += (2 ** bits(size) * ran) / calls.length;
    }
    expect(Math.log2(Math.max(1, carried))).toBeLessThan(MOST);
  },
);
