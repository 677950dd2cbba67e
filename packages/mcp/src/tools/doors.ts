import type { ToolDescriptor } from '@hooks/core';
import type { Route } from '../connection.ts';
import {
  errorResponse,
  type Fields,
  type Id,
  isFields,
  type Message,
  message,
  SERVER_ERROR,
} from '../message/message.ts';
import type { ToolDefinition } from './offer.ts';

/** A request by which a client gets what a server made: what hooks see of it, and how what they decide is put back. */
export interface Door {
  /** The name of the tool, as hooks see it; undefined where the request has none. */
  name(params: Fields): string | undefined;
  /** The fields of `params` that matter, which are not to be spelled otherwise. */
  readonly fields: ReadonlySet<string>;
  input(params: Fields): Fields;
  /** The params with what hooks have put in the place of the input. */
  withInput(params: Fields, input: Fields, toolName: string): Fields;
  /** The result that an output put in place by a hook stands for; undefined where it stands for none. */
  result(output: unknown, params: Fields): Fields | undefined;
  /** The answer that hooks refused it. */
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

const toolCall: Door = {
  name: ({ name }) => (typeof name === 'string' ? name : undefined),
  fields: new Set(['name', 'arguments', 'task']),
  input: ({ arguments: input = {} }) => input as Fields,
  withInput: (params, input, name) => ({ ...params, name, arguments: input }),
  result(output) {
    if (isFields(output) && Array.isArray(output['content'])) return output;
    if (typeof output === 'string') return { content: [text(output)] };
    const json = text(JSON.stringify(output) ?? '');
    return { content: [json], ...(isFields(output) && { structuredContent: output }) };
  },
  // Not an error of JSON-RPC, which clients take for a broken server: the model has to read it.
  refusal: (id, reason) => message({ id, result: { content: [text(reason)], isError: true } }),
};

const resourceRead: Door = {
  name: () => 'resources/read',
  fields: new Set(['uri']),
  input: ({ uri }) => ({ uri }),
  withInput: (params, input) => ({ ...params, ...input }),
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
  withInput: (params, input) => ({ ...params, ...input }),
  result(output) {
    if (typeof output === 'string') return { messages: [{ role: 'user', content: text(output) }] };
    return isFields(output) && Array.isArray(output['messages']) ? output : undefined;
  },
  refusal: (id, reason) => errorResponse(id, SERVER_ERROR, reason),
};

/** The result of a task comes by another request than the call, where no hook would see it. */
export const NO_TASKS = 'Tasks are not available through this proxy: call the tool without `task`.';

/** The door of a method; undefined where no hook decides about it. */
export function doorOf(method: string): Door | undefined {
  switch (method) {
    case 'tools/call':
      return toolCall;
    case 'resources/read':
      return resourceRead;
    case 'prompts/get':
      return promptGet;
    default:
      return undefined;
  }
}

/** A tool, as hooks are told of it. */
export function descriptorOf(
  definition: ToolDefinition | undefined,
  server: string | undefined,
): ToolDescriptor {
  const { description, inputSchema, annotations } = definition ?? {};
  const { readOnlyHint, destructiveHint } = annotations ?? {};
  return {
    kind: 'mcp',
    ...(server !== undefined && { server }),
    ...(typeof description === 'string' && { description }),
    ...(isFields(inputSchema) && { inputSchema: () => inputSchema }),
    ...(isFields(annotations) && {
      annotations: {
        ...(typeof readOnlyHint === 'boolean' && { readOnlyHint }),
        ...(typeof destructiveHint === 'boolean' && { destructiveHint }),
      },
    }),
  };
}
