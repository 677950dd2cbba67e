import type { Options, Query, SDKUserMessage } from '@anthropic-ai/claude-agent-sdk';
import { type Hooks, HooksError } from '@hooks/core';
import { type AttachingFunction, Attachment, blockReasonWith } from '@hooks/core/adapter';
import { wasUsed } from './approval/pending.ts';
import { permissionsOf } from './approval/permission.ts';
import { registeredTools } from './internals.ts';
import { ModelProxy } from './model/proxy.ts';
import { upstreamOf } from './model/settings.ts';
import {
  type ApprovalResponse,
  type HookedOptions,
  type HookedQueryOptions,
  OF_OPTIONS,
  OF_QUERIES,
} from './options.ts';
import { checkOptions, closedEnvironment, closedFlags, closedSettings } from './refuse.ts';
import type { Registries } from './registries.ts';
import { besideOurs } from './run/beside.ts';
import { callbacksOf } from './run/callbacks.ts';
import { Gate } from './run/gate.ts';
import { HookedQuery } from './run/hooked-query.ts';
import type { McpServers } from './sdk.ts';
import { proxySupports, supports } from './supports.ts';
import { HookedServer, knownServer } from './tool/server.ts';

const HOOKED = Symbol('@hooks/claude-agent-sdk options');

/** What options were made of. */
interface Hooked {
  readonly registries: Registries;
  /** The options of the user that were replaced, with what replaced them. */
  readonly given: Options;
  readonly made: Options;
}

/**
 * Hooks the options of `query` or `startup`: tool calls, prompts, `Stop`, sub-agents and compaction. Where the SDK lets
 * no hook do what one wants (rewrite a prompt, choose a model), the prompt is refused; `hookedQuery` does more.
 *
 * @throws HooksError `UNSUPPORTED_EVENT` where a refusing hook is registered on an event that the SDK does not have
 * @throws HooksError `INVALID_INPUT` where an option would let something go round the hooks; the message names it
 * @example
 * ```ts
 * query({ prompt, options: hookedOptions({ settingSources: [] }, hooks) });
 * ```
 */
export function hookedOptions(options: Options, hooks: Hooks, settings: HookedOptions = {}): Options {
  const by = { of: 'hookedOptions', takes: OF_OPTIONS };
  const { given, registries } = withRegistry(by, options, hooks, settings);
  return hook(given, registries, false, []).options;
}

/**
 * Runs `query` with hooks: on tool calls, prompts, sessions, `Stop`, sub-agents, compaction and the end of each run.
 * Messages, methods and errors are those of the SDK's query.
 *
 * @throws HooksError `UNSUPPORTED_EVENT` where a refusing hook is registered on an event that the SDK does not have
 * @throws HooksError `INVALID_INPUT` where an option would let something go round the hooks; the message names it
 * @example
 * ```ts
 * for await (const message of hookedQuery({ prompt, options: { settingSources: [] } }, hooks)) { … }
 * ```
 */
export function hookedQuery(
  {
    prompt,
    options = {},
  }: { readonly prompt: string | AsyncIterable<SDKUserMessage>; readonly options?: Options },
  hooks: Hooks,
  settings: HookedQueryOptions = {},
): Query {
  const by = { of: 'hookedQuery', takes: OF_QUERIES };
  const { given, registries } = withRegistry(by, options, hooks, settings);
  const { answers = [] } = settings;
  if (answers.length > 0 && given.resume === undefined)
    throw new HooksError(
      'INVALID_INPUT',
      'hookedQuery: `answers` needs the option `resume`, the session that waits.',
    );
  // Claude Code would wait for a prompt that never comes.
  if (prompt === '' && answers.length > 0 && answers.every(wasUsed))
    throw new HooksError(
      'INVALID_INPUT',
      'hookedQuery: the `answers` were given before, and no call waits for them. Resume the session with a prompt.',
    );
  if (given.continue === true)
    throw new HooksError(
      'INVALID_INPUT',
      'hookedQuery refuses the option continue: hooks must know the session before its first prompt. Set `resume` to its id.',
    );
  const { options: hooked, gate } = hook(given, registries, true, answers);
  const proxy = gate.setting.seesModels ? new ModelProxy(gate, upstreamOf(given)) : undefined;
  return new HookedQuery(prompt, hooked, gate, hookServers, proxy).query;
}

/** Makes hooked options. */
function hook(
  given: Options,
  registries: Registries,
  seesPrompts: boolean,
  answers: readonly ApprovalResponse[],
): { readonly options: Options; readonly gate: Gate } {
  checkOptions(given);
  const seesModels = registries.options('models').includes('proxy');
  const gate = new Gate({ registries, options: given, answers, seesPrompts, seesModels, expected: [] });
  const { mcpServers } = given;
  const closed = closedEnvironment(given, registries, answers);
  const made: Options = {
    hooks: besideOurs(callbacksOf(gate), given, registries),
    managedSettings: closedSettings(given, answers),
    settings: closedFlags(given, closed),
    env: { ...(given.env ?? process.env), ...closed },
    ...(mcpServers && { mcpServers: hookServers(mcpServers, gate) }),
    ...((asks(given) || answers.length > 0) && { canUseTool: permissionsOf(gate, given) }),
  };
  return { options: marked(given, registries, made), gate };
}

/** Whether Claude Code may ask this process about a call. */
function asks({ canUseTool, mcpServers = {} }: Options): boolean {
  const servers = Object.values(mcpServers);
  return (
    canUseTool !== undefined || servers.some((server) => 'instance' in server && server.tools !== undefined)
  );
}

/** The servers with those of this process hooked. */
function hookServers(servers: McpServers, gate: Gate): McpServers {
  const entries = Object.entries(servers).map(([name, server]) => {
    if (!('instance' in server)) return [name, server] as const;
    const { original, own } = knownServer(server);
    // The SDK knows a server by its key.
    return [name, new HookedServer({ ...original, name }, own, gate).config(server)] as const;
  });
  return Object.fromEntries(entries);
}

/** The user's options, without what an earlier attachment put in, and the registries of both. */
function withRegistry(
  by: AttachingFunction,
  options: Options,
  hooks: Hooks,
  settings: HookedOptions,
): { readonly given: Options; readonly registries: Registries } {
  const table = settings.models === 'proxy' ? proxySupports : supports;
  const declaration = { ...by, supports: table, tools: toolsOf(options) };
  const registries: Registries = Attachment.of(hooks, settings, declaration);
  const known: Hooked | undefined = Reflect.get(options, HOOKED);
  if (known === undefined) return { given: options, registries };
  const given: Options = { ...options };
  for (const key of Object.keys(known.made) as (keyof Options)[]) {
    // The user may have replaced it since.
    if (options[key] !== known.made[key]) continue;
    if (key in known.given) Object.assign(given, { [key]: known.given[key] });
    else delete given[key];
  }
  Reflect.deleteProperty(given, HOOKED);
  return { given, registries: registries.around(known.registries) };
}

function marked(given: Options, registries: Registries, made: Options): Options {
  return Object.assign({ ...given, ...made }, { [HOOKED]: { given, registries, made } satisfies Hooked });
}

/** The names of the tools that are known before the query. */
function toolsOf({ tools, mcpServers = {}, env = process.env }: Options): readonly string[] {
  const own = Object.entries(mcpServers).flatMap(([server, config]) =>
    'instance' in config
      ? [...registeredTools(knownServer(config).original).keys()].map((tool) =>
          env['CLAUDE_AGENT_SDK_MCP_NO_PREFIX'] ? tool : `mcp__${server}__${tool}`,
        )
      : [],
  );
  return [...(Array.isArray(tools) ? tools : []), ...own];
}

/**
 * Why a hook refused: a run, given its `result` message or error; or a call, given the result of a tool that is hooked by
 * itself. Undefined if no hook refused.
 */
export const blockReason: (resultOrError: unknown) => string | undefined = blockReasonWith(() => undefined);
