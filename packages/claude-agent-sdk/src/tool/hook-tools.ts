import { AsyncLocalStorage } from 'node:async_hooks';
import type { SdkMcpToolDefinition } from '@anthropic-ai/claude-agent-sdk';
import { type Hooks, markHooked } from '@hooks/core';
import {
  type AgentRun,
  Attachment,
  failureText,
  noteBlocked,
  openRun,
  parse,
  type StandardSchema,
} from '@hooks/core/adapter';
import { type HookToolOptions, OF_TOOLS } from '../options.ts';
import type { Registries } from '../registries.ts';
import { isRecord } from '../sdk.ts';
import { supports } from '../supports.ts';
import { Exchange } from './result.ts';

/** A tool that `tool` makes. */
export interface SdkTool {
  readonly name: string;
  readonly description: string;
  /** A shape of zod: a schema for each field. */
  readonly inputSchema: object;
  readonly annotations?: SdkMcpToolDefinition['annotations'];
  handler(args: never, extra: unknown): ReturnType<SdkMcpToolDefinition['handler']>;
}

type Handler = SdkTool['handler'];

/** A handler that is hooked by itself. */
interface HookedHandler {
  readonly original: Handler;
  readonly own: Registries;
}

const handlers: WeakMap<object, HookedHandler> = new WeakMap();

/** Why a call of a tool of this process cannot wait. */
export const CANNOT_WAIT =
  'Claude Code resumes a session before it knows the tools of this process, so their calls cannot wait: set `approval` to a function';

/** Opens the run of a single call, whose query is not hooked. */
export async function runAlone(registries: Registries, signal?: AbortSignal): Promise<AgentRun> {
  const principal = registries.principal({ options: {}, sessionId: undefined });
  const run = openRun(registries.attached(), { principal, signal });
  await run.begin();
  return run;
}

/**
 * The call whose hooks a server has asked: its handler, if it is hooked by itself, does not ask them again. What the tool
 * calls in turn is another call, so this holds for one.
 */
export const decidedCall: AsyncLocalStorage<{ handler: unknown }> = new AsyncLocalStorage();

/** How a handler is hooked, if it is. */
export function hookedHandler(handler: unknown): HookedHandler | undefined {
  return typeof handler === 'function' ? handlers.get(handler) : undefined;
}

/**
 * Hooks tools that `tool` made, for a server of a query that is not hooked, or for direct calls: each call has its own
 * session. In a hooked query, their registries are further in than those of the query.
 *
 * @throws HooksError `UNSUPPORTED_EVENT` where a refusing hook is registered on an event that the SDK does not have
 * @example
 * ```ts
 * const server = createSdkMcpServer({ name: 'shop', tools: hookTools([pay, refund], hooks) });
 * ```
 */
export function hookTools<const T extends readonly SdkTool[]>(
  tools: T,
  hooks: Hooks,
  options: HookToolOptions = {},
): T {
  const registries: Registries = Attachment.of(hooks, options, {
    of: 'hookTools',
    takes: OF_TOOLS,
    supports,
    tools: tools.map(({ name }) => name),
  });
  // Each is a copy of the tool in its place.
  return tools.map((tool) => hookTool(tool, registries)) as readonly SdkTool[] as T;
}

function hookTool(tool: SdkTool, registries: Registries): SdkTool {
  const known = hookedHandler(tool.handler);
  const original = known?.original ?? tool.handler;
  const own = registries.around(known?.own ?? Attachment.none);
  const handler: Handler = (args, extra) => {
    const decided = decidedCall.getStore();
    if (decided?.handler !== handler) return callAlone({ ...tool, handler: original }, own, args, extra);
    decided.handler = undefined;
    return original(args, extra);
  };
  handlers.set(handler, { original, own });
  return markHooked({ ...tool, handler }, tool);
}

async function callAlone(
  tool: SdkTool,
  own: Registries,
  args: unknown,
  extra: unknown,
): Promise<Awaited<ReturnType<Handler>>> {
  const { name, description, inputSchema, annotations, handler } = tool;
  const signal: unknown = isRecord(extra) ? extra['signal'] : undefined;
  const run = await runAlone(own, signal instanceof AbortSignal ? signal : undefined);
  const exchange = new Exchange();
  try {
    const outcome = await run.callTool(
      {
        toolName: name,
        input: args,
        tool: { kind: 'function', ref: tool, description, annotations },
        native: { meta: isRecord(extra) && isRecord(extra['_meta']) ? extra['_meta'] : {} },
      },
      exchange.by(async (input) => {
        const { value } = input === args ? { value: args } : await parseFields(inputSchema, input);
        return { result: await handler(value as never, extra) };
      }),
      {
        pause: CANNOT_WAIT,
        check: async (input) => {
          const { problem } = input === args ? {} : await parseFields(inputSchema, input);
          return problem === undefined ? undefined : { message: problem };
        },
      },
    );
    const reply = exchange.answer(outcome);
    if (outcome.aborted || reply === undefined) throw outcome.error;
    const result = reply.result as Awaited<ReturnType<Handler>>;
    if (outcome.status === 'blocked' || outcome.status === 'denied')
      noteBlocked(result, failureText(outcome));
    return result;
  } finally {
    await run.end({ kind: 'done' });
  }
}

/** Parses an input as the SDK does: each field by its schema, without further ones. */
async function parseFields(shape: object, input: unknown): Promise<Parsed> {
  if (!isRecord(input)) return { problem: 'the arguments must be an object' };
  const fields: Record<string, unknown> = {};
  for (const [field, schema] of Object.entries(shape) as readonly (readonly [string, StandardSchema])[]) {
    const fits = (value: unknown): Parsed => ({ value });
    const misfits = (problem: string): Parsed => ({ problem: `${field}: ${problem}` });
    const parsed = await parse(schema, input[field], fits, misfits);
    if (parsed.problem !== undefined) return parsed;
    if (parsed.value !== undefined) fields[field] = parsed.value;
  }
  return { value: fields };
}

interface Parsed {
  readonly value?: unknown;
  readonly problem?: string;
}
