import type { ToolDescriptor } from '@hooks/core';
import type { Route } from '../connection.ts';
import {
  errorResponse,
  type Fields,
  type Id,
  isDisguised,
  isFields,
  type Message,
  message,
  SERVER_ERROR,
} from '../message/message.ts';
import type { ToolDefinition } from './offer.ts';

/** A request that delivers something from a server: what hooks see of it, and how their decisions apply. */
export interface Door {
  /** The tool name that hooks see; undefined if the request has none. */
  name(params: Fields): string | undefined;
  /** The relevant fields of `params`, which must be spelled exactly. */
  readonly fields: ReadonlySet<string>;
  input(params: Fields): Fields;
  /** The params with the hooks' input. */
  withInput(params: Fields, input: Fields, toolName: string): Fields;
  /** The result for an output from a hook; undefined if it does not fit. */
  result(output: unknown, params: Fields): Fields | undefined;
  /** The answer for a blocked request. */
  refusal(id: Id, text: string): Message;
}

/** A request that hooks decide about. */
export interface GatedRequest {
  readonly door: Door;
  readonly id: Id;
  readonly message: Message;
  readonly route: Route;
}

const text = (of: string): Fields => ({ type: 'text', text: of });

/** A server may trim a name, and then it is another tool than the one that hooks matched. */
export function isToolName(name: unknown): name is string {
  return typeof name === 'string' && !/^\s|\s$|[\p{Cc}\p{Zl}\p{Zp}]/u.test(name);
}

const toolCall: Door = {
  name: ({ name }) => (isToolName(name) ? name : undefined),
  fields: new Set(['name', 'arguments', 'task']),
  input: ({ arguments: input = {} }) => input as Fields,
  withInput: (params, input, name) => ({ ...params, name, arguments: input }),
  result(output) {
    if (isFields(output) && Array.isArray(output['content'])) return output;
    if (typeof output === 'string') return { content: [text(output)] };
    const json = text(JSON.stringify(output) ?? '');
    return { content: [json], ...(isFields(output) && { structuredContent: output }) };
  },
  // Not a JSON-RPC error, which clients treat as a broken server. The model must read the reason.
  refusal: (id, reason) => message({ id, result: { content: [text(reason)], isError: true } }),
};

const resourceRead: Door = {
  name: () => 'resources/read',
  fields: new Set(['uri']),
  input: ({ uri }) => ({ uri }),
  withInput: ({ uri: _, ...params }, input) => ({ ...params, ...input }),
  result(output, { uri }) {
    if (typeof output === 'string') return { contents: [{ uri, text: output }] };
    return isFields(output) && Array.isArray(output['contents']) ? output : undefined;
  },
  refusal: (id, reason) => errorResponse(id, SERVER_ERROR, reason),
};

const promptGet: Door = {
  name: () => 'prompts/get',
  fields: new Set(['name', 'arguments']),
  input: ({ name, arguments: input }) => ({ name, ...(input !== undefined && { arguments: input }) }),
  withInput: ({ name: _, arguments: __, ...params }, input) => ({ ...params, ...input }),
  result(output) {
    if (typeof output === 'string') return { messages: [{ role: 'user', content: text(output) }] };
    return isFields(output) && Array.isArray(output['messages']) ? output : undefined;
  },
  refusal: (id, reason) => errorResponse(id, SERVER_ERROR, reason),
};

/** The result of a task comes with another request, where no hook would see it. */
export const NO_TASKS = 'Tasks are not available through this proxy: call the tool without `task`.';

const DOORS: ReadonlyMap<string, Door> = new Map([
  ['tools/call', toolCall],
  ['resources/read', resourceRead],
  ['prompts/get', promptGet],
]);
const GATED: ReadonlySet<string> = new Set(DOORS.keys());

/** The kind of request by method; undefined if hooks do not decide about it. */
export function doorOf(method: string): Door | undefined {
  return DOORS.get(method);
}

/**
 * Whether a method is another spelling of one that hooks decide about, or has characters that a lenient server may
 * remove, or end it at. No method has them.
 */
export function isDisguisedMethod(method: string): boolean {
  return isDisguised(method, GATED) || /[\p{Cc}\p{Cf}\p{Z}]/u.test(method);
}

/** Whether a method is about tasks. */
export function isTaskMethod(method: string): boolean {
  return method.toLowerCase().startsWith('tasks/');
}

/** A tool as hooks see it. */
export function descriptorOf(
  definition: ToolDefinition | undefined,
  server: string | undefined,
): ToolDescriptor {
  const { description, inputSchema, annotations } = definition ?? {};
  const { readOnlyHint, destructiveHint, openWorldHint } = annotations ?? {};
  return {
    kind: 'mcp',
    server,
    description: typeof description === 'string' ? description : undefined,
    inputSchema: isFields(inputSchema) ? () => inputSchema : undefined,
    ...(isFields(annotations) && {
      annotations: {
        ...(typeof readOnlyHint === 'boolean' && { readOnlyHint }),
        ...(typeof destructiveHint === 'boolean' && { destructiveHint }),
        ...(typeof openWorldHint === 'boolean' && { openWorldHint }),
      },
    }),
  };
}
