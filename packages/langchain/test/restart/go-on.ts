import { BeforeToolCall, createHooks, type Hooks, proceed, Stop, UserPromptSubmit } from '@hooks/core';
import { Command, interrupt } from '@langchain/langgraph';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent, tool } from 'langchain';
import { z } from 'zod';
import { createHookedAgent, hooksMiddleware, pendingApprovals } from '../../src/index.ts';
import { FileSaver } from '../file-saver.ts';
import { type PolicyName, policies } from './policies.ts';

/** What one of several processes does of a run, and under which hooks. Plain JSON. */
export interface Stretch {
  readonly modelUrl: string;
  readonly thread: string;
  /** The file with the checkpoints. */
  readonly file: string;
  /** Who asks people: the option of the agent, or hooks alone. */
  readonly asks: 'interruptOn' | 'hooks';
  readonly approval?: 'deny' | 'native';
  readonly policies: readonly PolicyName[];
  /** How the agent is hooked. Default: `createHookedAgent`. */
  readonly how?: 'createHookedAgent' | 'hooksMiddleware';
  /** How many other hooked agents this process creates first. */
  readonly others?: number;
  /** Whether the run is cut off while the last of its Stop hooks runs. */
  readonly cutOff?: boolean;
  /** Whether the tool pauses the run by itself, for the number of a page. */
  readonly toolPauses?: boolean;
  readonly prompt?: string;
  /** What the paused run is resumed with; without that and a prompt it just goes on. */
  readonly resume?: unknown;
}

/** What came of it. */
export interface Stretched {
  readonly pid: number;
  /** The paths that were read. */
  readonly ran: readonly string[];
  /** What hooks were told of decisions that people made before. */
  readonly resumed: readonly unknown[];
  /** The answers that Stop hooks were asked about. */
  readonly stops: readonly string[];
  /** The ids and the text of the messages. */
  readonly messages: readonly (readonly [id: string | undefined, text: string])[];
  /** The calls that wait for a person. */
  readonly pending: Awaited<ReturnType<typeof pendingApprovals>>;
  /** Other questions that wait for an answer. */
  readonly questions: readonly unknown[];
  /** The results of the calls so far, by call id. */
  readonly results: Readonly<Record<string, string>>;
}

/** Goes on with a run for a stretch. */
export async function goOn(stretch: Stretch): Promise<Stretched> {
  const { modelUrl, thread, file, asks, approval = 'native', prompt, resume, toolPauses } = stretch;
  const { how = 'createHookedAgent', others = 0, cutOff = false } = stretch;
  const hooks = createHooks();
  const resumed: unknown[] = [];
  hooks.observe(BeforeToolCall, ({ resumed: decision }) => void (decision && resumed.push(decision)));
  for (const name of stretch.policies) policies[name](hooks);
  const ran: string[] = [];
  const read = tool(
    async ({ path }: { path: string }) => {
      const page = toolPauses ? `, page ${interrupt('Which page?')}` : '';
      ran.push(path);
      return `content of ${path}${page}`;
    },
    { name: 'read', description: 'Reads a file.', schema: z.object({ path: z.string() }) },
  );
  const create = (registry: Hooks) => {
    const params = {
      model: new ChatOpenAI({
        model: 'scripted',
        apiKey: 'none',
        maxRetries: 0,
        configuration: { baseURL: modelUrl },
      }),
      tools: [read],
      checkpointer: new FileSaver(file),
    };
    if (how === 'hooksMiddleware')
      return createAgent({ ...params, middleware: [hooksMiddleware(registry, { approval })] });
    const reviewed = { ...(asks === 'interruptOn' && { interruptOn: { read: true } }) };
    return createHookedAgent(params, registry, { approval, ...reviewed });
  };
  for (let other = 0; other < others; other++) {
    const registry = createHooks();
    registry.on(UserPromptSubmit, () => proceed());
    registry.on(Stop, () => proceed());
    create(registry);
  }
  const stops: string[] = [];
  const controller = new AbortController();
  hooks.observe(Stop, ({ response }) => void stops.push(response));
  if (cutOff)
    hooks.on(
      Stop,
      () => {
        controller.abort();
        return new Promise(() => {});
      },
      { priority: -1 },
    );
  const agent = create(hooks);
  const input =
    resume === undefined
      ? prompt === undefined
        ? null
        : { messages: [{ role: 'user', content: prompt }] }
      : new Command({ resume });
  const config = { configurable: { thread_id: thread }, signal: controller.signal };
  const result: Result = await agent.invoke(input as never, config).catch((error: unknown) => {
    if (!controller.signal.aborted) throw error;
    return { messages: [] };
  });
  const pending = await pendingApprovals(result);
  return {
    pid: process.pid,
    ran,
    resumed,
    stops,
    messages: result.messages.map(({ id, text }) => [id, text] as const),
    pending,
    questions: pending.length > 0 ? [] : (result.__interrupt__ ?? []).flatMap(({ value }) => value ?? []),
    results: Object.fromEntries(
      result.messages.flatMap((message) =>
        message.tool_call_id ? [[message.tool_call_id, message.text]] : [],
      ),
    ),
  };
}

interface Result {
  readonly messages: readonly {
    readonly id?: string;
    readonly text: string;
    readonly tool_call_id?: string;
  }[];
  readonly __interrupt__?: readonly { readonly value?: unknown }[];
}
