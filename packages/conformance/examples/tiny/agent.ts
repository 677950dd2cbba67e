import { z } from 'zod';

/** A tool of the tiny framework. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly schema: z.ZodType;
  execute(input: never, options: Omit<RunOptions, 'thread'>): unknown;
}

/** A call of a tool. */
interface Call {
  readonly id: string;
  readonly tool: Tool;
  readonly input: unknown;
}

/** Wraps the model and tool calls of one run. Each run creates its own layer. */
export interface Layer {
  system(): Promise<readonly string[]>;
  call(call: Call, next: (call: Call) => Promise<unknown>): Promise<unknown>;
  end(): Promise<void>;
}

/** A layer throws it to end the run with this text, once the calls of the turn are answered. */
export class Final extends Error {}

export interface Agent {
  readonly url: string;
  readonly instructions: string;
  readonly tools: readonly Tool[];
  readonly layers: readonly ((run: RunOptions) => Layer)[];
  readonly threads: Map<string, Message[]>;
}

export interface RunOptions {
  readonly thread?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The user of the run. */
  readonly user?: string | undefined;
}

interface Called {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

export interface Message {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly Called[];
  readonly tool_call_id?: string;
}

/** Calls the model and its tools until the model answers with text. Yields each message. */
export async function* run(
  agent: Agent,
  prompt: string,
  options: RunOptions,
): AsyncGenerator<Message, { text: string; final?: Final }> {
  const layers = agent.layers.map((layer) => layer(options));
  const messages = agent.threads.get(options.thread ?? '') ?? [];
  if (options.thread !== undefined) agent.threads.set(options.thread, messages);
  const add = (message: Message) => {
    messages.push(message);
    return message;
  };
  add({ role: 'user', content: prompt });
  try {
    for (;;) {
      const said = await ask(agent, messages, layers, options);
      yield add(said);
      if (!said.tool_calls) return { text: said.content ?? '' };
      const settled = await Promise.all(
        said.tool_calls.map((called) => answer(agent, called, layers, options)),
      );
      for (const { read, id } of settled)
        yield add({ role: 'tool', content: read, tool_call_id: id });
      const final = settled.find((answered) => answered.final)?.final;
      if (final !== undefined) return { text: final.message, final };
    }
  } finally {
    for (const layer of layers) await layer.end();
  }
}

async function ask(
  { url, instructions, tools }: Agent,
  messages: readonly Message[],
  layers: readonly Layer[],
  { signal }: RunOptions,
): Promise<Message> {
  signal?.throwIfAborted();
  const added = await Promise.all(layers.map((layer) => layer.system()));
  const system = [instructions, ...added.flat()];
  const body = {
    model: 'any',
    messages: [{ role: 'system', content: system.join('\n') }, ...messages],
    tools: tools.map(({ name, description, schema }) => ({
      type: 'function',
      function: { name, description, parameters: z.toJSONSchema(schema) },
    })),
  };
  const request = {
    method: 'POST',
    body: JSON.stringify(body),
    signal: signal ?? null,
  };
  const response = await fetch(`${url}/chat/completions`, request);
  const { choices } = (await response.json()) as {
    choices: [{ message: Message }];
  };
  return choices[0].message;
}

async function answer(
  { tools }: Agent,
  { id, function: called }: Called,
  layers: readonly Layer[],
  { signal, user }: RunOptions,
): Promise<{ id: string; read: string; final?: Final }> {
  const tool = tools.find(({ name }) => name === called.name);
  if (tool === undefined)
    return { id, read: `There is no tool ${called.name}.` };
  const through = layers.reduceRight<(call: Call) => Promise<unknown>>(
    (next, layer) => (call) => layer.call(call, next),
    async ({ tool, input }) =>
      tool.execute(tool.schema.parse(input) as never, { signal, user }),
  );
  try {
    const input = JSON.parse(called.arguments);
    const output = await through({ id, tool, input });
    return {
      id,
      read: typeof output === 'string' ? output : JSON.stringify(output),
    };
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof Final)
      return { id, read: error.message, final: error };
    return { id, read: `Error: ${(error as Error).message}` };
  }
}
