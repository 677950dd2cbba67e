import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type {
  AdapterHarness,
  AgentSpec,
  AttachSpec,
  HarnessAgent,
  McpServerSpec,
  PostedMessage,
  RunOptions,
  RunResult,
  Seen,
  ToolSpec,
} from '@hooks/conformance';
import { Mastra } from '@mastra/core';
import { Agent } from '@mastra/core/agent';
import type { MastraModelConfig } from '@mastra/core/llm';
import type { TracingEvent } from '@mastra/core/observability';
import type {
  ProcessInputStepArgs,
  ProcessOutputResultArgs,
  ProcessOutputStreamArgs,
} from '@mastra/core/processors';
import { RequestContext } from '@mastra/core/request-context';
import { InMemoryStore, type MastraCompositeStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { LibSQLStore } from '@mastra/libsql';
import { MCPClient } from '@mastra/mcp';
import { Memory } from '@mastra/memory';
import { BaseExporter, Observability } from '@mastra/observability';
import { z } from 'zod';
import { blockReason, hookedAgent, hookTool, pendingApprovals, supports } from '../src/index.ts';

/** How a Mastra user does what the scenarios ask for. */
export const harness: AdapterHarness = {
  supports,
  blockReason,
  pendingApprovals,
  module: import.meta.url,
  posts: ['call', 'result'],
  demandsTools: true,
  repeats: true,
  reportsUsage: true,
  // The result of a run that a tripwire ended reports no tokens, hooks or not.
  knownGaps: [
    'the tokens of a run are those of each answer, also of those that hooks retried, where the last one is refused',
  ],
  agent: (spec) => makeAgent(spec),
  callTool: async (spec, input, { hooks, attach, attachEach = [], signal, user }) => {
    const tool = toolOf({ ...spec, hooks, attachEach }, attach);
    try {
      const output: unknown = await tool.execute?.(input, {
        ...(signal && { abortSignal: signal }),
        ...(user !== undefined && { requestContext: new RequestContext([['user', user]]) }),
      } as never);
      return { output };
    } catch (error) {
      return { error };
    }
  },
  displacements: ['hooks', 'inputProcessors', 'prepareStep', 'toolsets'],
};

/** The same, where what a user's processors and a trace are told is seen, too. */
export const witnessed: AdapterHarness = { ...harness, agent: (spec) => makeAgent(spec, new Witness()) };

/** The user that the suite has put into the context. */
function principal(context: RequestContext): { id: string } | undefined {
  const user = context.get('user');
  return typeof user === 'string' ? { id: user } : undefined;
}

function optionsOf({ principal: id, ...attach }: AttachSpec) {
  return { ...attach, principal: id === undefined ? principal : () => ({ id }) };
}

function toolOf(
  { name, description, schema, execute, needsApproval, hooks = [], attach, attachEach = [] }: ToolSpec,
  ofAgent: AttachSpec,
) {
  const optionsFor = (nth: number) => {
    const { approval, ...options } = optionsOf(attachEach[nth] ?? attach ?? ofAgent);
    return approval === undefined || approval === 'native' ? options : { ...options, approval };
  };
  const bare = createTool({
    id: name,
    description,
    inputSchema: schema,
    ...(needsApproval && { requireApproval: true }),
    execute: async (input, { abortSignal }) => execute(input as never, { signal: abortSignal }),
  });
  return hooks.reduce((inner, registry, nth) => hookTool(inner, registry, optionsFor(nth)), bare);
}

async function makeAgent(spec: AgentSpec, witness?: Witness): Promise<HarnessAgent> {
  const storage =
    spec.storage === undefined
      ? new InMemoryStore()
      : new LibSQLStore({ id: 'store', url: `file:${join(spec.storage, 'store.db')}` });
  const mcp = clientOf(spec.mcpServers);
  const model = createOpenAICompatible({ name: 'scripted', baseURL: spec.modelUrl, includeUsage: true })(
    'gpt-5',
  ) as MastraModelConfig;
  const memory = memoryOf(storage, model, spec.compactAfter);
  const define = ({
    name,
    instructions,
    tools,
    description,
  }: Pick<AgentSpec, 'name' | 'instructions' | 'tools'> & { readonly description?: string }) => ({
    id: name,
    name,
    instructions,
    model,
    tools: Object.fromEntries(tools.map((tool) => [tool.name, toolOf(tool, spec.attach)])),
    ...(description !== undefined && { description }),
  });
  const agents = (spec.subagents ?? []).map((sub) => [sub.name, new Agent(define(sub))] as const);
  const defined = define(spec);
  const tools = { ...defined.tools, ...(await mcp?.listTools()) };
  const { frameworkTool } = spec;
  const workflows = frameworkTool && { [frameworkTool.name]: workflowOf(frameworkTool) };
  const config = {
    ...defined,
    ...(witness && { inputProcessors: [witness], outputProcessors: [witness] }),
    tools,
    memory,
    ...(workflows && { workflows }),
    agents: Object.fromEntries(agents),
  };
  const [first, ...others] = spec.hooks;
  const optionsFor = (nth: number) => optionsOf(spec.attachEach?.[nth] ?? spec.attach);
  let agent: Agent<string, never> | Agent =
    first === undefined ? new Agent(config) : hookedAgent(config, first, optionsFor(0));
  for (const [nth, hooks] of others.entries()) agent = hookedAgent(agent, hooks, optionsFor(nth + 1));
  const observability =
    witness && new Observability({ configs: { all: { serviceName: 'conformance', exporters: [witness] } } });
  new Mastra({ agents: { agent }, storage, logger: false, ...(observability && { observability }) });
  const paused = new Map<string, string>();

  const start = async (
    run: () => Promise<unknown>,
    stream: boolean,
    seen: Seen[],
    session: string | undefined,
  ): Promise<RunResult> => {
    if (witness) witness.seen = seen;
    try {
      const output = await run();
      const result: Result = stream ? await readStream(output as Streamed, seen) : (output as Result);
      seen.push({ kind: 'result', value: result });
      if (session !== undefined && result.finishReason === 'suspended') paused.set(session, result.runId);
      await observability?.getDefaultInstance()?.flush();
      const { error, totalUsage: { inputTokens = 0, outputTokens = 0 } = {} } = result;
      return {
        text: answerOf(result),
        result,
        usage: { inputTokens, outputTokens },
        ...(error !== undefined && { error }),
        seen,
      };
    } catch (error) {
      return { text: '', error, seen };
    }
  };

  const answered = new Set<string>();
  const suspended = (session: string) => agent.listSuspendedRuns({ threadId: session, resourceId: 'user' });

  return {
    paused: suspended,
    close: async () => mcp?.disconnect(),
    run: (prompt, { history, behind, ...options }) => {
      const seen: Seen[] = [];
      const given = runOptions(spec, options, seen);
      const asked = messagesOf(prompt, options);
      const input =
        history || behind
          ? [...(history ?? []), { role: 'user', content: prompt } as const, ...(behind ?? [])].map(messageOf)
          : asked;
      const run = () =>
        options.stream
          ? agent.stream(input as never, given as never)
          : agent.generate(input as never, given as never);
      return start(run, options.stream, seen, options.session);
    },
    resume: async (answers, { session, stream, user, pausedIn = session }) => {
      const seen: Seen[] = [];
      let result: RunResult = { text: '', seen };
      for (const { callId, decision, reason } of answers) {
        const runId = paused.get(pausedIn) ?? (await suspended(pausedIn)).runs[0]?.runId ?? '';
        const answer = {
          runId,
          toolCallId: callId,
          ...(reason !== undefined && { reason }),
          memory: { thread: session, resource: 'user' },
          ...(user !== undefined && { requestContext: new RequestContext([['user', user]]) }),
        };
        const id = JSON.stringify([runId, callId]);
        const again = answered.has(id);
        answered.add(id);
        const allow = async () => {
          if (again) {
            // A page shows the person what waits now under that id.
            const shown = await pendingApprovals(await suspended(pausedIn));
            const yes = { approved: true, hash: shown.find((one) => one.callId === callId)?.hash };
            return stream ? agent.resumeStream(yes, answer) : agent.resumeGenerate(yes, answer);
          }
          return stream ? agent.approveToolCall(answer) : agent.approveToolCallGenerate(answer);
        };
        const deny = () => (stream ? agent.declineToolCall(answer) : agent.declineToolCallGenerate(answer));
        result = await start(decision === 'allow' ? allow : deny, stream, seen, session);
      }
      return result;
    },
    stored: async (session) => {
      const { messages } = await memory.recall({ threadId: session, resourceId: 'user' });
      return messages;
    },
  };
}

/** What a client posts, as a message of Mastra. */
function messageOf(posted: PostedMessage): object {
  if (posted.role === 'user' || posted.role === 'assistant') return posted;
  if (posted.role === 'approval') return { role: 'assistant', content: '' };
  const { callId: toolCallId, toolName } = posted;
  return posted.role === 'call'
    ? { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName, input: posted.input }] }
    : {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: posted.output } },
        ],
      };
}

function messagesOf(text: string, { image, caption }: RunOptions): Parameters<Agent['generate']>[0] {
  if (image === undefined) return text;
  const content = [
    { type: 'text' as const, text },
    { type: 'image' as const, image },
    ...(caption === undefined ? [] : [{ type: 'text' as const, text: caption }]),
  ];
  return [{ role: 'user', content }];
}

/** What a processor of the user's and a trace are told. */
class Witness extends BaseExporter {
  readonly id = 'witness';
  override readonly name = 'witness';
  seen: Seen[] = [];

  protected override async _exportTracingEvent(event: TracingEvent): Promise<void> {
    this.seen.push({ kind: `span ${event.type}`, value: event.exportedSpan });
  }

  processInputStep({ messages, steps }: ProcessInputStepArgs): undefined {
    this.seen.push({ kind: 'processInputStep', value: { messages, steps } });
  }

  async processOutputStream({ part }: ProcessOutputStreamArgs): Promise<typeof part> {
    this.seen.push({ kind: 'processOutputStream', value: part });
    return part;
  }

  processOutputResult({ messages, result }: ProcessOutputResultArgs): typeof messages {
    this.seen.push({ kind: 'processOutputResult', value: { messages, result } });
    return messages;
  }
}

/** Of so few words a message counts about eight tokens. */
function memoryOf(
  storage: MastraCompositeStore,
  model: MastraModelConfig,
  compactAfter: number | undefined,
): Memory {
  if (compactAfter === undefined) return new Memory({ storage, options: { lastMessages: 40 } });
  const observation = { model, messageTokens: compactAfter * 8, bufferTokens: false } as const;
  return new Memory({ storage, options: { observationalMemory: { observation, reflection: { model } } } });
}

/** The final answer: `text` of Mastra's result holds what the model said before it, too. A refused run has its reason there. */
function answerOf({ steps, text, tripwire }: Result): string {
  return tripwire === undefined ? (steps.at(-1)?.text ?? '') : text;
}

/** A workflow of one step, of which Mastra makes a tool itself. */
function workflowOf({ name, description, schema, execute }: ToolSpec) {
  const schemas = { inputSchema: schema, outputSchema: z.object({ answer: z.unknown() }) };
  const step = createStep({
    id: 'only',
    ...schemas,
    execute: async ({ inputData }) => ({ answer: await execute(inputData as never, {}) }),
  });
  return createWorkflow({ id: name, description, ...schemas })
    .then(step)
    .commit();
}

/** A client of MCP servers, where there are any. */
function clientOf(servers: readonly McpServerSpec[] = []): MCPClient | undefined {
  if (servers.length === 0) return undefined;
  const stdio = servers.map(({ name, command, args }): [string, { command: string; args: string[] }] => [
    name,
    { command, args: [...args] },
  ]);
  return new MCPClient({ id: randomUUID(), servers: Object.fromEntries(stdio) });
}

interface Result {
  readonly text: string;
  readonly tripwire?: object;
  readonly steps: readonly { readonly text: string }[];
  readonly finishReason?: string;
  readonly runId: string;
  readonly error?: unknown;
  readonly totalUsage?: { readonly inputTokens?: number; readonly outputTokens?: number };
}

interface Streamed {
  readonly fullStream: AsyncIterable<{ readonly type: string }>;
  readonly textStream: AsyncIterable<string>;
  getFullOutput(): Promise<Result>;
}

async function readStream(output: Streamed, seen: Seen[]): Promise<Result> {
  for await (const chunk of output.fullStream) seen.push({ kind: chunk.type, value: chunk });
  for await (const text of output.textStream) seen.push({ kind: 'text', value: text });
  return output.getFullOutput();
}

function runOptions(
  { maxIterations, toolChoice, repeats = 0 }: AgentSpec,
  { session, signal, displace, user }: RunOptions,
  seen: Seen[],
): object {
  return {
    maxSteps: maxIterations ?? 20,
    modelSettings: { maxRetries: repeats },
    ...(toolChoice !== undefined && {
      toolChoice: toolChoice === 'required' ? toolChoice : { type: 'tool', toolName: toolChoice.name },
    }),
    ...(session !== undefined && { memory: { thread: session, resource: 'user' } }),
    ...(signal && { abortSignal: signal }),
    ...(user !== undefined && { requestContext: new RequestContext([['user', user]]) }),
    onStepFinish: (value: unknown) => void seen.push({ kind: 'onStepFinish', value }),
    onChunk: (value: unknown) => void seen.push({ kind: 'onChunk', value }),
    onIterationComplete: (value: unknown) => void seen.push({ kind: 'onIterationComplete', value }),
    onFinish: (value: unknown) => void seen.push({ kind: 'onFinish', value }),
    ...displaced(displace),
  };
}

function displaced(option: string | undefined): object {
  switch (option) {
    case 'hooks':
      return { hooks: { beforeToolCall: () => {}, afterToolCall: () => {} } };
    case 'inputProcessors':
      return {
        inputProcessors: [{ id: 'mine', processInput: ({ messages }: { messages: unknown }) => messages }],
      };
    case 'prepareStep':
      return { prepareStep: ({ tools }: { tools: object }) => ({ tools: unhooked(tools) }) };
    case 'toolsets':
      return { toolsets: { mine: {} } };
    default:
      return {};
  }
}

/** Tools of the same names that nobody has hooked. */
function unhooked(tools: object): object {
  const names = Object.keys(tools);
  const tool = (id: string) =>
    createTool({ id, description: 'Not hooked.', execute: async () => 'ran unhooked' });
  return Object.fromEntries(names.map((name) => [name, tool(name)]));
}
