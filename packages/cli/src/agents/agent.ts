import type { Dialect, EventData, EventType } from '@hooks/config';
import { type DescribeTool, readStdin } from '@hooks/config/protocol';
import type { Approval } from '@hooks/core';
import type { Capabilities } from './carries.ts';

/** The combined result of a policy's hooks on one event of an agent. */
export interface Outcome {
  /** The refusal. The model reads its reason. */
  readonly block?: { readonly reason: string; readonly stop: boolean };
  /** Retry, or on a stop, keep working. */
  readonly retry?: string;
  /** The changed fields, by core's names. */
  readonly patch: Patch;
}

/** The fields of core's patches that some agent can carry out. */
export interface Patch {
  readonly input?: unknown;
  readonly output?: unknown;
  readonly errorMessage?: string;
  readonly approval?: Approval;
  readonly context?: readonly string[];
  readonly prompt?: string;
  readonly summary?: string;
}

/** The output and the exit code of a hook process. */
export interface Reply {
  readonly stdout?: object;
  readonly stderr?: string;
  readonly exitCode: number;
}

/** An event that an agent sends to its hook. */
export interface AgentEvent {
  /** The agent's name of the event. */
  readonly name: string;
  readonly data: EventData;
  /** The corresponding events of core, in order. */
  readonly as: readonly EventType[];
  /** Whether a failed hook refuses. */
  readonly gate: boolean;
  /** Decisions that the agent accepts at this moment only on another event. */
  readonly lacks?: readonly string[];
}

/** A command-line agent that runs commands as hooks: its protocol in both directions, and its capabilities. */
export interface Agent extends Capabilities {
  /** The events of core that it reports. */
  readonly events: ReadonlySet<EventType>;
  /** How long a hook may take, in seconds, where `--limit` does not say: less than the agent's own timeout. */
  readonly limit?: number;
  /** Tells the kind and the server of a tool from its name. Without it, names of MCP servers' tools begin with `mcp` or `MCP:`. */
  readonly describe?: DescribeTool;
  /**
   * Reads an event from JSON. Returns undefined for an event that no policy handles, and a warning for one that the agent
   * does not have. Throws if the JSON is not an event, or one of a gate that no policy handles.
   */
  readonly read: (json: unknown) => AgentEvent | string | undefined;
  /** Translates the outcome into the agent's protocol. Refuses decisions that the agent cannot carry out. */
  readonly write: (event: AgentEvent, outcome: Outcome) => Reply;
}

/** The events of core for an event: a result is transformed before the hooks of `after_tool_call` see it. */
export function eventsOf(type: EventType): readonly EventType[] {
  if (type === 'after_tool_call') return ['transform_tool_result', 'after_tool_call'];
  return type === 'user_prompt_submit' ? ['user_prompt_submit', 'before_run'] : [type];
}

/** The events of core that an agent with these events reports. */
export function eventsIn({ events }: Dialect): ReadonlySet<EventType> {
  return new Set(Object.values(events).flatMap(({ event }) => eventsOf(event)));
}

/** Reads the event on stdin, for agents whose events have names. */
export function readEvent(dialect: Dialect, title: string, json: unknown): AgentEvent | string | undefined {
  const name = eventName(json);
  const { events, neverFire, unsupportedGates = [] } = dialect;
  if (unsupportedGates.includes(name))
    throw new Error(
      `no policy handles ${title}'s ${name}, so nothing is checked there; remove "hooks run" from it in the settings`,
    );
  if (neverFire.includes(name)) return undefined;
  if (!Object.hasOwn(events, name)) return unknownEvent(title, name);
  const { event: data } = readStdin(dialect, json);
  return { name, data, as: eventsOf(data.type), gate: isGate(data.type) };
}

/**
 * Describes the tools of agents that only put the server's name and a separator in front of the name of an MCP server's tool. Of a
 * name with several separators the server is not known, so a rule about any server may mean it, and a rule that allows a server's
 * tools does not.
 */
export function separatedBy(separator: '-' | '_'): DescribeTool {
  return (toolName) => {
    const [server, ...rest] = toolName.split(separator);
    if (rest.length === 0) return undefined;
    return { kind: 'mcp', ...(rest.length === 1 && { server }) };
  };
}

/** The event with what its tool's name says. */
export function described<E extends AgentEvent | string | undefined>(event: E, describe: DescribeTool): E {
  if (typeof event !== 'object') return event;
  const { fields } = event.data;
  const tool = describe(String(fields['toolName'] ?? ''));
  return tool === undefined ? event : { ...event, data: { ...event.data, fields: { ...fields, tool } } };
}

/** Names as Gemini CLI and Cursor give them. */
export const describeByPrefix: DescribeTool = (toolName) =>
  /^(?:mcp_(?!_)|MCP:)/.test(toolName) ? { kind: 'mcp' } : undefined;

/** Whether a failed hook refuses the event. */
export function isGate(type: EventType): boolean {
  return ['before_tool_call', 'after_tool_call', 'user_prompt_submit', 'before_model_call'].includes(type);
}

/**
 * Returns the warning about an event that an agent does not have.
 *
 * @throws Error if the name looks like a gate, because no hook would check the call
 */
export function unknownEvent(agent: string, name: string): string {
  const unknown = `${agent} has no event ${JSON.stringify(name)}`;
  if (/^(?:pre|before)|permission|guard|submit/i.test(name))
    throw new Error(`${unknown}, so no hook can check it; does --as name the agent that runs this?`);
  return `hooks run: ${unknown}; the event is ignored`;
}

/**
 * An id for a call of an agent that gives none, so that no two calls are taken for the same. Not a UUID, because loading `crypto`
 * would slow down the start.
 */
export function newCallId(): string {
  return `call-${process.pid}-${process.hrtime.bigint()}`;
}

/** Reads the name of an event, for most agents. Throws without a name, so that the gate stays closed. */
export function eventName(json: unknown): string {
  const name: unknown = Object(json).hook_event_name;
  if (typeof name === 'string') return name;
  throw new Error('the event on stdin has no hook_event_name');
}
