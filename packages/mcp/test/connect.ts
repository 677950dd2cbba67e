import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { createHooks } from '@hooks/core';
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioServerTransport as StreamsV1 } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StdioServerTransport as Streams } from '@modelcontextprotocol/server/stdio';
import { onTestFinished } from 'vitest';
import { type CommandUpstream, type ProxyOptions, proxy } from '../src/index.ts';
import { socketPath } from './stdio-server.ts';

/** The path of a program of the tests. */
export const program = (name: string): string => fileURLToPath(new URL(`programs/${name}`, import.meta.url));

/** How to start a program of the tests. */
export const run = (name: string, ...args: readonly string[]): CommandUpstream => ({
  command: process.execPath,
  args: [program(name), ...args],
});

/** The kinds of clients: SDK v1, SDK v2 in the legacy era, and in the modern one. */
export type Kind = 'v1' | 'v2' | 'modern';
export const KINDS: readonly Kind[] = ['v1', 'v2', 'modern'];

/** A person who answers the client's forms. */
export type Person = (message: string) => { readonly action: string; readonly content?: object };

export interface ConnectOptions extends Partial<ProxyOptions> {
  readonly kind?: Kind;
  /** Without one, the client cannot ask. */
  readonly person?: Person;
}

const samples = async () => ({
  role: 'assistant' as const,
  model: 'm',
  content: { type: 'text' as const, text: 'sampled' },
});

// biome-ignore lint/suspicious/noExplicitAny: what the clients of both SDKs have in common has no type
export type AnyClient = any;

/** An unconnected client of a kind, and the notifications to it. */
export async function clientOf(
  kind: Kind,
  person?: Person,
): Promise<{ readonly client: AnyClient; readonly notified: string[] }> {
  const notified: string[] = [];
  const capabilities = { sampling: {}, ...(person && { elicitation: { form: {} } }) };
  const elicit = async ({ params }: AnyClient): Promise<AnyClient> => person?.(params.message);
  if (kind === 'v1') {
    const types = await import('@modelcontextprotocol/sdk/types.js');
    const client: AnyClient = new ClientV1({ name: 'tester', version: '1' }, { capabilities });
    if (person) client.setRequestHandler(types.ElicitRequestSchema, elicit);
    client.setRequestHandler(types.CreateMessageRequestSchema, samples);
    client.fallbackNotificationHandler = async ({ method }: AnyClient) => void notified.push(method);
    return { client, notified };
  }
  const modern = { versionNegotiation: { mode: { pin: '2026-07-28' } } };
  const options = { capabilities, ...(kind === 'modern' && modern) } as ClientOptions;
  const client: AnyClient = new Client({ name: 'tester', version: '1' }, options);
  if (person) client.setRequestHandler('elicitation/create', elicit);
  if (kind === 'v2') client.setRequestHandler('sampling/createMessage', samples);
  client.fallbackNotificationHandler = async ({ method }: AnyClient) => void notified.push(method);
  return { client, notified };
}

/** A proxy with both of its ends in this process, and a server in another process. */
export interface OpenProxy {
  readonly input: PassThrough;
  readonly output: PassThrough;
  readonly warnings: readonly string[];
  readonly over: Promise<number>;
}

export function openProxy(options: Partial<ProxyOptions>): OpenProxy {
  const input = new PassThrough();
  const output = new PassThrough();
  const warnings: string[] = [];
  const over = proxy({
    hooks: createHooks(),
    upstream: run('relay.ts', socketPath),
    onWarning: (warning) => void warnings.push(warning),
    ...options,
    input,
    output,
  });
  onTestFinished(async () => {
    input.end();
    await over.catch(() => {});
  });
  return { input, output, warnings, over };
}

/** A real client behind a proxy. */
export interface Connected extends OpenProxy {
  readonly client: AnyClient;
  readonly notified: readonly string[];
  call(name: string, args?: object, how?: object): Promise<AnyClient>;
}

export async function connect({ kind = 'v1', person, ...options }: ConnectOptions = {}): Promise<Connected> {
  const proxied = openProxy(options);
  const { client, notified } = await clientOf(kind, person);
  const Transport = kind === 'v1' ? StreamsV1 : Streams;
  const failed = proxied.over.then((code) => Promise.reject(new Error(`the proxy ended with ${code}`)));
  await Promise.race([client.connect(new Transport(proxied.output, proxied.input)), failed]);
  failed.catch(() => {});
  const call = (name: string, args: object = {}, how: object = {}): Promise<AnyClient> =>
    kind === 'v1'
      ? client.callTool({ name, arguments: args }, undefined, how)
      : client.callTool({ name, arguments: args }, how);
  return { ...proxied, client, notified, call };
}

/** The result of a call as a short text. */
export const textOf = ({ content, isError }: AnyClient): string =>
  `${isError ? 'error: ' : ''}${content.map((part: AnyClient) => part.text).join()}`;
