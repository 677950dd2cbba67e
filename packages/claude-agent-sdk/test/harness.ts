import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createSdkMcpServer,
  type Options,
  type Query,
  query,
  type SDKResultMessage,
  type SDKUserMessage,
  tool,
} from '@anthropic-ai/claude-agent-sdk';
import type {
  AdapterHarness,
  AgentSpec,
  AttachSpec,
  HarnessAgent,
  RunOptions,
  RunResult,
  Seen,
  ToolSpec,
} from '@hooks/conformance';
import type { Hooks, SupportTable } from '@hooks/core';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import {
  type ApprovalResponse,
  blockReason,
  type HookedOptions,
  type HookedQueryOptions,
  type HookToolOptions,
  hookedOptions,
  hookedQuery,
  hookTools,
  pendingApprovals,
  type SdkTool,
  supports,
} from '../src/index.ts';
import { environment, texts } from './fixtures.ts';
import { translated } from './wire.ts';

const notHere = {
  level: 'none',
  note: 'Built-in tools are Claude Code’s own; other tests call them.',
} as const;

/** Without the proxy, Claude Code keeps context in the history, where later calls read it, too. */
const KEEPS_CONTEXT = [
  'TransformToolResult with an output and context: the model reads the output of the hook, and in its next call only, the context',
  'context from a tool call is in the next model call only and in no tool result',
  'Modify of context is in every model call of the run and no other, and is not stored',
  'context from SessionStart is in every model call of the session and is not stored',
  'Modify of context on TurnStart applies to this call only and is not stored',
];

/**
 * With it, hooks see what Claude Code sends beside: reminders at the end of results, a tool for models that it does not know, and requests
 * that it repeats after any error.
 */
const SHOWS_ALL = [
  'a model that fails: the events and their fields equal those of every adapter',
  'a model and settings that a hook selects: the events and their fields equal those of every adapter',
  'each result on BeforeModelCall names its tool and its call, also where a hook changes the text of another, and no other message does',
];

/** The Claude Agent SDK for the conformance suite, without hooks on calls of models. */
export const harness: AdapterHarness = harnessWith(supports, import.meta.url, {});

/** The Claude Agent SDK with these settings of each registry. */
export function harnessWith(
  table: SupportTable,
  module: string,
  settings: Pick<HookedOptions, 'models'>,
): AdapterHarness {
  return {
    // The suite's tools are tools of this process. Their calls cannot wait; those of built-in tools do in other tests.
    supports: {
      ...table,
      events: {
        ...Object.fromEntries(
          Object.entries(table.events).map(([type, event]) => [
            type,
            { ...event, ...(event.tools && { tools: { ...event.tools, framework: notHere } }) },
          ]),
        ),
        user_input_required: {
          fires: { level: 'none', note: 'Calls of tools of this process cannot wait.' },
        },
      },
    },
    blockReason,
    pendingApprovals,
    module,
    editsInputs: true,
    ownsHistory: true,
    repeats: true,
    reportsUsage: true,
    knownGaps: [
      ...(settings.models === undefined ? KEEPS_CONTEXT : SHOWS_ALL),
      // Its sub-agents are called by one tool, `Agent`, which hooks see by that name.
      'Block on BeforeToolCall keeps a sub-agent that is called as a tool from starting',
      'a agent tool call fires every event of a tool call in order, approval included',
      'a blocked agent tool call does not run',
      'a sub-agent: the events and their fields equal those of every adapter',
      // A query that a tool starts is a run of its own.
      'a hooked agent that a tool runs is a sub-agent in the session of the outer run, and its message fires no UserPromptSubmit',
      // The server refuses it, in its own words.
      'Modify of input reaches the server, and an input that does not fit its schema does not',
      // Calls of tools of this process cannot wait. Those of built-in tools do in other tests.
      'an answer has the same approvalId in each process in which it arrives, and that to an equal call of a later run has another',
      // `hookedOptions` does not take `refused`: only the outermost registry, that of `hookedQuery`, can set it.
      'of two registries, the outermost that sets `refused` chooses the form',
      // It runs calls one after the other, so the sibling is refused before it runs.
      'Block with stop on AfterToolCall answers the sibling call, calls no model, sets the reason on the result, and the session continues',
    ],
    sessionId: uuidOf,
    agent: (spec) => makeAgent(spec, settings),
    async callTool(spec, input, { hooks, attach, attachEach = [], signal, user }) {
      const [hooked] = hooks.reduce(
        (tools: readonly SdkTool[], registry, nth) =>
          hookTools(tools, registry, bareOptions(attachEach[nth] ?? attach, user)),
        [toolOf(spec)],
      );
      try {
        const result = await hooked?.handler(input as never, { signal });
        const parts = result?.content ?? [];
        const said = parts.map((part) => (part.type === 'text' ? part.text : part.type)).join('\n');
        const failed = result?.isError === true && blockReason(result) === undefined;
        return failed ? { error: new Error(said) } : { output: read(said), refusal: result };
      } catch (error) {
        return { error };
      }
    },
  };
}

/** What a tool's function returned, out of its text. */
function read(said: string): unknown {
  try {
    const value: unknown = JSON.parse(said);
    return typeof value === 'object' ? value : said;
  } catch {
    return said;
  }
}

function bareOptions(spec: AttachSpec, user: string | undefined): HookToolOptions {
  const { approval, ...attach } = attachOptions(spec, user);
  return {
    ...attach,
    ...(approval !== undefined && approval !== 'native' && { approval }),
  };
}

function attachOptions({ principal: id, ...attach }: AttachSpec, user: string | undefined) {
  const principal = id ?? user;
  return { ...attach, ...(principal !== undefined && { principal: () => ({ id: principal }) }) };
}

function toolOf({ name, description, schema, execute }: ToolSpec): SdkTool {
  return tool(name, description, Reflect.get(schema, 'shape'), async (args, extra) => {
    const signal: unknown = Reflect.get(Object(extra), 'signal');
    const out = await execute(args as never, signal instanceof AbortSignal ? { signal } : {});
    return { content: [{ type: 'text', text: typeof out === 'string' ? out : (JSON.stringify(out) ?? '') }] };
  }) as SdkTool;
}

/** A tool of an agent, with the registries that hook it by itself. */
function hookedToolOf(spec: ToolSpec, attach: AttachSpec): SdkTool {
  const { hooks = [], attach: own, attachEach = [] } = spec;
  const [hooked = toolOf(spec)] = hooks.reduce(
    (tools: readonly SdkTool[], registry, nth) =>
      hookTools(tools, registry, bareOptions(attachEach[nth] ?? own ?? attach, undefined)),
    [toolOf(spec)],
  );
  return hooked;
}

async function makeAgent(spec: AgentSpec, models: Pick<HookedOptions, 'models'>): Promise<HarnessAgent> {
  const { attach, attachEach = [], hooks, subagents = [], mcpServers = [] } = spec;
  const program = process.env['HOOKS_CLAUDE_PROGRAM'];
  const folder = spec.storage ?? temporaryFolder();
  const wire = await translated(
    spec.modelUrl,
    subagents.map(({ name }) => name),
    spec.repeats !== undefined,
  );
  const settingsFor = (nth: number, user: string | undefined): HookedQueryOptions => ({
    ...attachOptions(attachEach[nth] ?? attach, user),
    ...models,
  });
  // Attaching throws here, as for a user.
  const [first, ...others] = hooks;
  const resultFile = (session: string) => join(folder, `${session}.result.json`);
  /** How many messages each session has. */
  const lengths = new Map<string, number>();
  const own = [...spec.tools, ...subagents.flatMap(({ tools }) => tools)];

  const start = (
    prompt: string | AsyncIterable<SDKUserMessage>,
    { stream, session, user }: Pick<RunOptions, 'stream' | 'session' | 'user'>,
    abortController: AbortController,
    answers: readonly ApprovalResponse[],
  ): Query => {
    const id = session === undefined ? undefined : uuidOf(session);
    const known = id !== undefined && transcripts(folder).some((file) => file.endsWith(`${id}.jsonl`));
    const unique = own.filter((one, nth) => own.findIndex(({ name }) => name === one.name) === nth);
    const server = createSdkMcpServer({
      name: 't',
      alwaysLoad: true,
      tools: unique.map((one) => hookedToolOf(one, attach)) as never,
    });
    const options: Options = {
      cwd: folder,
      model: 'claude-sonnet-4-5',
      settingSources: [],
      systemPrompt: spec.instructions,
      agent: spec.name,
      agents: {
        [spec.name]: { description: spec.name, prompt: spec.instructions },
        ...Object.fromEntries(
          subagents.map(({ name, description, instructions, tools }) => [
            name,
            { description, prompt: instructions, tools: tools.map((one) => one.name) },
          ]),
        ),
      },
      tools: subagents.length > 0 ? ['Agent'] : [],
      skills: [],
      strictMcpConfig: true,
      permissionMode: 'bypassPermissions',
      allowDangerouslySkipPermissions: true,
      includePartialMessages: stream,
      abortController,
      maxTurns: spec.maxIterations ?? 20,
      ...(program !== undefined && { pathToClaudeCodeExecutable: program }),
      mcpServers: {
        t: {
          ...server,
          tools: own
            .filter(({ needsApproval }) => needsApproval)
            .map(({ name }) => ({ name, permission_policy: 'always_ask' as const })),
        },
        ...Object.fromEntries(
          mcpServers.map(({ name, command, args }) => [name, { command, args: [...args], alwaysLoad: true }]),
        ),
      },
      ...(id !== undefined && (known ? { resume: id } : { sessionId: id })),
      env: environment(wire.url, folder, {
        CLAUDE_AGENT_SDK_MCP_NO_PREFIX: '1',
        CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
        ...(spec.repeats !== undefined && { CLAUDE_CODE_MAX_RETRIES: String(spec.repeats) }),
      }),
    };
    if (first === undefined) return query({ prompt, options });
    const last = others.length;
    if (last === 0) return hookedQuery({ prompt, options }, first, { ...settingsFor(0, user), answers });
    const inner = hooks.slice(0, -1).reduce((made: Options, registry: Hooks, nth) => {
      return hookedOptions(made, registry, ofOptions(settingsFor(nth, user)));
    }, options);
    return hookedQuery({ prompt, options: inner }, hooks[last] ?? first, {
      ...settingsFor(last, user),
      answers,
    });
  };

  const play = async (
    prompt: string,
    options: RunOptions,
    answers: readonly ApprovalResponse[],
  ): Promise<RunResult> => {
    const seen: Seen[] = [];
    const abort = new AbortController();
    const { signal, session, image, caption } = options;
    signal?.addEventListener('abort', () => abort.abort(signal.reason), { once: true });
    let result: SDKResultMessage | undefined;
    try {
      const before = lengths.get(session ?? '') ?? 0;
      const compacts = spec.compactAfter !== undefined && before + 1 > spec.compactAfter;
      if (session !== undefined) lengths.set(session, before + 2);
      const asked = compacts
        ? texts('/compact', prompt)
        : image === undefined
          ? prompt
          : withImage(prompt, image, caption);
      for await (const message of start(asked, options, abort, answers)) {
        const { type, subtype, event } = message as {
          type: string;
          subtype?: string;
          event?: { type: string };
        };
        // Tells a terminal to draw anew, whenever Claude Code likes.
        if (subtype === 'ui_invalidate') continue;
        seen.push({ kind: [type, subtype, event?.type].filter(Boolean).join(' '), value: message });
        if (message.type === 'result') result = message;
      }
      signal?.throwIfAborted();
    } catch (error) {
      return { text: '', error: signal?.aborted ? signal.reason : error, result, seen };
    } finally {
      if (session !== undefined && result !== undefined) {
        // It repeats the inputs of refused calls, which may be too deep to write.
        const { permission_denials: _, ...state } = result;
        writeFileSync(resultFile(session), JSON.stringify(state));
      }
    }
    const text = result?.subtype === 'success' && !result.is_error ? result.result : '';
    const { input_tokens: inputTokens = 0, output_tokens: outputTokens = 0 } = result?.usage ?? {};
    return { text, result, usage: { inputTokens, outputTokens }, seen };
  };

  // As a user does, who attaches hooks before anything runs.
  if (first !== undefined) attachOnce(spec, settingsFor);

  return {
    run: (prompt, options) => play(prompt, options, []),
    async resume(answers, { session, pausedIn, ...options }) {
      const paused: unknown = stateOf(resultFile(pausedIn ?? session));
      const waiting = await pendingApprovals(paused);
      const responses = answers.map(({ callId, ...answer }): ApprovalResponse => {
        const {
          hash = '',
          toolName = '',
          approvalId = '',
        } = waiting.find((one) => one.callId === callId) ?? {};
        return { callId, hash, toolName, approvalId, ...answer };
      });
      return play('', { ...options, session }, responses);
    },
    paused: async (session) => stateOf(resultFile(session)),
    // The name of a feature of the API, for what the suite looks for.
    stored: async () =>
      transcripts(folder).map((file) => readFileSync(file, 'utf8').replaceAll('context-management', '')),
    close: async () => wire.close(),
  };
}

/** The settings that `hookedOptions` takes: a bare query has no other form of a refusal. */
function ofOptions({ refused: _, ...settings }: HookedQueryOptions): HookedOptions {
  return settings;
}

function attachOnce(
  { hooks, tools }: AgentSpec,
  settingsFor: (nth: number, user: string | undefined) => HookedQueryOptions,
): void {
  const server = createSdkMcpServer({ name: 't', tools: tools.map(toolOf) as never });
  const options: Options = { settingSources: [], mcpServers: { t: server } };
  hooks.reduce((made: Options, registry, nth) => {
    return hookedOptions(made, registry, ofOptions(settingsFor(nth, undefined)));
  }, options);
}

async function* withImage(text: string, url: string, caption?: string): AsyncGenerator<SDKUserMessage> {
  const [, data = ''] = url.split(',');
  yield {
    type: 'user',
    parent_tool_use_id: null,
    message: {
      role: 'user',
      content: [
        { type: 'text', text },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
        ...(caption === undefined ? [] : [{ type: 'text' as const, text: caption }]),
      ],
    },
  };
}

function stateOf(file: string): unknown {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

function transcripts(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.jsonl$|tool-results/.test(join(entry.parentPath, entry.name)))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Claude Code's sessions have UUIDs. */
function uuidOf(session: string): string {
  const hex = createHash('sha256').update(session).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
