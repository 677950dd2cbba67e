import type { ToolCallRequest } from 'langchain';
import type { Adopt } from './execution.ts';
import { isThrough } from './intercept.ts';
import type { HookableTool } from './tool.ts';

/** Under which a request tells what hooks were asked about: it goes along where a middleware spreads the request. */
const ASKED = Symbol('asked');

interface Asked {
  readonly tool: HookableTool | undefined;
  readonly name: string;
  /** As text: it may be changed in place. */
  readonly input: string | undefined;
  /** Makes of a tool that only a middleware knows what is to be called in its place. */
  readonly adopt?: Adopt | undefined;
}

/** A request about which hooks were asked, as the middleware behind us is to get it. */
export function asAsked(request: ToolCallRequest, adopt: Adopt | undefined): ToolCallRequest {
  const before: Asked | undefined = Reflect.get(request, ASKED); // by the hooks of another registry, further out
  const both = before?.adopt && adopt && nested(before.adopt, adopt);
  return Object.assign({ ...request }, { [ASKED]: { ...askedOf(request), adopt: both ?? adopt } });
}

function nested(outer: Adopt, inner: Adopt): Adopt {
  return (tool) => inner(outer(tool));
}

/**
 * A request as it is to be called, if it is still what hooks were asked about. A tool that only a middleware knows is no
 * change.
 */
export function stillAsked(request: ToolCallRequest): ToolCallRequest | undefined {
  const asked: Asked | undefined = Reflect.get(request, ASKED);
  if (asked?.input === undefined) return undefined;
  const { tool, name, input } = askedOf(request);
  if (name !== asked.name || input !== asked.input) return undefined;
  if (asked.tool !== undefined)
    return tool !== undefined && isThrough(tool, asked.tool) ? request : undefined;
  if (tool === undefined || asked.adopt === undefined) return request;
  return { ...request, tool: asked.adopt(tool) as ToolCallRequest['tool'] };
}

function askedOf({ tool, toolCall }: ToolCallRequest): Asked {
  const { name, args } = toolCall;
  return { tool: tool as HookableTool | undefined, name, input: textOf(args) }; // ToolNode only calls what has an `invoke`
}

function textOf(args: unknown): string | undefined {
  try {
    return JSON.stringify(args);
  } catch {
    return undefined;
  }
}
