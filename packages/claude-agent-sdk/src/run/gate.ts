import type { Settings } from '@anthropic-ai/claude-agent-sdk';
import type { AgentRun, CompactionAnswer } from '@hooks/core/adapter';
import type { InputOf } from '../sdk.ts';
import { Conversation, type Setting } from './conversation.ts';

/** Whose call it is. */
export interface Place {
  readonly run: AgentRun;
  readonly conversation: Conversation;
}

/** Who calls: the agent, and the mode that its permissions have now. */
export type Caller = Pick<InputOf<'PreToolUse'>, 'permission_mode' | 'agent_type'>;

/** Where a call of a tool of this process comes from, as Claude Code has announced it. */
export interface CallPlace extends Place {
  readonly callId: string;
  /** The name that the model sees. */
  readonly toolName: string;
  readonly server: string;
  readonly caller: Caller;
}

/** What hooks want of a summary. */
export type Compaction = Pick<Extract<CompactionAnswer, { readonly kind: 'compact' }>, 'summary' | 'context'>;

/** A server of this process. */
export interface OwnTools {
  /** A call is about to arrive. */
  announce(place: Place, input: InputOf<'PreToolUse'>, signal: AbortSignal): Promise<void>;
}

/** Everything that hooks decide on in the processes that were started with the same options. */
export class Gate {
  readonly setting: Setting;
  /** The servers of this process that are connected, by name. */
  readonly own: Map<string, OwnTools> = new Map();
  /** Lets tools run. Until Claude Code has called back for the first time, a query denies them all. */
  open: () => Promise<void> = async () => {};
  #opened: Promise<void> | undefined;
  /** Whether Claude Code calls this model. */
  usesModel: (model: string) => boolean = (model) => model === this.setting.options.model;
  /** The rules that the user has set since the query began. */
  addedRules: NonNullable<Settings['permissions']> = {};
  /** Keeps Claude Code from reading files, or lets it. Undefined in a bare query, which this process does not see. */
  withholdFiles: ((withheld: boolean) => Promise<void>) | undefined;
  /** The agents whose histories are being compacted, with what hooks want of the summaries. */
  readonly #compacting: Map<string, Compaction> = new Map();
  /** The conversation of the latest prompt. `/clear` begins another one in the same process. */
  current: Conversation | undefined;
  readonly #conversations: Map<string, Conversation> = new Map();
  readonly #places: Set<CallPlace> = new Set();

  constructor(setting: Setting) {
    this.setting = setting;
  }

  /** The conversation of a session of Claude Code, or that of a sub-agent, which goes on when `/clear` begins another. */
  conversation(sessionId: string, agentId?: string): Conversation {
    const ofAgent = agentId !== undefined && this.conversations.find(({ agents }) => agents.has(agentId));
    if (ofAgent) return ofAgent;
    const known = this.#conversations.get(sessionId) ?? new Conversation(sessionId, this.setting);
    this.#conversations.set(sessionId, known);
    return known;
  }

  /** Whether Claude Code has called back at all. */
  get heard(): boolean {
    return this.#opened !== undefined;
  }

  /** Claude Code calls back, so hooks decide on its tools from now on. */
  async hear(): Promise<void> {
    this.#opened ??= this.open();
    await this.#opened;
  }

  /**
   * Notes whether the history of an agent is being compacted: any other callback of that agent comes before or after.
   * Claude Code then reads the latest files again, and no hook sees that.
   */
  async compacts(agent: string, isCompacting: boolean): Promise<void> {
    const before = this.#compacting.size > 0;
    if (isCompacting) this.#compacting.set(agent, { context: [] });
    else this.#compacting.delete(agent);
    const now = this.#compacting.size > 0;
    if (now !== before && this.setting.registries.decidesResult('Read')) await this.withholdFiles?.(now);
  }

  /** Notes what hooks want of the summary that is made now. */
  guideSummary(agent: string, compaction: Compaction): void {
    this.#compacting.set(agent, compaction);
  }

  /** What hooks want of the summary for which an agent asks a model. Undefined if its history is not being compacted. */
  compaction(agent = ''): Compaction | undefined {
    return this.#compacting.get(agent);
  }

  get conversations(): readonly Conversation[] {
    return [...this.#conversations.values()];
  }

  /** Claude Code goes on in this session: a prompt that is sent now is one of it. */
  goesOnIn(conversation: Conversation): void {
    if (!conversation.left) this.current = conversation;
  }

  /** Forgets a session that Claude Code has left, once nothing goes on in it. */
  forget(conversation: Conversation): void {
    const { left, agents, begun, hasUnread } = conversation;
    if (left && agents.size === 0 && begun.size === 0 && !hasUnread)
      this.#conversations.delete(conversation.sessionId);
  }

  /** A server of this process is gone: what has its name from now on is another. */
  disconnected(name: string, server: OwnTools): void {
    if (this.own.get(name) === server) this.own.delete(name);
  }

  /** A tool of this process is about to be called. */
  announce(place: CallPlace): void {
    this.#places.add(place);
  }

  /** The place of a call that arrives, by what its server knows. Two calls may have the same id. */
  arrived(callId: unknown, server: string, tool: string): CallPlace | undefined {
    for (const place of this.#places) {
      if (place.callId !== callId || place.server !== server || !isNameOf(place.toolName, server, tool))
        continue;
      this.#places.delete(place);
      return place;
    }
    return undefined;
  }

  /** Forgets the calls of an answer that is over. They were refused before they arrived. */
  forgetPlaces(run: AgentRun): void {
    for (const place of this.#places) if (place.run === run) this.#places.delete(place);
  }
}

/** Whether a model's name is that of a tool of a server: alone or with the server before it, other characters replaced. */
export function isNameOf(modelName: string, server: string, tool: string): boolean {
  const plain = plainName(tool);
  return modelName === tool || modelName === plain || modelName === `mcp__${serverName(server)}__${plain}`;
}

export function plainName(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9_-]/g, '_');
}

/** Claude Code joins what it replaced in the names of its own connectors. */
export function serverName(name: string): string {
  const plain = plainName(name);
  return name.startsWith('claude.ai ') ? plain.replaceAll(/_+/g, '_').replaceAll(/^_|_$/g, '') : plain;
}
