import type { JournalData, JournalReading, JournalRecord } from '@hooks/journal';
import type { DecisionCounts, RunStatus, RunSummary } from '../api.ts';

/** Summarizes the records of one run. */
export class Summary {
  readonly id: string;
  readonly session: string;
  #title = '';
  #start = Number.POSITIVE_INFINITY;
  #end = 0;
  #status: RunStatus = 'open';
  #principal: string | undefined;
  readonly #agents = new Set<string>();
  readonly #models = new Set<string>();
  readonly #tools = new Set<string>();
  readonly #deciders = new Set<string>();
  readonly #turns = new Set<string>();
  readonly #calls = new Set<string>();
  /** Calls with a pending approval. */
  readonly #waiting = new Set<string>();
  readonly #counts: { -readonly [kind in keyof DecisionCounts]: number } = {
    blocked: 0,
    asked: 0,
    denied: 0,
    changed: 0,
    retried: 0,
    failed: 0,
  };
  #subagents = 0;
  #inputTokens = 0;
  #outputTokens = 0;

  constructor(id: string, session: string) {
    this.id = id;
    this.session = session;
  }

  add({ record, data }: JournalReading): void {
    const { agent, tool, turn, details, session } = record;
    const own = session === this.session;
    const begun = Date.parse(record.time);
    this.#start = Math.min(this.#start, begun);
    this.#end = Math.max(this.#end, begun + (record.durationMs ?? 0));
    if (agent !== undefined) this.#agents.add(agent);
    if (details?.model !== undefined) this.#models.add(details.model);
    if (turn !== undefined) this.#turns.add(turn);
    if (tool) {
      this.#tools.add(tool.name);
      this.#calls.add(`${session} ${tool.callId}`);
    }
    if (own && data?.principal) this.#principal ??= data.principal.id;
    if (record.type === 'hooks.subagent_start') this.#subagents++;
    if (record.type === 'hooks.after_model_call') {
      this.#inputTokens += details?.inputTokens ?? 0;
      this.#outputTokens += details?.outputTokens ?? 0;
    }
    if (own) this.#nameBy(record, data);
    this.#count(record);
    this.#follow(record, own);
  }

  /** Forgets what came from the data of records. */
  forget(): void {
    this.#title = '';
    this.#principal = undefined;
  }

  get isOver(): boolean {
    return this.#status !== 'open';
  }

  get view(): RunSummary {
    return {
      id: this.id,
      session: this.session,
      agents: [...this.#agents],
      title: this.#title,
      start: this.#start,
      end: this.#end,
      status: this.#waiting.size > 0 && this.#status === 'open' ? 'waiting' : this.#status,
      ...(this.#principal !== undefined && { principal: this.#principal }),
      models: [...this.#models],
      tools: [...this.#tools],
      deciders: [...this.#deciders],
      turns: this.#turns.size,
      toolCalls: this.#calls.size,
      subagents: this.#subagents,
      counts: { ...this.#counts },
      inputTokens: this.#inputTokens,
      outputTokens: this.#outputTokens,
    };
  }

  /** Sets the title: the prompt, or the first tool call if no prompt was recorded. */
  #nameBy({ type, tool }: JournalRecord, data: JournalData | null | undefined): void {
    if (type === 'hooks.user_prompt_submit' && data?.prompt !== undefined)
      this.#title = data.prompt.slice(0, 300);
    else if (this.#title === '' && type === 'hooks.before_tool_call' && tool) this.#title = tool.name;
  }

  #count({ type, hooks = [], decision, status, attempt = 0 }: JournalRecord): void {
    const counts = this.#counts;
    for (const hook of hooks) {
      if (hook.error !== undefined) counts.failed++;
      if (hook.error !== undefined || (hook.decision && hook.decision.kind !== 'proceed'))
        this.#deciders.add(hook.id);
    }
    if (decision?.kind === 'block') counts.blocked++;
    if (decision?.kind === 'retry') counts.retried++;
    if (decision?.kind === 'modify' && decision.fields?.some((field) => !UNTOUCHED.has(field)))
      counts.changed++;
    if (type === 'hooks.permission_request') counts.asked++;
    // A denial by a hook is counted as a Block.
    if (type === 'hooks.after_tool_call' && status === 'denied' && attempt === 0) counts.denied++;
  }

  #follow({ type, tool, session, decision, details }: JournalRecord, own: boolean): void {
    const call = `${session} ${tool?.callId}`;
    if (type === 'hooks.permission_request' && decision?.kind !== 'block') this.#waiting.add(call);
    if (type === 'hooks.tool_approval_decision' || type === 'hooks.after_tool_call')
      this.#waiting.delete(call);
    if (!own) return;
    if (type === 'hooks.turn_start') this.#status = 'open';
    if (type === 'hooks.user_prompt_submit' || type === 'hooks.before_run')
      this.#status = decision?.kind === 'block' ? 'blocked' : 'open';
    if (type === 'hooks.turn_end') this.#status = ENDS[details?.reason ?? ''] ?? this.#status;
    if (type === 'hooks.agent_error') this.#status = 'failed';
    if (type === 'hooks.session_end' && this.#status === 'open') this.#status = 'completed';
  }
}

/** Fields whose change does not affect what runs or is shown. */
const UNTOUCHED: ReadonlySet<string> = new Set(['context', 'approval', 'metadata']);

const ENDS: Readonly<Record<string, RunStatus>> = {
  normal: 'completed',
  error: 'failed',
  canceled: 'canceled',
  hook_blocked: 'blocked',
  loop_detected: 'blocked',
};
