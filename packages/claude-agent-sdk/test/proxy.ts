/** What the tests of the model proxy share. */
import { spawn } from 'node:child_process';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Options, SDKUserMessage } from '@anthropic-ai/claude-agent-sdk';
import type { Hooks } from '@hooks/core';
import { hookedQuery } from '../src/index.ts';
import {
  optionsFor,
  type Play,
  type Played,
  play,
  type Request,
  type Script,
  startServer,
  texts,
} from './fixtures.ts';

const settings = { models: 'proxy' } as const;

/** Plays a query with the proxy. */
export function playProxied(script: Script, hooks: Hooks, more: Play = {}): Promise<Played> {
  return play(script, hooks, { ...more, settings: { ...settings, ...more.settings } });
}

/** Options of a query that show the environment and the command line of Claude Code, as it starts. */
export function watched(onStart: (env: NodeJS.ProcessEnv, args: readonly string[]) => void): Options {
  return {
    spawnClaudeCodeProcess: ({ command, args, cwd, env, signal }) => {
      onStart(env, args);
      return spawn(command, args, { cwd, env, signal, stdio: ['pipe', 'pipe', 'ignore'] });
    },
  };
}

/** Does something with the base URL of a proxy, while its query goes on. */
export async function during<T>(
  script: Script,
  hooks: Hooks,
  work: (base: string) => Promise<T>,
): Promise<Played & { readonly done: T | undefined }> {
  let base = '';
  let done: T | undefined;
  async function* prompts() {
    yield* texts('Go.');
    done = await work(base);
  }
  const played = await playProxied(script, hooks, {
    prompt: prompts(),
    options: watched((env) => (base = env['ANTHROPIC_BASE_URL'] ?? '')),
  });
  return { ...played, done };
}

export interface Api extends AsyncDisposable {
  readonly url: string;
  /** The headers of each request. */
  readonly heads: readonly IncomingHttpHeaders[];
  /** The bodies of the requests. */
  readonly bodies: readonly Request[];
}

/** Starts an API on loopback that answers as a test wants, and not as a model would. */
export async function startApi(
  answer: (response: ServerResponse, request: Request, nth: number) => void,
): Promise<Api> {
  const heads: IncomingHttpHeaders[] = [];
  const bodies: Request[] = [];
  const server = await startServer((request, response) => {
    if (request.method !== 'POST') return void response.end('{}');
    heads.push(request.headers);
    void text(request).then((raw) => answer(response, JSON.parse(raw), bodies.push(JSON.parse(raw)) - 1));
  });
  return { ...server, heads, bodies };
}

/** Asks an API, and returns everything that the query said. */
export async function ask(
  url: string,
  hooks: Hooks,
  more: Options = {},
  prompt: string | AsyncIterable<SDKUserMessage> = 'Go.',
): Promise<string> {
  const messages: unknown[] = [];
  try {
    for await (const message of hookedQuery({ prompt, options: optionsFor(url, more) }, hooks, settings))
      messages.push(message);
  } catch (error) {
    messages.push(String(error));
  }
  return JSON.stringify(messages);
}

/** An event of a streamed answer. */
export function event(data: { readonly type: string; readonly [field: string]: unknown }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}
