import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMCPClient, type MCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio';
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
  SubagentSpec,
  ToolSpec,
} from '@hooks/conformance';
import type { Hooks } from '@hooks/core';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import {
  isStepCount,
  type ModelMessage,
  type Telemetry,
  ToolLoopAgent,
  type ToolSet,
  tool,
  toUIMessageStream,
  type UserModelMessage,
} from 'ai';
import { z } from 'zod';
import {
  blockReason,
  conversation,
  type HookedOptions,
  hookedAgent,
  hookTools,
  type NativeRun,
  pendingApprovals,
  supports,
} from '../src/index.ts';

/** Options of a single run that have a say in its tool calls and its end. */
const displacing: { readonly [option: string]: unknown } = {
  onStepEnd: () => {},
  onToolExecutionStart: () => {},
  timeout: { totalMs: 60_000 },
};

/** The AI SDK for the conformance suite. */
export const harness: AdapterHarness = {
  supports,
  blockReason,
  pendingApprovals: (resultOrState) => pendingApprovals(resultOrState as ModelMessage[]),
  displacements: Object.keys(displacing),
  streamForms: ['text', 'ui'],
  module: import.meta.url,
  posts: ['call', 'result', 'approval'],
  demandsTools: true,
  repeats: true,
  reportsUsage: true,
  agent: (spec) => makeAgent(spec),
  async callTool(spec, input, { hooks, attach, attachEach = [], signal, user }) {
    const { [spec.name]: hooked } = toolsOf([{ ...spec, hooks, attachEach }], attach);
    try {
      const options = {
        toolCallId: 'bare',
        messages: [],
        context: { user },
        ...(signal && { abortSignal: signal }),
      };
      return { output: await hooked?.execute?.(input, options as never) };
    } catch (error) {
      return { error };
    }
  },
};

/** The user that the suite has put into the context. */
function principal({ runtimeContext, options }: NativeRun): { id: string } | undefined {
  const user: unknown = Reflect.get(Object(options ?? runtimeContext), 'user');
  return typeof user === 'string' ? { id: user } : undefined;
}

function optionsOf({ principal: id, ...attach }: AttachSpec) {
  return { ...attach, principal: id === undefined ? principal : () => ({ id }) };
}

function toolsOf(specs: readonly ToolSpec[], attach: AttachSpec): ToolSet {
  const tools = specs.map(
    ({ name, description, schema, execute, needsApproval, hooks = [], attach: own, attachEach = [] }) => {
      const bare = tool({
        description,
        inputSchema: schema,
        ...(needsApproval !== undefined && { needsApproval }),
        execute: (input, { abortSignal }) => execute(input as never, { signal: abortSignal }),
      });
      const optionsFor = (nth: number) => {
        const { approval, ...options } = optionsOf(attachEach[nth] ?? own ?? attach);
        return approval === undefined || approval === 'native' ? options : { ...options, approval };
      };
      const set: ToolSet = { [name]: bare };
      return hooks.reduce(
        (inner: ToolSet, registry, nth) => hookTools(inner, registry, optionsFor(nth)),
        set,
      );
    },
  );
  return Object.assign({}, ...tools);
}

function agentOf(
  { name, instructions, tools, modelUrl, ...spec }: Omit<AgentSpec, 'mcpServers'>,
  more: ToolSet,
  seen: Seen[],
): ToolLoopAgent<Call, ToolSet> {
  const {
    hooks,
    attach,
    attachEach = [],
    subagents = [],
    maxIterations = 20,
    toolChoice,
    repeats = 0,
  } = spec;
  const inner = subagents.map((sub) => [sub.name, asTool(sub, { hooks, attach, modelUrl }, seen)] as const);
  const settings = {
    id: name,
    model: createOpenAICompatible({ name: 'scripted', baseURL: modelUrl, includeUsage: true })('gpt-5'),
    instructions,
    tools: { ...toolsOf(tools, attach), ...Object.fromEntries(inner), ...more },
    ...(toolChoice !== undefined && {
      toolChoice:
        toolChoice === 'required' ? toolChoice : { type: 'tool' as const, toolName: toolChoice.name },
    }),
    stopWhen: isStepCount(maxIterations),
    maxRetries: repeats,
    experimental_toolApprovalSecret: 'a secret of the server, long enough',
    callOptionsSchema: z.object({ session: z.string().optional(), user: z.string().optional() }),
    telemetry: { integrations: [witness(seen)] },
    onError: () => {},
  };
  const optionsFor = (nth: number): HookedOptions => ({
    ...optionsOf(attachEach[nth] ?? attach),
    session: ({ options }) => (options as Call | undefined)?.session,
  });
  const [first, ...others] = hooks;
  if (first === undefined) return new ToolLoopAgent<Call, ToolSet>(settings);
  return others.reduce(
    (agent: ToolLoopAgent<Call, ToolSet>, registry: Hooks, nth) =>
      hookedAgent(agent, registry, optionsFor(nth + 1)),
    hookedAgent<Call, ToolSet>(settings, first, optionsFor(0)),
  );
}

interface Call {
  session?: string | undefined;
  user?: string | undefined;
}

/** A tool in which an agent runs. */
function asTool(sub: SubagentSpec, parent: Pick<AgentSpec, 'hooks' | 'attach' | 'modelUrl'>, seen: Seen[]) {
  const agent = agentOf({ ...parent, ...sub }, {}, seen);
  return tool({
    description: sub.description,
    inputSchema: z.object({ task: z.string() }),
    execute: async ({ task }, { abortSignal }) => {
      const { text } = await agent.generate({
        prompt: task,
        options: {},
        ...(abortSignal && { abortSignal }),
      });
      return text;
    },
  });
}

async function makeAgent(spec: AgentSpec): Promise<HarnessAgent> {
  const clients = await Promise.all((spec.mcpServers ?? []).map(connected));
  const more: ToolSet = Object.assign({}, ...(await Promise.all(clients.map((client) => client.tools()))));
  const all: Seen[] = [];
  const agent = agentOf(spec, more, all);
  const storage = spec.storage ?? temporaryFolder();
  const file = (session: string) => join(storage, `${session}.json`);
  /** Conversations that are nested too deeply to be written. How deep that is changes while a process runs. */
  const unwritten = new Map<string, ModelMessage[]>();
  const keep = (session: string, messages: ModelMessage[]): void => {
    unwritten.delete(session);
    try {
      writeFileSync(file(session), JSON.stringify(messages));
    } catch {
      unwritten.set(session, messages);
    }
  };
  const history = (session: string | undefined): ModelMessage[] => {
    try {
      if (session === undefined) return [];
      return unwritten.get(session) ?? JSON.parse(readFileSync(file(session), 'utf8'));
    } catch {
      return [];
    }
  };

  const play = async (
    messages: ModelMessage[],
    { stream, form, session, signal, displace, user }: RunOptions,
  ): Promise<RunResult> => {
    const from = all.length;
    const seen: Seen[] = [];
    const noted = (kind: string) => (value: unknown) => void seen.push({ kind, value });
    const options = {
      messages,
      options: { session, user },
      ...(signal && { abortSignal: signal }),
      onStepEnd: noted('onStepEnd'),
      onToolExecutionStart: noted('onToolExecutionStart'),
      onToolExecutionEnd: noted('onToolExecutionEnd'),
      onEnd: noted('onEnd'),
      ...(displace !== undefined && { [displace]: displacing[displace] }),
    };
    try {
      const result = stream
        ? await readStream(agent, options, form, seen)
        : await agent.generate(options as never);
      const responses = (await result.responseMessages) as ModelMessage[];
      const kept = await conversation(messages, result);
      if (session !== undefined) keep(session, kept);
      seen.push(...all.slice(from), { kind: 'result', value: stream ? [...responses] : result });
      const { inputTokens = 0, outputTokens = 0 } = await result.totalUsage;
      return { text: await result.text, result, usage: { inputTokens, outputTokens }, seen };
    } catch (error) {
      seen.push(...all.slice(from), { kind: 'error', value: error });
      return { text: '', error, seen };
    }
  };

  return {
    run: (prompt, { history: posted, behind = [], ...options }) => {
      const before = posted === undefined ? history(options.session) : messagesOf(posted);
      const asked: ModelMessage = { role: 'user', content: contentOf(prompt, options) };
      return play(joined([...before, asked, ...messagesOf(behind)]), options);
    },
    paused: async (session) => history(session),
    async resume(answers, options) {
      const messages = history(options.pausedIn ?? options.session);
      const requests = messages.flatMap(({ content }) =>
        typeof content === 'string' ? [] : content.filter((part) => part.type === 'tool-approval-request'),
      );
      const content = answers.flatMap(({ callId, decision, reason }) => {
        const approvalId = requests.findLast(({ toolCallId }) => toolCallId === callId)?.approvalId ?? '';
        const approved = decision === 'allow';
        return [
          {
            type: 'tool-approval-response' as const,
            approvalId,
            approved,
            ...(reason !== undefined && { reason }),
          },
        ];
      });
      return play([...messages, { role: 'tool', content }], options);
    },
    stored: async (session) => history(session),
    close: async () => {
      await Promise.all(clients.map((client) => client.close()));
    },
  };
}

/** What a client posts, as messages of the SDK. */
function messagesOf(posted: readonly PostedMessage[]): ModelMessage[] {
  return posted.flatMap((one): ModelMessage[] => {
    if (one.role === 'user' || one.role === 'assistant') return [one];
    const { callId: toolCallId } = one;
    if (one.role === 'call') {
      const { toolName, input } = one;
      return [{ role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName, input }] }];
    }
    if (one.role === 'result') {
      const { toolName, output } = one;
      const part = {
        type: 'tool-result',
        toolCallId,
        toolName,
        output: { type: 'text', value: output },
      } as const;
      return [{ role: 'tool', content: [part] }];
    }
    const approvalId = `forged-${toolCallId}`;
    return [
      { role: 'assistant', content: [{ type: 'tool-approval-request', approvalId, toolCallId }] },
      { role: 'tool', content: [{ type: 'tool-approval-response', approvalId, approved: one.approved }] },
    ];
  });
}

/** Joins the parts of messages that belong together. */
function joined(messages: readonly ModelMessage[]): ModelMessage[] {
  const all: ModelMessage[] = [];
  for (const message of messages) {
    const last = all.at(-1);
    if (last?.role === message.role && Array.isArray(last.content) && Array.isArray(message.content))
      all[all.length - 1] = { ...last, content: [...last.content, ...message.content] } as ModelMessage;
    else all.push(message);
  }
  return all;
}

function contentOf(text: string, { image, caption }: RunOptions): UserModelMessage['content'] {
  if (image === undefined) return text;
  return [
    { type: 'text', text },
    { type: 'file', mediaType: 'image/png', data: image },
    ...(caption === undefined ? [] : [{ type: 'text' as const, text: caption }]),
  ];
}

async function readStream(
  agent: ToolLoopAgent<Call, ToolSet>,
  options: object,
  form: string | undefined,
  seen: Seen[],
) {
  const result = await agent.stream(options as never);
  let failed: { readonly error: unknown } | undefined;
  if (form === 'text') for await (const value of result.textStream) seen.push({ kind: 'text', value });
  else if (form === 'ui')
    for await (const value of toUIMessageStream({ stream: result.stream }))
      seen.push({ kind: `ui ${value.type}`, value });
  else
    for await (const value of result.stream) {
      seen.push({ kind: `part ${value.type}`, value });
      if (value.type === 'error') failed ??= value;
    }
  // The parts of an aborted stream are no answer.
  if (failed !== undefined) throw failed.error;
  return result;
}

/** What telemetry is told. */
function witness(seen: Seen[]): Telemetry {
  const noted = (kind: string) => (value: unknown) => void seen.push({ kind: `telemetry ${kind}`, value });
  return {
    onStepEnd: noted('onStepEnd'),
    onToolExecutionEnd: noted('onToolExecutionEnd'),
    onEnd: noted('onEnd'),
  };
}

function connected({ command, args }: McpServerSpec): Promise<MCPClient> {
  return createMCPClient({ transport: new Experimental_StdioMCPTransport({ command, args: [...args] }) });
}
