import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { BeforeToolCall, block, createHooks, modify, proceed, TransformToolResult } from '@hooks/core';
import { drawn } from '@hooks/testing/random';
import { expect, onTestFinished, test } from 'vitest';
import { gateway, TransformServerMessage } from '../src/index.ts';
import { openProxy, run } from './connect.ts';
import { serve } from './http.ts';
import { clientText, type Draw, drawFrom, MARKER, serverText } from './programs/random.ts';

/*
 * Random clients and servers, both hostile. No call reaches the server that hooks did not allow with this very input, and
 * no text that hooks redact reaches the client. A conversation is the same for the same seed.
 */

const first = Number(process.env['HOOKS_FIRST'] ?? 0);
const seeds = Array.from({ length: drawn(8) }, (_, nth) => first + nth);

type Json = unknown;

/** A value as JSON whose keys are sorted. */
function canonical(value: Json): string {
  return JSON.stringify(value, (_, inner: Json) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** A policy that refuses, rewrites and redacts, at once or later; and what it allowed. */
function policy(draw: Draw) {
  const hooks = createHooks();
  const allowed: string[] = [];
  const later = <T>(value: T): T | Promise<T> =>
    draw.onceIn(3) ? new Promise((resolve) => setImmediate(() => resolve(value))) : value;
  const isSecret = (value: unknown): boolean => JSON.stringify(value)?.includes(MARKER) ?? false;
  const clean = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll(MARKER, '***')) as T;
  hooks.on(BeforeToolCall, ({ toolName }) => {
    if (!draw.onceIn(8)) return proceed();
    if (toolName === 'resources/read') return modify({ input: { uri: 'u:2' } });
    return modify({ input: toolName === 'prompts/get' ? { name: 'other' } : { rewritten: true } });
  });
  hooks.guard(BeforeToolCall, ({ toolName }) => later(toolName === 'danger' ? block('No.') : proceed()));
  hooks.observe(BeforeToolCall, ({ toolName, input }, { kind }) => {
    if (kind !== 'block') allowed.push(canonical([toolName, input]));
  });
  // Like a redaction, it leaves alone what it finds nothing in.
  hooks.on(TransformToolResult, ({ output, errorMessage }) => {
    if (errorMessage === undefined)
      return later(isSecret(output) ? modify({ output: clean(output) }) : proceed());
    return later(isSecret(errorMessage) ? modify({ errorMessage: clean(errorMessage) }) : proceed());
  });
  hooks.on(TransformServerMessage, ({ content }) =>
    later(isSecret(content) ? modify({ content: clean(content) }) : proceed()),
  );
  return { hooks, allowed };
}

/** What a lenient server would run because of a text: the calls in it, as hooks see them. */
function callsIn(raw: string): string[] {
  const json: Json = JSON.parse(raw);
  return (Array.isArray(json) ? json : [json]).flatMap((part) => {
    const { method, params = {} } = Object(part);
    switch (String(method).trim().toLowerCase()) {
      case 'tools/call':
        return canonical([params.name, params.arguments ?? {}]);
      case 'resources/read':
        return canonical(['resources/read', { uri: params.uri }]);
      case 'prompts/get':
        return canonical(['prompts/get', { name: params.name, arguments: params.arguments }]);
      default:
        return [];
    }
  });
}

/** Whether a parser that takes the first of two keys would read the same. */
function hasEachKeyOnce(raw: string): boolean {
  let visited = 0;
  JSON.parse(raw, (_, value) => {
    visited +=
      typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value).length : 0;
    return value;
  });
  const written = [...raw.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(([, colon]) => colon !== undefined);
  return visited === written.length;
}

function expectAllowed(got: readonly string[], allowed: readonly string[], about: string): void {
  const left = [...allowed];
  for (const raw of got) {
    expect(hasEachKeyOnce(raw), `${about}: a key twice in ${raw}`).toBe(true);
    for (const call of callsIn(raw)) {
      expect(left, `${about}: ${raw}`).toContain(call);
      left.splice(left.indexOf(call), 1);
    }
  }
}

function expectRedacted(read: string, about: string): void {
  const decoded = read.replaceAll(/\\u00([45][\da-f])/gi, (_, code: string) =>
    String.fromCharCode(parseInt(code, 16)),
  );
  expect(decoded.includes(MARKER), `${about}: ${read}`).toBe(false);
}

test.each(seeds)('a random client and server on stdio, seed %i', async (seed) => {
  const draw = drawFrom(seed);
  const folder = mkdtempSync(join(tmpdir(), 'random-mcp-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const log = join(folder, 'log');
  appendFileSync(log, '');
  const { hooks, allowed } = policy(draw);
  const upstream = run('random-server.ts', String(seed), log);
  const { input, output, over } = openProxy({ hooks, upstream });
  let read = '';
  const end = new Promise<void>((resolve) =>
    output.on('data', (chunk) => {
      read += chunk;
      if (read.includes('"id":"the end"')) resolve();
    }),
  );
  for (let id = 1; id <= 60; id++) input.write(`${clientText(draw, id)}\n`);
  input.write('{"jsonrpc":"2.0","id":"the end","method":"ping"}\n');
  await end;
  input.end();
  expect(await over).toBe(0);
  const got = readFileSync(log, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line): string => JSON.parse(line));
  expectAllowed(got, allowed, `seed ${seed}`);
  // As a client reads it whose lines end at a carriage return, too.
  for (const line of read.split(/\r\n|\n|\r/).filter(Boolean)) {
    expectRedacted(line, `seed ${seed}`);
    expect(hasEachKeyOnce(line), `seed ${seed}: ${line}`).toBe(true);
  }
});

/** Answers with random texts, in a random form. */
function answerRandomly(draw: Draw, response: ServerResponse, id: string): void {
  const { oneOf, onceIn } = draw;
  const said = Array.from({ length: 1 + draw.below(3) }, () => serverText(draw, id));
  const type = oneOf([
    'application/json',
    'application/json',
    'text/event-stream',
    'text/event-stream',
    'text/plain',
    '',
  ]);
  const end = oneOf(['\n', '\r\n', '\r']);
  const isStream = type === 'text/event-stream' || onceIn(10);
  const body = isStream
    ? said.map((each) => {
        const before = oneOf([
          '',
          '',
          `id: ${draw.below(9)}${end}`,
          `: ${MARKER}${end}`,
          `event: ${oneOf(['message', 'x'])}${end}`,
        ]);
        return `${before}data: ${each.replaceAll('\r', onceIn(2) ? ' ' : `${end}data: `)}${end}${end}`;
      })
    : said.slice(0, onceIn(6) ? 2 : 1);
  const zipped = onceIn(6);
  const status = oneOf([200, 200, 200, 201, 202, 206, 307, 400, 401, 403, 404, 500]);
  response.writeHead(status, {
    ...(type && { 'content-type': type }),
    ...(zipped && { 'content-encoding': 'gzip' }),
    ...(onceIn(8) && { location: '/elsewhere' }),
  });
  response.end(zipped ? gzipSync(body.join('')) : body.join(''));
}

test.each(seeds)('a random client and server over HTTP, seed %i', async (seed) => {
  const draw = drawFrom(seed + 1_000_000);
  const got: string[] = [];
  const owners = new Map<string, string | undefined>();
  const strangers: string[] = [];
  const url = await serve(async (request, response) => {
    const body = await text(request);
    if (body !== '') got.push(body);
    const { authorization, 'mcp-session-id': session } = request.headers;
    if (body.includes('"initialize"') && session === undefined) {
      const id = `s${owners.size}`;
      owners.set(id, authorization);
      response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': id });
      response.end('{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"v","capabilities":{}}}');
      return;
    }
    if (session !== undefined && owners.get(String(session)) !== authorization)
      strangers.push(String(session));
    answerRandomly(draw, response, /"id" *: *("\w{1,9}"|-?[\d.e]+)/.exec(body)?.[1] ?? '1');
  });
  const { hooks, allowed } = policy(draw);
  const { handle, close } = gateway({ hooks, upstreams: { up: { url } }, onWarning: () => {} });
  onTestFinished(close);
  const origin = await serve(handle);
  const users = [{ authorization: 'Bearer a' }, { authorization: 'Bearer b' }, {}] as const;
  const send = async (body: string | undefined, headers: Record<string, string>, method = 'POST') => {
    const type = { 'content-type': draw.onceIn(10) ? 'text/plain' : 'application/json' };
    const response = await fetch(`${origin}/up`, {
      method,
      redirect: 'error',
      headers: { ...headers, ...(body !== undefined && type) },
      ...(body !== undefined && { body }),
    });
    const read = await response.text();
    expectRedacted(read + [...response.headers].join('\n'), `seed ${seed}`);
  };
  for (const user of users) await send('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}', user);
  const sending = Array.from({ length: 60 }, (_, id) => {
    const user = draw.oneOf(users);
    const session = draw.onceIn(2) ? { 'mcp-session-id': `s${draw.below(4)}` } : {};
    if (draw.onceIn(15)) return send(undefined, { ...user, ...session, 'last-event-id': '1' }, 'GET');
    if (draw.onceIn(40)) return send(undefined, { ...user, ...session }, 'DELETE');
    return send(clientText(draw, id), { ...user, ...session });
  });
  await Promise.all(sending);
  expectAllowed(got, allowed, `seed ${seed}`);
  expect(strangers).toEqual([]);
});
