/** What an API may stream, with the model proxy: what passes, and what hooks could not read. */
import { once } from 'node:events';
import { AfterModelCall, block, createHooks, type Hooks, modify } from '@hooks/core';
import { describe } from 'vitest';
import { hookedQuery } from '../src/index.ts';
import { messageOf, optionsFor, type Request, stream, texts, withClaude } from './fixtures.ts';
import { ask, event, startApi, watched } from './proxy.ts';

const start = (request: Request) =>
  event({ type: 'message_start', message: { ...messageOf(request, []), stop_reason: null } });
const opened = (index: number) =>
  event({ type: 'content_block_start', index, content_block: { type: 'text', text: '' } });
const said = (index: number, text: string) =>
  event({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } });
const closed = (index: number) => event({ type: 'content_block_stop', index });
const whole = (index: number, text: string) => opened(index) + said(index, text) + closed(index);
const end = (stop_reason: string | null = 'end_turn') =>
  event({ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 1 } });
const STOP = event({ type: 'message_stop' });
const NEW = event({ type: 'brand_new', index: 0, delta: { type: 'text_delta', text: 'unknown' } });
const PING = event({ type: 'ping' });

/** Hooks that change a word, and remember what they read. */
function changing(): { readonly hooks: Hooks; readonly read: string[] } {
  const hooks = createHooks();
  const read: string[] = [];
  hooks.on(AfterModelCall, ({ response }) => {
    read.push(response.text);
    return modify({ response: { ...response, text: response.text.replace('TANGELO', 'a fruit') } });
  });
  return { hooks, read };
}

const streams: Readonly<Record<string, string>> = {
  'pings and unknown events anywhere': `${PING}${NEW}${whole(0, 'ONE ')}${PING}${NEW}${opened(1)}${NEW}${said(1, 'TANGELO')}${closed(1)}${NEW}${end()}${PING}${STOP}${NEW}`,
  'two ends': whole(0, 'ONE ') + whole(1, 'TANGELO') + end(null) + end() + STOP,
  'a block behind an end': whole(0, 'ONE ') + end(null) + whole(1, 'TANGELO') + end() + STOP,
  'blocks that interleave':
    opened(0) +
    opened(1) +
    said(1, 'TAN') +
    said(0, 'ONE ') +
    said(1, 'GELO') +
    closed(1) +
    closed(0) +
    end() +
    STOP,
  'numbers that leave some out': whole(1, 'ONE ') + whole(4, 'TANGELO') + end() + STOP,
  'an end in a block': opened(0) + said(0, 'ONE ') + end() + said(0, 'TANGELO') + closed(0) + STOP,
  'no message_stop': whole(0, 'ONE ') + whole(1, 'TANGELO') + end(),
};
withClaude.concurrent.for(Object.keys(streams))(
  'hooks decide on a stream with %s, and Claude Code gets what they left',
  async (name, { expect }) => {
    await using api = await startApi((response, request) => {
      response.setHeader('content-type', 'text/event-stream');
      response.end(start(request) + (streams[name] ?? ''));
    });
    const { hooks, read } = changing();
    const shown = await ask(api.url, hooks);
    expect(read).toEqual(['ONE TANGELO']);
    expect(api.bodies).toHaveLength(1);
    expect([shown.includes('TANGELO'), shown.includes('a fruit'), shown.includes('"is_error":true')]).toEqual(
      [false, true, false],
    );
  },
);

withClaude.concurrent(
  'a ping by another name is held back like the rest of an answer',
  async ({ expect }) => {
    const odd = event({ type: 'ping', text: 'TANGELO' }).replace('event: ping', 'event: x');
    await using api = await startApi((response, request) => {
      response.setHeader('content-type', 'text/event-stream');
      response.end(start(request) + odd + whole(0, 'ONE') + end() + STOP);
    });
    const hooks = createHooks();
    hooks.guard(AfterModelCall, () => block('No.'));
    expect(await ask(api.url, hooks, { includePartialMessages: true })).not.toContain('TANGELO');
  },
);

withClaude.concurrent(
  'a stream that hooks cannot read is asked for again in one piece, and hooks decide on that',
  async ({ expect }) => {
    await using api = await startApi((response, request) => {
      const blocks = [{ type: 'text', text: 'the TANGELO' }] as const;
      if (request.stream !== true) return void response.end(JSON.stringify(messageOf(request, blocks)));
      response.setHeader('content-type', 'text/event-stream');
      response.end(start(request) + whole(0, 'ONE ') + whole(0, 'TWO ') + end() + STOP);
    });
    const { hooks, read } = changing();
    const shown = await ask(api.url, hooks);
    expect(api.bodies.map((body) => body.stream === true)).toEqual([true, false]);
    expect(read).toEqual(['the TANGELO']);
    expect(shown).toContain('"result":"the a fruit"');
  },
);

describe('an answer without end', () => {
  const MIB = 'x'.repeat(2 ** 20);
  withClaude.concurrent.for([
    ['a line', 'text/event-stream', 'data: '],
    ['JSON', 'application/json', '{"content":"'],
  ] as const)('is given up: %s', async ([, type, head], { expect }) => {
    let sent = 0;
    let isClosed = false;
    await using api = await startApi((response, request) => {
      if (request.stream !== true) return void response.writeHead(400).end('{}');
      response.on('close', () => (isClosed = true));
      response.setHeader('content-type', type);
      response.write(head);
      void (async () => {
        // More would be as much as one wants to wait for.
        for (; !response.destroyed && sent < 512; sent++)
          if (!response.write(MIB)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
      })();
    });
    expect(await ask(api.url, changing().hooks)).toContain('"is_error":true');
    expect(isClosed).toBe(true);
    expect(sent).toBeLessThan(128);
  });
});

withClaude.concurrent(
  'an answer that Claude Code reads slowly makes no warnings of Node, held or not',
  async ({ expect }) => {
    const warnings: string[] = [];
    const warn = ({ message }: Error) => void warnings.push(message);
    process.on('warning', warn);
    await using api = await startApi((response, request) =>
      stream(
        response,
        request,
        Array.from({ length: 40 }, () => ({ type: 'text', text: 'x'.repeat(100_000) })),
      ),
    );
    const observing = createHooks();
    observing.observe(AfterModelCall, () => {});
    for (const hooks of [changing().hooks, observing])
      expect(await ask(api.url, hooks)).toContain('"is_error":false');
    process.off('warning', warn);
    expect(warnings.filter((message) => message.includes('ServerResponse'))).toEqual([]);
  },
);

withClaude.concurrent('only headers about an answer reach Claude Code', async ({ expect }) => {
  const kept = {
    'request-id': 'req_1',
    'retry-after': '1',
    'x-should-retry': 'false',
    'anthropic-ratelimit-requests-remaining': '5',
  };
  const lost = {
    refresh: '0; url=https://example.com',
    link: '<https://example.com>; rel=next',
    'set-cookie': 'a=b',
    'alt-svc': 'h3="example.com:1"',
    'content-location': 'https://example.com',
  };
  await using api = await startApi((response, request) => {
    for (const [name, value] of Object.entries({ ...kept, ...lost })) response.setHeader(name, value);
    const isError = request.max_tokens === 2;
    if (isError) response.writeHead(529).end('{}');
    else stream(response, request, [{ type: 'text', text: 'ok' }]);
  });
  for (const hooks of [changing().hooks, createHooks()]) {
    let base = '';
    const heads: object[] = [];
    async function* prompts() {
      yield* texts('Go.');
      for (const max_tokens of [1000, 2]) {
        const body = JSON.stringify({ max_tokens, stream: true, messages: [{ role: 'user', content: 'x' }] });
        const answer = await fetch(`${base}/v1/messages`, { method: 'POST', body });
        heads.push(Object.fromEntries(answer.headers));
        await answer.text();
      }
    }
    const options = optionsFor(
      api.url,
      watched((env) => (base = env['ANTHROPIC_BASE_URL'] ?? '')),
    );
    for await (const _ of hookedQuery({ prompt: prompts(), options }, hooks, { models: 'proxy' }));
    expect(heads).toHaveLength(2);
    for (const head of heads) {
      expect(head).toMatchObject(kept);
      expect(Object.keys(head).filter((name) => name in lost)).toEqual([]);
    }
  }
});
