import {
  AfterModelCall,
  AfterToolCall,
  AgentError,
  AgentSwitch,
  BeforeToolCall,
  createHooks,
  type EventPayload,
  type HookDecision,
  type HookProvider,
  type Hooks,
  MaxIterations,
  Notification,
  PermissionRequest,
  type PointData,
  proceed,
  type Session,
  SessionEnd,
  SessionResume,
  SessionStart,
  Stop,
  SubagentStart,
  SubagentStop,
  ToolApprovalDecision,
  TransformToolResult,
  TurnEnd,
  TurnStart,
  UserInputRequired,
  UserPromptSubmit,
} from '@hooks/core';
import { JournalError } from '../error.ts';
import type { JournalReading } from '../read/parse.ts';
import { type JournalSource, type ReadOptions, readJournal } from '../read/read-journal.ts';
import type { RegisteredHook } from '../record/types.ts';
import { type CallReplay, callOf, type ReplayedSession } from './call.ts';
import { RecordedClock } from './clock.ts';
import { decisionFrom, fromRecord, type OnRecord } from './from-record.ts';
import { keptOf } from './kept.ts';
import type { OtherDivergence, ReplayedCall, ReplayReport, UnknownReason, Verdict } from './report.ts';

/** Options of {@link replay}. */
export interface ReplayOptions extends Pick<ReadOptions, 'since' | 'session' | 'onProblem'> {
  /**
   * Ask hooks that run a program, or ask a service or a model, anew. Otherwise they answer from the record; where that does not hold the
   * answer of the same hook, the call is unknown.
   */
  readonly live?: boolean;
}

/**
 * Asks another policy about recorded events: what would it have done? No tool, model or person is asked: inputs, outputs and approvals
 * are the recorded ones.
 *
 * Meanwhile the clock (`Date`) of the process shows recorded times, so run it in a process of its own. Give the policy a store of its own,
 * where it has one.
 *
 * @param policy providers, or a registry that nothing else uses
 * @throws JournalError `NOT_FOUND`; `INVALID` where a registry has hooks that ask outside of the process, and `live` is not set
 * @example
 * ```ts
 * const { coverage, summary } = await replay('.hooks/journal', newPolicy());
 * console.log(`${coverage.judged} of ${coverage.calls} calls can be judged`, summary);
 * ```
 */
export async function replay(
  journal: JournalSource,
  policy: HookProvider | readonly HookProvider[] | Hooks,
  { since, session, onProblem, live = false }: ReplayOptions = {},
): Promise<ReplayReport> {
  let [unread, cutOff] = [0, 0];
  using run = new Replay(policy, live);
  const readings = readJournal(journal, {
    since,
    session,
    onProblem: (problem) => {
      if (problem.code === 'CUT_OFF') cutOff++;
      else unread++;
      onProblem?.(problem);
    },
  });
  for await (const reading of readings) await run.take(reading);
  return run.report(unread, cutOff);
}

/** Events that are told again, so that hooks know what they knew; what else stands in a journal is no dispatch. */
const TOLD: Readonly<Record<string, PointData>> = Object.fromEntries(
  [
    UserPromptSubmit,
    TurnStart,
    AfterModelCall,
    Stop,
    TurnEnd,
    SubagentStart,
    SubagentStop,
    AgentSwitch,
    Notification,
    AgentError,
    MaxIterations,
    UserInputRequired,
    SessionResume,
  ].map((token) => [`hooks.${token.type}`, token]),
);

const REPLAYED: ReadonlySet<string> = new Set([
  ...Object.values(TOLD).map(({ spec }) => spec.type),
  ...[SessionStart, SessionEnd, BeforeToolCall, PermissionRequest, ToolApprovalDecision].map(
    ({ type }) => type,
  ),
  ...[TransformToolResult, AfterToolCall].map(({ type }) => type),
]);

class Replay implements Disposable {
  readonly #hooks: Hooks;
  readonly #clock = new RecordedClock();
  readonly #sessions = new Map<string, ReplayedSession>();
  readonly #calls = new Map<string, CallReplay>();
  readonly #found: ReplayedCall[] = [];
  readonly #others: OtherDivergence[] = [];
  readonly #summary: Record<Verdict, number> = { same: 0, tightened: 0, loosened: 0, unknown: 0 };
  readonly #unknown: Partial<Record<UnknownReason, number>> = {};
  #total = 0;
  #lost = 0;
  /** The records of the call or dispatch that is being replayed, by their types. */
  #current: ReadonlyMap<string, JournalReading> = new Map();
  /** The call that is being replayed. */
  #call: CallReplay | undefined;
  /** The hooks of the recorded policies, by digest. */
  readonly #policies = new Map<string, readonly RegisteredHook[]>();
  readonly #assumed = new Map<string, number>();
  #unanswered = false;
  /** The calls that a hook of the policy granted, by their ids. */
  readonly #granted = new Set<string>();

  constructor(policy: HookProvider | readonly HookProvider[] | Hooks, live: boolean) {
    if ('dispatch' in policy) {
      this.#hooks = policy;
      const external = policy.list().find((hook) => hook.external);
      if (external && !live) {
        this.#clock[Symbol.dispose]();
        throw new JournalError(
          'INVALID',
          `replay: the hook ${external.id} asks outside of this process. Give its provider in place of the registry, so that it answers from the record, or set \`live\`.`,
        );
      }
      this.#watchGrants();
      return;
    }
    this.#hooks = createHooks({
      sessions: { idleMs: Number.POSITIVE_INFINITY, max: Number.POSITIVE_INFINITY },
    });
    const record: OnRecord = {
      external: this.#external.bind(this),
      kept: (id, type, external) => {
        const kept = this.#call?.kept.get(type)?.get(id);
        return kept?.external === external ? kept?.decision : undefined;
      },
    };
    for (const provider of 'register' in policy ? [policy] : policy)
      this.#hooks.use(fromRecord(provider, record, live));
    this.#watchGrants();
  }

  #watchGrants(): void {
    this.#hooks.observe(
      BeforeToolCall,
      ({ callId, approval }) => {
        if (approval?.kind === 'granted') this.#granted.add(callId);
        else this.#granted.delete(callId);
      },
      { id: 'replay' },
    );
  }

  [Symbol.dispose](): void {
    this.#clock[Symbol.dispose]();
  }

  async take(reading: JournalReading): Promise<void> {
    const { record } = reading;
    this.#clock.set(record.time);
    if (record.policy !== undefined && record.registered)
      this.#policies.set(record.policy, record.registered);
    this.#lost += record.gap?.lost ?? 0;
    if (record.session === undefined) return;
    if (record.type === 'hooks.session_start' || record.type === 'hooks.session_end') {
      await this.#leave(record.session);
      if (record.type === 'hooks.session_end') return;
    }
    const session = this.#sessionOf(reading, record.session);
    if (record.tool) return this.#takeCall(reading, session, record.tool.callId);
    if (!session.root.diverged) await this.#tell(reading, session);
  }

  report(unread: number, cutOff: number): ReplayReport {
    // Runs that died in the middle: what happened before the tool ran can be judged.
    for (const call of this.#calls.values()) this.#judge(call);
    const notAsked = this.#hooks
      .list()
      .filter(({ verb, event }) => verb !== 'observe' && !REPLAYED.has(event))
      .map(({ id }) => id);
    return {
      coverage: {
        calls: this.#total,
        judged: this.#total - this.#summary.unknown,
        unknown: this.#unknown,
        assumed: Object.fromEntries(this.#assumed),
        notAsked,
        unread,
        cutOff,
        lost: this.#lost,
      },
      summary: this.#summary,
      calls: this.#found,
      others: this.#others,
    };
  }

  async #takeCall(reading: JournalReading, session: ReplayedSession, callId: string): Promise<void> {
    const { type, decision } = reading.record;
    const key = `${session.state.id}\0${callId}`;
    if (type === 'hooks.before_tool_call') {
      // A paused call that was taken up again, perhaps in another process.
      if (this.#calls.has(key)) return;
      this.#total++;
      const call = callOf(this.#hooks, session, reading, () => this.#granted.has(callId));
      this.#calls.set(key, call);
      if (!session.root.diverged) await this.#ask(call, () => call.begin(), reading);
      return;
    }
    const call = this.#calls.get(key);
    if (call === undefined) return;
    const isOver = type === 'hooks.after_tool_call' && decision?.kind !== 'retry';
    if (!session.root.diverged) await this.#ask(call, () => call.go(reading), reading);
    if (!isOver) return;
    this.#calls.delete(key);
    this.#judge(call);
  }

  async #ask(call: CallReplay, ask: () => Promise<void>, reading: JournalReading): Promise<void> {
    this.#unanswered = false;
    call.readings.set(reading.record.type, reading);
    call.keep((point, recorded, fields) =>
      keptOf(
        recorded,
        fields,
        this.#hooks.get(point, recorded.record.tool?.name),
        this.#registered(recorded),
      ),
    );
    this.#current = call.readings;
    this.#call = call;
    await ask();
    this.#call = undefined;
    if (this.#unanswered) call.give('external');
    // What is told of other calls meanwhile would not have happened so.
    if (call.hasDiverged()) call.session.root.diverged = true;
  }

  #registered({ record: { policy = '' } }: JournalReading): readonly RegisteredHook[] | undefined {
    return this.#policies.get(policy);
  }

  #judge(call: CallReplay): void {
    const judged = call.judge();
    if (judged.unknown === undefined)
      for (const id of new Set([...call.kept.values()].flatMap((kept) => [...kept.keys()])))
        this.#assumed.set(id, (this.#assumed.get(id) ?? 0) + 1);
    this.#summary[judged.verdict]++;
    if (judged.unknown !== undefined)
      this.#unknown[judged.unknown] = (this.#unknown[judged.unknown] ?? 0) + 1;
    if (judged.verdict === 'same') return;
    if (judged.verdict !== 'unknown') call.session.root.diverged = true;
    const { record, place } = call.reading;
    this.#found.push({
      session: call.session.state.id,
      callId: record.tool?.callId ?? '',
      toolName: record.tool?.name ?? '',
      time: record.time,
      place,
      ...judged,
      verdict: judged.verdict,
    });
  }

  /** Tells hooks of an event beside a call. Where they refuse what was not refused, or the other way around, the run has diverged. */
  async #tell(reading: JournalReading, session: ReplayedSession): Promise<void> {
    const { record, place } = reading;
    const point = TOLD[record.type];
    if (point === undefined) {
      if (record.type === 'hooks.session_start') await session.state.open();
      return;
    }
    this.#current = new Map([[record.type, reading]]);
    const { type } = point.spec;
    const payload = { ...payloadOf(reading), type, session: session.state } as EventPayload;
    const decision = await this.#hooks.dispatch<EventPayload, HookDecision, never>(
      { ...point, type } as never,
      payload,
    );
    const [recorded, replayed] = [ending(record.decision?.kind), ending(decision.kind)];
    if (recorded === replayed) return;
    session.root.diverged = true;
    this.#others.push({ session: session.state.id, type, place, recorded, replayed });
  }

  #external(external: string, verb: 'on' | 'guard' | 'observe', type: string): HookDecision | undefined {
    const reading = this.#current.get(`hooks.${type}`);
    const hooks = reading?.record.hooks ?? [];
    const index = hooks.findIndex((hook) => hook.verb === verb && hook.external === external);
    // A guard that asks again only where another hook has changed the event: it had no need to.
    if (index < 0 && verb === 'guard' && hooks.some((hook) => hook.external === external)) return proceed();
    const hook = hooks[index];
    const decision = reading && hook && decisionFrom(reading, index, hook.decision);
    if (decision === undefined) this.#unanswered = true;
    return decision;
  }

  #sessionOf({ record, data }: JournalReading, id: string): ReplayedSession {
    const known = this.#sessions.get(id);
    if (known) return known;
    const parent = record.parentSession === undefined ? undefined : this.#sessions.get(record.parentSession);
    const state: Session = this.#hooks.session(id, {
      ...(parent && { parent: parent.state }),
      ...(record.details?.source === 'resume' && { source: 'resume' }),
      ...(data?.principal && { principal: data.principal }),
    });
    const session: ReplayedSession = { state, root: parent?.root ?? { diverged: false } };
    this.#sessions.set(id, session);
    return session;
  }

  async #leave(id: string): Promise<void> {
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    await session?.state.close();
  }
}

/** What of a decision changes how a run goes on. */
function ending(kind: string | undefined): string {
  return kind === 'block' || kind === 'retry' ? kind : 'proceed';
}

function payloadOf({ record, data }: JournalReading): Readonly<Record<string, unknown>> {
  const { agent, run, turn, details, attempt } = record;
  const { salt: _, response, hooks: __, principal, replaced: ___, ...texts } = data ?? { salt: '' };
  const { inputTokens, outputTokens, ...facts } = details ?? {};
  const usage = {
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
  };
  return {
    ...texts,
    ...facts,
    ...(agent !== undefined && { agent }),
    ...(run !== undefined && { run }),
    ...(turn !== undefined && { turn }),
    ...(principal && { principal }),
    ...(record.type === 'hooks.after_model_call'
      ? { response: { text: response ?? '', toolCalls: [], usage }, attempt: attempt ?? 1 }
      : { response: response ?? '' }),
  };
}
