import { join } from 'node:path';
import type {
  AdapterHarness,
  AgentSpec,
  AttachSpec,
  HarnessAgent,
  McpServerSpec,
  PersonAnswer,
  PostedMessage,
  RunOptions,
  RunResult,
  Seen,
  SubagentSpec,
  ToolSpec,
} from '@hooks/conformance';
import { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import type { ClientTool } from '@langchain/core/tools';
import { Command, MemorySaver } from '@langchain/langgraph';
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent, createMiddleware, modelRetryMiddleware, tool } from 'langchain';
import { z } from 'zod';
import {
  blockReason,
  createHookedAgent,
  hookedSummarization,
  hooksMiddleware,
  hookTool,
  type InterruptAnswers,
  type NativeRun,
  type PendingApproval,
  pendingApprovals,
  supports,
} from '../src/index.ts';
import { FileSaver } from './file-saver.ts';

/** Options of a single run that touch where the adapter has its own things. */
const displacing: { readonly [option: string]: unknown } = {
  configurable: { __hooks_runs: new Map(), __hooks_parent_call: 'none' },
  metadata: { lc_agent_name: 'another' },
  maxConcurrency: 1,
};

/** LangChain for the conformance suite. */
export const harness: AdapterHarness = {
  supports,
  blockReason,
  pendingApprovals,
  module: import.meta.url,
  editsInputs: true,
  demandsTools: true,
  repeats: true,
  reportsUsage: true,
  posts: ['call', 'result'],
  displacements: Object.keys(displacing),
  streamForms: ['events v1', 'events v2', 'events v3'],
  // LangChain refuses tools that a middleware has changed.
  knownGaps: [
    // LangGraph resumes a thread as often as it is told to. That a yes counts once needs a store that requests share.
    'native: an approval that arrives twice, at once, runs the call once',
    'native: an approval that arrives twice at agents which restore the run, at once, runs the call once',
    ...['a yes and a no', 'a no and a yes'].map(
      (both) =>
        `native: ${both}, at once, to one pending approval: one of them counts, and neither hooks nor the model are told that the other did`,
    ),
    // `Stop` needs a node of its own, and a graph is what it is when its run begins.
    'a Retry at the end, of a hook that is registered while a run goes on, which began with hooks or without',
    'Modify of a description on BeforeModelCall reaches the model and keeps the schema of the tool',
  ],
  agent: actor,
  async callTool(spec, input, { hooks, attach, attachEach = [], signal, user }) {
    const hooked = toolOf({ ...spec, hooks, attachEach }, attach);
    try {
      return {
        output: await hooked.invoke(input, { ...(signal && { signal }), context: { user } } as object),
      };
    } catch (error) {
      return { error };
    }
  },
};

/** The user that the suite has put into the context. */
function principal({ context }: NativeRun): { id: string } | undefined {
  const user: unknown = Reflect.get(Object(context), 'user');
  return typeof user === 'string' ? { id: user } : undefined;
}

function optionsOf({ principal: id, ...attach }: AttachSpec) {
  return { ...attach, principal: id === undefined ? principal : () => ({ id }) };
}

function toolOf(
  { name, description, schema, execute, hooks = [], attachEach = [] }: ToolSpec,
  attach: AttachSpec,
): ClientTool {
  const bare = tool((input: unknown, { signal }) => execute(input as never, { signal }), {
    name,
    description,
    schema,
  });
  return hooks.reduce(
    (inner: ClientTool, registry, nth) => hookTool(inner, registry, optionsOf(attachEach[nth] ?? attach)),
    bare,
  );
}

type Agent = ReturnType<typeof agentOf>;

function agentOf(spec: AgentSpec, checkpointer?: MemorySaver | true, mcpTools: readonly ClientTool[] = []) {
  const { name, instructions, modelUrl, tools, hooks, attach, attachEach = [], subagents = [] } = spec;
  const { toolChoice, repeats: maxRetries } = spec;
  const { compactAfter } = spec;
  const model = new ChatOpenAI({
    model: 'scripted',
    apiKey: 'none',
    maxRetries: 0,
    configuration: { baseURL: modelUrl },
  });
  const params = {
    name,
    model,
    systemPrompt: instructions,
    tools: [
      ...tools.map((one) => toolOf(one, one.attach ?? attach)),
      ...mcpTools,
      ...subagents.map((sub) => subagentOf(sub, spec, checkpointer !== undefined)),
    ],
    ...(checkpointer && { checkpointer }),
  };
  const outermost = hooks.at(-1);
  const asking = tools.flatMap((one) => (one.needsApproval ? [[one.name, true] as const] : []));
  const trigger = { messages: (compactAfter ?? 0) + 1 };
  const options = { model, trigger, keep: { messages: 1 } };
  if (outermost === undefined) return createAgent(params);
  const optionsFor = (nth: number) => optionsOf(attachEach[nth] ?? attach);
  const inner = [...new Map(hooks.slice(0, -1).map((registry, nth) => [registry, nth]))].toReversed();
  const middleware = [
    ...inner.map(([registry, nth]) => hooksMiddleware(registry, optionsFor(nth))),
    ...(compactAfter === undefined ? [] : [hookedSummarization(options, outermost)]),
    ...(toolChoice === undefined ? [] : [demanding(toolChoice)]),
    ...(maxRetries === undefined
      ? []
      : [modelRetryMiddleware({ maxRetries, initialDelayMs: 0, onFailure: 'error' }) as never]),
  ];
  const reviewed = {
    ...optionsFor(hooks.length - 1),
    ...(asking.length > 0 && { interruptOn: Object.fromEntries(asking) }),
  };
  return createHookedAgent({ ...params, middleware }, outermost, reviewed);
}

/** LangChain's own means to demand a tool. */
function demanding(choice: NonNullable<AgentSpec['toolChoice']>) {
  const toolChoice =
    choice === 'required' ? choice : { type: 'function' as const, function: { name: choice.name } };
  return createMiddleware({
    name: 'demanding',
    wrapModelCall: (request, next) => next({ ...request, toolChoice }),
  });
}

/** An agent as a tool of another, as LangChain's users make it: it pauses with the agent around it, where that can. */
function subagentOf(
  { name, description, ...sub }: SubagentSpec,
  spec: AgentSpec,
  pauses: boolean,
): ClientTool {
  const { subagents: _none, compactAfter: _never, ...rest } = pauses ? spec : withoutPause(spec);
  const agent = agentOf({ ...rest, ...sub, name }, pauses ? true : undefined);
  const ask = async ({ task }: { task: string }) =>
    (await agent.invoke({ messages: [{ role: 'user', content: task }] })).messages.at(-1)?.text ?? '';
  return tool(ask, { name, description, schema: z.object({ task: z.string().default('Go on.') }) });
}

/** An agent without a memory of its own cannot be asked to pause. */
function withoutPause({ attach, ...spec }: AgentSpec): AgentSpec {
  const { approval, ...others } = attach;
  return {
    ...spec,
    attach: approval === 'native' || approval === undefined ? others : { ...others, approval },
  };
}

/** A client of MCP servers, where there are any. */
function clientOf(servers: readonly McpServerSpec[] = []): MultiServerMCPClient | undefined {
  if (servers.length === 0) return undefined;
  const stdio = servers.map(({ name, command, args }): [string, { command: string; args: string[] }] => [
    name,
    { command, args: [...args] },
  ]);
  return new MultiServerMCPClient({ mcpServers: Object.fromEntries(stdio) });
}

function contentOf(text: string, { image, caption }: RunOptions): string | readonly object[] {
  if (image === undefined) return text;
  return [
    { type: 'text', text },
    { type: 'image_url', image_url: { url: image } },
    ...(caption === undefined ? [] : [{ type: 'text', text: caption }]),
  ];
}

async function actor(spec: AgentSpec): Promise<HarnessAgent> {
  const client = clientOf(spec.mcpServers);
  const mcpTools = (await client?.getTools()) ?? [];
  const checkpointer =
    spec.storage === undefined ? new MemorySaver() : new FileSaver(join(spec.storage, 'checkpoints'));
  const remembering = agentOf(spec, checkpointer, mcpTools);
  const play = async (
    input: unknown,
    { stream, form, session, signal, displace, user }: RunOptions,
  ): Promise<RunResult> => {
    const seen: Seen[] = [];
    const traced: Seen[] = [];
    const agent = session === undefined ? agentOf(withoutPause(spec), undefined, mcpTools) : remembering;
    const config = {
      recursionLimit: (spec.maxIterations ?? 30) * 2,
      callbacks: [new Listener(traced)],
      ...(signal && { signal }),
      ...(user !== undefined && { context: { user } }),
      ...(displace !== undefined && { [displace]: displacing[displace] }),
      ...(session !== undefined && { configurable: { thread_id: session } }),
    };
    try {
      const result = stream
        ? await (form === undefined
            ? readAll(agent, input, config, seen)
            : readEvents(agent, input, { ...config, version: form.slice(-2) }, seen))
        : await agent.invoke(input as never, config);
      seen.push(...traced, { kind: 'result', value: result });
      const { messages } = result;
      return { text: messages.at(-1)?.text ?? '', result, usage: usageOf(messages), seen };
    } catch (error) {
      seen.push(...traced, { kind: 'error', value: error });
      return { text: '', error, seen };
    }
  };
  return {
    run: (prompt, { history = [], behind = [], ...options }) => {
      const asked = { role: 'user', content: contentOf(prompt, options) };
      return play({ messages: [...history.map(messageOf), asked, ...behind.map(messageOf)] }, options);
    },
    async resume(answers, options) {
      const { pausedIn = options.session } = options;
      const state = await remembering.graph.getState({ configurable: { thread_id: pausedIn } });
      return play(new Command({ resume: byCall(answers, await pendingApprovals(state)) }), options);
    },
    paused: (session) => remembering.graph.getState({ configurable: { thread_id: session } }),
    async close() {
      await client?.close();
    },
    async stored(session) {
      const tuples: unknown[] = [];
      for await (const tuple of checkpointer.list({ configurable: { thread_id: session } }))
        tuples.push(tuple);
      return tuples;
    },
  };
}

/** What the answers of a run took. LangChain adds nothing up itself. */
function usageOf(messages: readonly BaseMessage[]) {
  const all = messages.flatMap((one) => (AIMessage.isInstance(one) ? (one.usage_metadata ?? []) : []));
  return {
    inputTokens: all.reduce((sum, { input_tokens: tokens }) => sum + tokens, 0),
    outputTokens: all.reduce((sum, { output_tokens: tokens }) => sum + tokens, 0),
  };
}

/** What a client posts, as a message of LangChain. */
function messageOf(posted: PostedMessage): object {
  switch (posted.role) {
    case 'user':
    case 'assistant':
      return posted;
    case 'call': {
      const { callId: id, toolName: name, input } = posted;
      return new AIMessage({ content: '', tool_calls: [{ id, name, args: { ...input } }] });
    }
    case 'result':
      return new ToolMessage({
        tool_call_id: posted.callId,
        name: posted.toolName,
        content: posted.output,
      });
    default:
      return new AIMessage('');
  }
}

function byCall(answers: readonly PersonAnswer[], pending: readonly PendingApproval[]): InterruptAnswers {
  const hashes = new Map(pending.map(({ callId, hash }) => [callId, hash]));
  return Object.fromEntries(
    answers.map(({ callId, ...answer }) => {
      const hash = hashes.get(callId);
      return [callId, { ...answer, ...(hash !== undefined && { hash }) }];
    }),
  );
}

const modes = ['updates', 'values', 'messages', 'tools', 'custom', 'debug', 'tasks', 'checkpoints'] as const;

/** One run, with every stream mode read to the end. */
async function readAll(agent: Agent, input: unknown, config: object, seen: Seen[]): Promise<Result> {
  let last = {};
  for await (const [mode, chunk] of await agent.stream(input as never, {
    ...config,
    streamMode: [...modes],
  })) {
    seen.push({ kind: `stream ${mode}`, value: chunk });
    if (mode === 'values') last = { ...last, ...chunk };
  }
  return last as Result;
}

/** One run, with the events of one version read to the end. */
async function readEvents(
  agent: Agent,
  input: unknown,
  config: { readonly version: string },
  seen: Seen[],
): Promise<Result> {
  const stream = await (agent.streamEvents(input as never, config as never) as unknown as Projections);
  let last: unknown;
  const calls = readCalls(stream, seen);
  // Where the run fails, the events do, too, and nobody awaits these.
  void Promise.allSettled([calls, stream.output]);
  for await (const event of stream) {
    seen.push({ kind: `event ${event.event ?? event.method}`, value: event });
    if (Object(event.data?.output).messages !== undefined) last = event.data?.output;
  }
  await calls;
  return ((await stream.output) ?? last) as Result;
}

async function readCalls({ toolCalls = [] as never }: Projections, seen: Seen[]): Promise<void> {
  for await (const { output } of toolCalls)
    seen.push({ kind: 'tool call', value: await output.catch((error: unknown) => error) });
}

/** What `streamEvents` gives; the projections are those of version 3. */
interface Projections
  extends AsyncIterable<{
    readonly event?: string;
    readonly method?: string;
    readonly data?: { readonly output?: unknown };
  }> {
  readonly toolCalls?: AsyncIterable<{ readonly output: Promise<unknown> }>;
  readonly output?: Promise<unknown>;
}

type Result = Awaited<ReturnType<Agent['invoke']>>;

/** Notes what callbacks, and so every trace, are told. */
class Listener extends BaseCallbackHandler {
  readonly name = 'listener';
  override awaitHandlers = true;
  readonly #seen: Seen[];

  constructor(seen: Seen[]) {
    super();
    this.#seen = seen;
  }

  override handleToolStart(...value: unknown[]): void {
    this.#seen.push({ kind: 'tool start', value });
  }
  override handleToolEnd(...value: unknown[]): void {
    this.#seen.push({ kind: 'tool end', value });
  }
  override handleToolError(...value: unknown[]): void {
    this.#seen.push({ kind: 'tool error', value });
  }
  override handleToolEvent(...value: unknown[]): void {
    this.#seen.push({ kind: 'tool event', value });
  }
  override handleLLMEnd(...value: unknown[]): void {
    this.#seen.push({ kind: 'llm end', value });
  }
  override handleChainEnd(...value: unknown[]): void {
    this.#seen.push({ kind: 'chain end', value });
  }
  override handleChainError(...value: unknown[]): void {
    this.#seen.push({ kind: 'chain error', value });
  }
}
