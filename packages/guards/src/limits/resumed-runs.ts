import {
  AgentEvent,
  BeforeToolCall,
  type Block,
  block,
  type EventPayload,
  type HookRegistrar,
  PermissionRequest,
  type Proceed,
  proceed,
  SubagentStart,
  SubagentStop,
  sessionKey,
  ToolApprovalDecision,
  type ToolEvent,
} from '@hooks/core';
import { rootOf } from '@hooks/core/adapter';
import { hashInput } from '@hooks/core/tool-call';
import { contentOf } from '../what-was-asked.ts';
import type { NoAnswer, SharedCounters, StoredValue } from './shared-counters.ts';

/** The run whose budget an event uses, or why it is unknown. */
export type FoundRun = Run | { readonly run?: never; readonly reason: string };

/** A run by the ids that it had when it began. */
export interface Run {
  readonly session: string;
  readonly run: string;
  readonly reason?: never;
}

type RunEvent = Pick<EventPayload, 'session' | 'run'>;

/** A call in this process that has paused its run for an approval. */
interface Pause {
  readonly call: Pick<ToolEvent, 'callId' | 'nativeToolName'>;
  /** Stores the ids of the call's run and of the runs that wait for it. */
  store(): Promise<FoundRun | StoredValue | NoAnswer>;
  storing: Promise<unknown>;
}

/**
 * Finds the first ids of a run that resumes after a pause. In another process most frameworks give it a new id, and its budget
 * would start again. So each call that asks for an approval stores the ids of its run and of the runs that wait for it, and the
 * first answered call of a resumed run reads them.
 */
export class ResumedRuns {
  readonly #counters: SharedCounters;
  readonly #keepMs: number;
  /** Of a resumed run: reads its first ids. */
  readonly #first = sessionKey<() => Promise<FoundRun>>(`@hooks/guards/resumed-runs/${++made}`);
  /** Of a run: the calls in this process that it has paused for. */
  readonly #pauses = sessionKey<Pause[]>(`@hooks/guards/pauses/${made}`);
  /** Of a session: the run that started each sub-agent, by the sub-agent's session. */
  readonly #starters = sessionKey<Map<string, string>>(`@hooks/guards/starting-runs/${made}`);

  constructor(counters: SharedCounters, keepMs: number) {
    this.#counters = counters;
    this.#keepMs = keepMs;
  }

  watch(hooks: HookRegistrar): void {
    const options = { allowUnknown: true };
    hooks.guard(PermissionRequest, (call) => (call.approval === undefined ? this.#pause(call) : proceed()), {
      ...options,
      id: 'run-that-pauses',
      optional: true,
    });
    hooks.observe(BeforeToolCall, (call) => call.resumed && this.#resume(call), {
      ...options,
      id: 'run-that-goes-on',
    });
    // A call that paused in another process and is denied here reaches no other hook.
    hooks.observe(ToolApprovalDecision, (call) => this.#isDeniedAfterPause(call) && this.#resume(call), {
      ...options,
      id: 'run-that-goes-on-without-call',
      optional: true,
    });
    // On the group of events: hooks on SubagentStart cause a warning in frameworks without sub-agents.
    hooks.observe(AgentEvent, (event) => this.#noteStarter(event), { id: 'run-of-sub-agent' });
  }

  /** The run whose budget an event uses. */
  async of(event: RunEvent): Promise<FoundRun> {
    const { session, run = '' } = event;
    return session.run(run).get(this.#first)?.() ?? ownRun(event);
  }

  #noteStarter(event: EventPayload & Partial<Pick<SubagentStart, 'subagentSession'>>): void {
    const { type, session, run, subagentSession } = event;
    if (run === undefined || subagentSession === undefined) return;
    if (type === SubagentStart.type) session.get(this.#starters, newMap).set(subagentSession, run);
    if (type === SubagentStop.type) session.get(this.#starters)?.delete(subagentSession);
  }

  async #pause(call: ToolEvent): Promise<Block | Proceed> {
    const events = this.#withWaiting(call);
    const key = keyOf(call);
    const store = async (): Promise<FoundRun | StoredValue | NoAnswer> => {
      const runs = await Promise.all(events.map((event) => this.of(event)));
      const unknown = runs.find(({ reason }) => reason !== undefined);
      return unknown ?? this.#counters.set(await key, runs, this.#keepMs);
    };
    const { callId, nativeToolName } = call;
    const storing = store();
    const pause = { call: { callId, nativeToolName }, store, storing };
    for (const { session, run = '' } of events) session.run(run).get(this.#pauses, newList).push(pause);
    const { reason } = await storing;
    return reason === undefined ? proceed() : block(reason);
  }

  /** Whether a person denies a call that has paused in another process. */
  #isDeniedAfterPause(call: ToolApprovalDecision): boolean {
    if (call.approval !== 'deny' || !call.answered) return false;
    const { session, run = '', callId, nativeToolName } = call;
    const pauses = session.run(run).get(this.#pauses) ?? [];
    return !pauses.some((here) => here.call.callId === callId && here.call.nativeToolName === nativeToolName);
  }

  async #resume(call: ToolEvent): Promise<void> {
    let reading: Promise<StoredValue | NoAnswer> | undefined;
    const read = async (): Promise<StoredValue | NoAnswer> => {
      reading ??= keyOf(call).then((key) => this.#counters.get(key));
      const answer = await reading;
      // The next event asks a store again that did not answer.
      if (answer.kind !== 'value') reading = undefined;
      return answer;
    };
    const pauses = new Set<Pause>();
    for (const [at, event] of this.#withWaiting(call).entries()) {
      const state = event.session.run(event.run ?? '');
      // An earlier answered call of the run has said which run it is.
      if (state.get(this.#first) !== undefined) continue;
      state.set(this.#first, async () => {
        const answer = await read();
        if (answer.kind === 'closed') return answer;
        const runs = answer.kind === 'value' && Array.isArray(answer.value) ? answer.value : [];
        const first: unknown = runs[at];
        return isRun(first) ? first : ownRun(event);
      });
      for (const pause of state.get(this.#pauses) ?? []) pauses.add(pause);
    }
    // These calls paused before the first ids of their run were known, and have stored its new ones.
    const storing = [...pauses].map((pause) => {
      pause.storing = pause.storing.then(pause.store);
      return pause.storing;
    });
    await Promise.all(storing);
  }

  /** The run of a call, and the runs that wait for it: that of the agent which started this one, and so on. */
  #withWaiting({ session, run = '' }: RunEvent): readonly RunEvent[] {
    const { parent } = session;
    const starter = parent?.get(this.#starters)?.get(session.id);
    const waiting =
      parent === undefined || starter === undefined
        ? []
        : this.#withWaiting({ session: parent, run: starter });
    return [{ session, run }, ...waiting];
  }
}

let made = 0;

function newMap(): Map<string, string> {
  return new Map();
}

function newList(): Pause[] {
  return [];
}

/** The run of an event by the ids that it has in this process. */
export function ownRun({ session, run = '' }: RunEvent): Run {
  return { session: session.id, run };
}

function isRun(value: unknown): value is Run {
  const { session, run } = Object(value);
  return typeof session === 'string' && typeof run === 'string';
}

/** What identifies a call in each process. The id of a sub-agent's session may change, that of the root session does not. */
async function keyOf(call: ToolEvent): Promise<readonly string[]> {
  const { principal, session } = call;
  const whose = [principal?.tenant ?? null, principal?.id ?? null, rootOf(session).id];
  return ['paused', await hashInput([...whose, ...(await contentOf(call))])];
}
