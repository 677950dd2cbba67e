import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type {
  Options,
  Query,
  SDKMessage,
  SDKResultMessage,
  SDKUserMessage,
} from '@anthropic-ai/claude-agent-sdk';
import type { Hooks } from '@hooks/core';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { inject, type TestAPI, test } from 'vitest';
import { type HookedQueryOptions, hookedQuery } from '../src/index.ts';

/** A test that needs Claude Code's program, and is skipped without it. */
export const withClaude: Pick<TestAPI, 'concurrent'> =
  inject('claude') === undefined
    ? { concurrent: Object.assign(notRun, { for: () => notRun }) as unknown as TestAPI['concurrent'] }
    : test;

function notRun(name: string): void {
  test.skip(`${name} (not run: needs the program of the Claude Agent SDK, which HOOKS_CLAUDE=1 fetches)`, () => {});
}

/** A block of a model's answer. */
export type Block =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'tool_use';
      readonly id: string;
      readonly name: string;
      readonly input: object | string;
    };

/** A request to the model, as far as tests look at it. */
export interface Request {
  readonly system?: unknown;
  readonly model: string;
  readonly stream?: boolean;
  readonly max_tokens?: number;
  readonly temperature?: number;
  readonly tools?: readonly { readonly name: string }[];
  readonly messages: readonly { readonly role: string; readonly content: string | readonly RequestBlock[] }[];
}

interface RequestBlock {
  readonly type: string;
  readonly text?: string;
  readonly tool_use_id?: string;
  readonly is_error?: boolean;
  readonly content?: unknown;
}

type Answer = string | readonly Block[] | { readonly status: number };
export type Script = readonly Answer[] | ((request: Request, turn: number) => Answer);

let made = 0;

/** A call of a tool. */
export function call(name: string, input: object = {}, id = `toolu_${++made}`): Block {
  return { type: 'tool_use', id, name, input };
}

/** A command of the shell. */
export function bash(command: string, id?: string): Block {
  return call('Bash', { command, description: 'd' }, id);
}

export interface Model extends TestServer {
  /** The requests of agents, without those for titles. */
  readonly requests: readonly Request[];
  /** The texts of those without tools, for titles and the like. */
  readonly others: readonly string[];
  /** What the model read of each call, in order: its text, with `!` before an error. */
  readonly read: () => readonly string[];
}

export interface TestServer extends AsyncDisposable {
  readonly url: string;
  close(): void;
}

/** Starts a server on loopback. Closing it breaks open connections. */
export async function startServer(listener: RequestListener): Promise<TestServer> {
  const server = createServer(listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port.toString()}`, close, [Symbol.asyncDispose]: async () => close() };
}

/** Prompts in one stream. */
export async function* texts(...prompts: readonly string[]): AsyncGenerator<SDKUserMessage> {
  for (const content of prompts)
    yield { type: 'user', parent_tool_use_id: null, message: { role: 'user', content } };
}

/** Starts the API with a scripted model on loopback. */
export async function startModel(script: Script): Promise<Model> {
  const requests: Request[] = [];
  const others: string[] = [];
  const server = await startServer((request, response) => {
    void text(request).then((raw) => {
      const json = (value: object, status = 200) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
      if (request.url?.startsWith('/v1/messages') !== true) return json({});
      if (request.url.includes('count_tokens')) return json({ input_tokens: 10 });
      const body: Request = JSON.parse(raw);
      const asks = (body.tools?.length ?? 0) > 0;
      if (asks) requests.push(body);
      else others.push(raw);
      const turn = requests.length - 1;
      const answer = !asks
        ? 'A title'
        : Array.isArray(script)
          ? (script[turn] ?? 'done')
          : next(script, body, turn);
      if (typeof answer === 'object' && 'status' in answer) {
        const error = { type: 'invalid_request_error', message: 'scripted' };
        return json({ type: 'error', error }, answer.status);
      }
      const blocks: readonly Block[] = typeof answer === 'string' ? [{ type: 'text', text: answer }] : answer;
      return body.stream === true ? stream(response, body, blocks) : json(messageOf(body, blocks));
    });
  });
  return { ...server, requests, others, read: () => readBy(requests) };
}

function next(script: Script, body: Request, turn: number): Answer {
  return typeof script === 'function' ? script(body, turn) : 'done';
}

export function messageOf(body: Request, content: readonly Block[], usage: object = ONE_EACH): object {
  const stop_reason = content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn';
  return {
    id: `msg_${++made}`,
    type: 'message',
    role: 'assistant',
    model: body.model,
    content,
    stop_reason,
    usage,
  };
}

const ONE_EACH = { input_tokens: 1, output_tokens: 1 };

/** Answers as the API streams. */
export function stream(
  response: ServerResponse,
  body: Request,
  blocks: readonly Block[],
  used: object = ONE_EACH,
): void {
  // As Claude Code asks where a stream has failed.
  if (body.stream !== true)
    return void response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(messageOf(body, blocks, used)));
  response.setHeader('content-type', 'text/event-stream');
  const send = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  const message = messageOf(body, blocks, used) as { readonly stop_reason: string; readonly usage: object };
  send('message_start', { message: { ...message, content: [], stop_reason: null } });
  for (const [index, block] of blocks.entries()) {
    const isText = block.type === 'text';
    send('content_block_start', {
      index,
      content_block: isText ? { type: 'text', text: '' } : { ...block, input: {} },
    });
    const delta = isText
      ? { type: 'text_delta', text: block.text }
      : {
          type: 'input_json_delta',
          partial_json: typeof block.input === 'string' ? block.input : JSON.stringify(block.input),
        };
    send('content_block_delta', { index, delta });
    send('content_block_stop', { index });
  }
  const { stop_reason, usage } = message;
  send('message_delta', { delta: { stop_reason, stop_sequence: null }, usage });
  send('message_stop', {});
  response.end();
}

const REMINDER = /\s*<system-reminder>[\s\S]*?<\/system-reminder>\s*/g;

export function readBy(requests: readonly Request[]): readonly string[] {
  const read = new Map<string, string>();
  for (const { messages } of requests)
    for (const { content } of messages)
      for (const block of typeof content === 'string' ? [] : content) {
        if (block.type !== 'tool_result') continue;
        const parts = Array.isArray(block.content) ? (block.content as RequestBlock[]) : undefined;
        const said = parts?.map((part) => part.text ?? part.type).join('\n') ?? String(block.content);
        read.set(
          block.tool_use_id ?? '',
          `${block.is_error === true ? '!' : ''}${said.replaceAll(REMINDER, '')}`,
        );
      }
  return [...read.values()];
}

/** The text of the user's messages in a request, without reminders. */
export function promptsOf({ messages }: Request): readonly string[] {
  return messages.flatMap(({ role, content }) => {
    if (role !== 'user') return [];
    const texts = typeof content === 'string' ? [content] : content.flatMap((block) => block.text ?? []);
    return texts.map((one) => one.replaceAll(REMINDER, '').trim()).filter(Boolean);
  });
}

/** Options of a query that asks a scripted model, with as little of Claude Code as can be. */
export function optionsFor(url: string, more: Options = {}): Options {
  const folder = temporaryFolder();
  const claude = inject('claude');
  return {
    cwd: folder,
    model: 'claude-sonnet-4-5',
    settingSources: [],
    systemPrompt: 'Be brief.',
    skills: [],
    tools: ['Bash', 'Read', 'Agent'],
    permissionMode: 'bypassPermissions',
    allowDangerouslySkipPermissions: true,
    strictMcpConfig: true,
    ...(claude !== undefined && { pathToClaudeCodeExecutable: claude }),
    ...more,
    env: environment(url, folder, more.env),
  };
}

export function environment(
  url: string,
  home: string,
  more: Options['env'] = {},
): NonNullable<Options['env']> {
  return {
    PATH: process.env['PATH'],
    HOME: home,
    TMPDIR: home,
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_MAX_RETRIES: '0',
    // Lets root bypass permissions.
    IS_SANDBOX: '1',
    ...more,
  };
}

export interface Played {
  readonly model: Model;
  readonly messages: readonly SDKMessage[];
  readonly result: SDKResultMessage | undefined;
  readonly error: unknown;
  readonly options: Options;
}

/** What to run. */
export interface Play {
  readonly prompt?: string | AsyncIterable<SDKUserMessage>;
  readonly options?: Options;
  readonly settings?: HookedQueryOptions;
  readonly start?: (args: { prompt: string | AsyncIterable<SDKUserMessage>; options: Options }) => Query;
  readonly onMessage?: (message: SDKMessage, query: Query) => void;
}

/** Everything that Claude Code has stored of a played query. */
export function stored({ options }: Played): string {
  const home = String(options.env?.['HOME']);
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
}

/** Runs a query with hooks until it ends. */
export async function play(script: Script, hooks: Hooks, play: Play = {}): Promise<Played> {
  const { prompt = 'Go.', settings = {}, onMessage } = play;
  await using model = await startModel(script);
  const options = optionsFor(model.url, play.options);
  const { start = (args) => hookedQuery(args, hooks, settings) } = play;
  const messages: SDKMessage[] = [];
  let error: unknown;
  try {
    const query = start({ prompt, options });
    for await (const message of query) {
      messages.push(message);
      onMessage?.(message, query);
    }
  } catch (thrown) {
    error = thrown;
  }
  const result = messages.findLast((message) => message.type === 'result');
  return { model, messages, result, error, options };
}
