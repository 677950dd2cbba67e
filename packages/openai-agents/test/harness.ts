import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
  AdapterHarness,
  AgentSpec,
  AttachSpec,
  HarnessAgent,
  PostedMessage,
  ResumeOptions,
  RunOptions,
  RunResult,
  Seen,
  SubagentSpec,
  ToolSpec,
} from '@hooks/conformance';
import type { Hooks } from '@hooks/core';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import {
  Agent,
  type AgentInputItem,
  type FunctionTool,
  type MCPServer,
  MCPServerStdio,
  OpenAIProvider,
  RunContext,
  Runner,
  RunState,
  RunToolApprovalItem,
  setTraceProcessors,
  setTracingDisabled,
  type ToolOptions,
} from '@openai/agents';
import OpenAI from 'openai';
import type { ZodObject } from 'zod';
import { blockReason, hookedRunner, hookedTool, hookTool, pendingApprovals, supports } from '../src/index.ts';
import { CompactingSession } from './compacting-session.ts';
import { FileSession } from './file-session.ts';

type SpecTool = FunctionTool<unknown, ZodObject, unknown>;
type State = RunState<undefined, Agent>;
type Input = string | AgentInputItem[] | State;

interface Result {
  readonly state: { readonly usage: { readonly inputTokens: number; readonly outputTokens: number } };
  readonly finalOutput?: unknown;
  readonly cancelled?: boolean;
}

/** What the run at hand is traced as. Other runs go on at the same time. */
const traced = new AsyncLocalStorage<Seen[]>();

// Tests have no traces unless told otherwise; here they are kept in the place of being sent to OpenAI.
setTracingDisabled(false);
setTraceProcessors([
  {
    onTraceStart: async () => {},
    onTraceEnd: async () => {},
    onSpanStart: async () => {},
    onSpanEnd: async (span) =>
      void traced.getStore()?.push({
        kind: `span ${span.spanData.type}`,
        value: JSON.stringify([span.toJSON(), span.spanData]),
      }),
    shutdown: async () => {},
    forceFlush: async () => {},
  },
]);

/** Options of a single run that have a say in its model and tool calls. */
const displacing: { readonly [option: string]: unknown } = {
  callModelInputFilter: ({ modelData }: { readonly modelData: unknown }) => modelData,
  sessionInputCallback: (history: readonly unknown[], added: readonly unknown[]) => [...history, ...added],
  toolErrorFormatter: () => 'formatted otherwise',
  toolExecution: { maxFunctionToolConcurrency: 1, preApprovalInputGuardrails: true },
};

/** The OpenAI Agents SDK for the conformance suite. */
export const harness: AdapterHarness = {
  supports,
  blockReason,
  pendingApprovals: (resultOrState) => pendingApprovals(resultOrState as object),
  displacements: Object.keys(displacing),
  module: import.meta.url,
  keepsContext: true,
  demandsTools: true,
  repeats: true,
  reportsUsage: true,
  posts: ['call', 'result'],
  agent: (spec) => agentWith(spec, false),
  async callTool(spec, input, { hooks, attach, attachEach = [], signal, user }) {
    const tool = toolOf({ ...spec, hooks, attachEach }, attach);
    const context = new RunContext({ user });
    try {
      const text = JSON.stringify(input);
      const toolCall = {
        type: 'function_call' as const,
        callId: 'bare',
        name: spec.name,
        arguments: text,
        status: 'completed' as const,
      };
      const output = await tool.invoke(context, text, { toolCall, ...(signal && { signal }) });
      return { output, refusal: context };
    } catch (error) {
      return { error };
    }
  },
};

/** The same on OpenAI's Responses API, which is the SDK's default. */
export const responses: AdapterHarness = {
  ...harness,
  module: new URL('responses-harness.ts', import.meta.url).href,
  agent: (spec) => agentWith(spec, true),
};

async function agentWith(spec: AgentSpec, useResponses: boolean): Promise<HarnessAgent> {
  const servers = await Promise.all((spec.mcpServers ?? []).map(connected));
  const agent = agentOf(spec, spec.attach, servers);
  const storage = spec.storage ?? temporaryFolder();
  const close = async () => {
    await Promise.all(servers.map((server) => server.close()));
  };
  return actor(agent, hookedBy(runnerOf(spec, useResponses), spec), spec, storage, close);
}

/** The user that the suite has put into the context. */
function principal(context?: { user?: string }): { id: string } | undefined {
  return context?.user === undefined ? undefined : { id: context.user };
}

function optionsOf({ principal: id, ...attach }: AttachSpec) {
  return { ...attach, principal: id === undefined ? principal : () => ({ id }) };
}

function toolOf(
  { name, description, schema, execute, needsApproval, hooks = [], attach: own, attachEach = [] }: ToolSpec,
  attach: AttachSpec,
): SpecTool {
  const options = {
    name,
    description,
    parameters: schema,
    execute: (input: never, _context: unknown, details?: { readonly signal?: AbortSignal }) =>
      execute(input, { signal: details?.signal }),
    ...(needsApproval !== undefined && { needsApproval }),
  };
  const tool = hookedTool(options as unknown as ToolOptions<ZodObject>) as SpecTool;
  return hooks.reduce(
    (inner, registry, nth) => hookTool(inner, registry, optionsOf(attachEach[nth] ?? own ?? attach)),
    tool,
  );
}

function agentOf(spec: AgentSpec | SubagentSpec, attach: AttachSpec, servers: MCPServer[] = []): Agent {
  const { subagents = [], handoffs = [], toolChoice, repeats: maxRetries } = spec as Partial<AgentSpec>;
  const asTools = subagents.map((sub) =>
    agentOf(sub, attach).asTool({ toolName: sub.name, toolDescription: sub.description }),
  );
  return new Agent({
    name: spec.name,
    model: 'scripted',
    instructions: spec.instructions,
    ...('description' in spec && { handoffDescription: spec.description }),
    tools: [...spec.tools.map((tool) => toolOf(tool, attach)), ...asTools],
    handoffs: handoffs.map((sub) => agentOf(sub, attach)),
    mcpServers: servers,
    modelSettings: {
      ...(toolChoice !== undefined && {
        toolChoice: toolChoice === 'required' ? toolChoice : toolChoice.name,
      }),
      ...(maxRetries !== undefined && {
        retry: { maxRetries, backoff: { initialDelayMs: 1 }, policy: () => true },
      }),
    },
    ...(toolChoice !== undefined && { resetToolChoice: false }),
  });
}

async function connected({
  name,
  command,
  args,
}: {
  name: string;
  command: string;
  args: readonly string[];
}): Promise<MCPServer> {
  const server = new MCPServerStdio({ name, command, args: [...args] });
  await server.connect();
  return server;
}

function clientOf({ modelUrl }: AgentSpec): OpenAI {
  return new OpenAI({ baseURL: modelUrl, apiKey: 'none', maxRetries: 0 });
}

function sessionOf(spec: AgentSpec, id: string, storage: string): FileSession {
  return spec.compactAfter === undefined
    ? new FileSession(id, storage)
    : new CompactingSession(id, storage, clientOf(spec), spec.compactAfter);
}

function runnerOf(spec: AgentSpec, useResponses: boolean): Runner {
  const client = clientOf(spec);
  return new Runner({
    modelProvider: new OpenAIProvider({ openAIClient: client, useResponses }),
  });
}

function hookedBy(runner: Runner, { hooks, attach, attachEach = [] }: AgentSpec): Runner {
  return hooks.reduce(
    (inner: Runner, registry: Hooks, nth) =>
      hookedRunner(inner, registry, optionsOf(attachEach[nth] ?? attach)),
    runner,
  );
}

function inputOf(text: string, { image, caption }: RunOptions): string | AgentInputItem[] {
  if (image === undefined) return text;
  const content = [
    { type: 'input_text' as const, text },
    { type: 'input_image' as const, image },
    ...(caption === undefined ? [] : [{ type: 'input_text' as const, text: caption }]),
  ];
  return [{ role: 'user', content }];
}

function actor(
  agent: Agent,
  runner: Runner,
  spec: AgentSpec,
  storage: string,
  close: () => Promise<void>,
): HarnessAgent {
  const paused = new Map<string, State>();
  const stateFile = (session: string) => join(storage, `${session}.state.json`);
  const play = async (
    input: Input,
    { stream, session, signal, displace, user }: RunOptions,
  ): Promise<RunResult> => {
    const seen: Seen[] = [];
    const spans: Seen[] = [];
    const stop = listen(runner, seen);
    const options = {
      maxTurns: spec.maxIterations ?? 20,
      ...(signal && { signal }),
      ...(user !== undefined && { context: { user } }),
      ...(displace !== undefined && { [displace]: displacing[displace] }),
      ...(session !== undefined && { session: sessionOf(spec, session, storage) }),
    };
    try {
      const result = await traced.run(spans, () => runOnce(agent, runner, input, options, stream, seen));
      seen.push(...spans, { kind: 'result', value: result });
      const pending = await pendingApprovals(result);
      if (session !== undefined && pending.length > 0) {
        paused.set(session, result.state as State);
        writeFileSync(stateFile(session), result.state.toString());
      }
      const text = pending.length > 0 || result.cancelled ? '' : String(result.finalOutput ?? '');
      return { text, result, usage: result.state.usage, seen };
    } catch (error) {
      seen.push(...spans, { kind: 'error', value: error });
      return { text: '', error, seen };
    } finally {
      stop();
    }
  };
  const restored = (session: string) =>
    RunState.fromString<undefined, Agent>(agent, readFileSync(stateFile(session), 'utf8'));
  return {
    run: (prompt, { history, behind, ...options }) =>
      play(
        history || behind
          ? [...(history ?? []), { role: 'user', content: prompt } as const, ...(behind ?? [])].map(itemOf)
          : inputOf(prompt, options),
        options,
      ),
    paused: restored,
    async resume(answers, { session, stream, pausedIn = session }: ResumeOptions) {
      const state = paused.get(pausedIn) ?? (existsSync(stateFile(pausedIn)) && (await restored(pausedIn)));
      if (!state) return { text: '', error: new Error(`No run of ${pausedIn} waits.`), seen: [] };
      for (const { callId, decision, reason } of answers) {
        const item = itemFor(state, agent, callId);
        if (decision === 'allow') state.approve(item);
        else state.reject(item, reason === undefined ? {} : { message: reason });
      }
      return play(state, { session, stream });
    },
    async stored(session) {
      const file = stateFile(session);
      return {
        items: await new FileSession(session, storage).getItems(),
        ...(existsSync(file) && { state: readFileSync(file, 'utf8') }),
      };
    },
    close,
  };
}

/** What a server answers that believes the client: the call with this id, whether it waits or not. */
function itemFor(state: State, agent: Agent, callId: string): RunToolApprovalItem {
  const waiting = state
    .getInterruptions()
    .find(({ rawItem }) => 'callId' in rawItem && rawItem.callId === callId);
  const call = { type: 'function_call', callId, name: 'weather', arguments: '{"city":"Rome"}' } as const;
  return waiting ?? new RunToolApprovalItem(call, agent);
}

/** What a client posts, as an item of the SDK. */
function itemOf(posted: PostedMessage): AgentInputItem {
  switch (posted.role) {
    case 'user':
      return { role: 'user', content: posted.content };
    case 'call': {
      const { callId, toolName: name, input } = posted;
      return { type: 'function_call', callId, name, arguments: JSON.stringify(input), status: 'completed' };
    }
    case 'result': {
      const { callId, toolName: name, output } = posted;
      return { type: 'function_call_result', callId, name, status: 'completed', output };
    }
    default: {
      const text = posted.role === 'assistant' ? posted.content : '';
      return { role: 'assistant', status: 'completed', content: [{ type: 'output_text', text }] };
    }
  }
}

async function runOnce(
  agent: Agent,
  runner: Runner,
  input: Input,
  options: object,
  stream: boolean,
  seen: Seen[],
): Promise<Result> {
  if (!stream) return runner.run(agent, input, options);
  const result = await runner.run(agent, input, { ...options, stream: true });
  for await (const event of result) seen.push({ kind: `stream ${event.type}`, value: event });
  await result.completed;
  return result;
}

/** Notes everything that a runner tells its listeners. */
function listen(runner: Runner, seen: Seen[]): () => void {
  const noted =
    (kind: string) =>
    (...value: unknown[]) =>
      void seen.push({ kind, value });
  const listeners = (
    ['agent_start', 'agent_end', 'agent_handoff', 'agent_tool_start', 'agent_tool_end'] as const
  ).map((kind) => [kind, noted(kind)] as const);
  for (const [kind, listener] of listeners) runner.on(kind, listener);
  return () => {
    for (const [kind, listener] of listeners) runner.off(kind, listener);
  };
}
