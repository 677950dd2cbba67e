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
  type Session,
  SubagentStart,
  SubagentStop,
  sessionKey,
  ToolApprovalDecision,
  type ToolEvent,
} from '@hooks/core';
import { hashInput } from '@hooks/core/tool-call';
import { rootOf } from '../root-session.ts';
import { contentOf } from '../what-was-asked.ts';
import type { Kept, NoAnswer, SharedCounters } from './shared-counters.ts';

/** The run as which an event counts, or why nobody knows. */
export type CountsAs = Run | { readonly run?: never; readonly reason: string };

/** A run by the ids that it had when it began. */
export interface Run {
  readonly session: string;
  readonly run: string;
  readonly reason?: never;
}

/** A call for which a run waits here. */
interface Pause {
  readonly call: Pick<ToolEvent, 'callId' | 'nativeToolName'>;
  /** Writes down the run of the call, and those that wait for it. */
  write(): Promise<CountsAs | Kept | NoAnswer>;
  written: Promise<unknown>;
}

/**
 * Which run a paused one was before. Where a run goes on in another process, it gets a new id, unless the framework keeps it. So
 * whoever asks for an approval writes down the run of the call and those that wait for it, and the first answered call of a run
 * tells what they were.
 */
export class PausedRuns {
  readonly #counters: SharedCounters;
  readonly #keepMs: number;
  /** Of a run that goes on here. */
  readonly #before = sessionKey<() => Promise<CountsAs>>(`@hooks/guards/paused-runs/${++made}`);
  /** The calls for which a run waits here. */
  readonly #pauses = sessionKey<Pause[]>(`@hooks/guards/pauses/${made}`);
  /** The runs of a session that started sub-agents, by the sub-agent's session. */
  readonly #starters = sessionKey<Map<string, string>>(`@hooks/guards/starting-runs/${made}`);

  constructor(counters: SharedCounters, keepMs: number) {
    this.#counters = counters;
    this.#keepMs = keepMs;
  }

  watch(hooks: HookRegistrar): void {
    const options = { allowUnknown: true };
    hooks.guard(PermissionRequest, (call) => (call.approval === undefined ? this.#write(call) : proceed()), {
      ...options,
      id: 'run-that-pauses',
      optional: true,
    });
    hooks.observe(BeforeToolCall, (call) => call.resumed && this.#goOn(call), {
      ...options,
      id: 'run-that-goes-on',
    });
    // No other hook hears of a call that has paused in another process and is denied.
    hooks.observe(ToolApprovalDecision, (call) => this.#isDeniedAfterPause(call) && this.#goOn(call), {
      ...options,
      id: 'run-that-goes-on-without-call',
      optional: true,
    });
    // Of the group, because not every framework has sub-agents, and nobody needs to be warned of that.
    hooks.observe(AgentEvent, (event) => this.#noteStarter(event), { id: 'run-of-sub-agent' });
  }

  /** The run as which an event counts. */
  of(event: EventPayload): Promise<CountsAs> {
    return this.#countsAs(event.session, event.run);
  }

  async #countsAs(session: Session, run = ''): Promise<CountsAs> {
    return session.run(run).get(this.#before)?.() ?? { session: session.id, run };
  }

  #noteStarter(event: EventPayload & Partial<Pick<SubagentStart, 'subagentSession'>>): void {
    const { type, session, run, subagentSession } = event;
    if (run === undefined || subagentSession === undefined) return;
    if (type === SubagentStart.type) session.get(this.#starters, newMap).set(subagentSession, run);
    if (type === SubagentStop.type) session.get(this.#starters)?.delete(subagentSession);
  }

  async #write(call: ToolEvent): Promise<Block | Proceed> {
    const runsOf = this.#runsOf(call);
    const key = keyOf(call);
    const write = async (): Promise<CountsAs | Kept | NoAnswer> => {
      const runs = await Promise.all(runsOf.map(([session, run]) => this.#countsAs(session, run)));
      const unknown = runs.find(({ reason }) => reason !== undefined);
      return unknown ?? this.#counters.keep(await key, runs, this.#keepMs);
    };
    const { callId, nativeToolName } = call;
    const written = write();
    const pause = { call: { callId, nativeToolName }, write, written };
    for (const [session, run] of runsOf) session.run(run).get(this.#pauses, newList).push(pause);
    const { reason } = await written;
    return reason === undefined ? proceed() : block(reason);
  }

  #isDeniedAfterPause(call: ToolApprovalDecision): boolean {
    if (call.approval !== 'deny' || !call.answered) return false;
    const { session, run = '', callId, nativeToolName } = call;
    const pauses = session.run(run).get(this.#pauses) ?? [];
    return !pauses.some((here) => here.call.callId === callId && here.call.nativeToolName === nativeToolName);
  }

  async #goOn(call: ToolEvent): Promise<void> {
    let found: Promise<Kept | NoAnswer> | undefined;
    const find = async (): Promise<Kept | NoAnswer> => {
      found ??= keyOf(call).then((key) => this.#counters.kept(key));
      const answer = await found;
      // A store that is away is asked again.
      if (answer.kind !== 'kept') found = undefined;
      return answer;
    };
    const others = new Set<Pause>();
    for (const [at, [session, run]] of this.#runsOf(call).entries()) {
      const values = session.run(run);
      // The first answered call of a run decides.
      if (values.get(this.#before) !== undefined) continue;
      values.set(this.#before, async () => {
        const answer = await find();
        if (answer.kind === 'closed') return answer;
        const runs = answer.kind === 'kept' && Array.isArray(answer.value) ? answer.value : [];
        const before: unknown = runs[at];
        return isRun(before) ? before : { session: session.id, run };
      });
      for (const pause of values.get(this.#pauses) ?? []) others.add(pause);
    }
    // They were written down before this call told which run it is.
    const writing = [...others].map((pause) => {
      pause.written = pause.written.then(pause.write);
      return pause.written;
    });
    await Promise.all(writing);
  }

  /** The run of a call, then those that wait for it: of the agent that started this one, and so on. */
  #runsOf({
    session,
    run = '',
  }: Pick<EventPayload, 'session' | 'run'>): readonly (readonly [Session, string])[] {
    const { parent } = session;
    const starter = parent?.get(this.#starters)?.get(session.id);
    const outer =
      parent === undefined || starter === undefined ? [] : this.#runsOf({ session: parent, run: starter });
    return [[session, run], ...outer];
  }
}

let made = 0;

function newMap(): Map<string, string> {
  return new Map();
}

function newList(): Pause[] {
  return [];
}

function isRun(value: unknown): value is Run {
  const { session, run } = Object(value);
  return typeof session === 'string' && typeof run === 'string';
}

/** What identifies a call, wherever it goes on. A sub-agent's session may have another id there, the outermost one has the same. */
async function keyOf(call: ToolEvent): Promise<readonly string[]> {
  const { principal, session } = call;
  const whose = [principal?.tenant ?? null, principal?.id ?? null, rootOf(session).id];
  return ['paused', await hashInput([...whose, ...(await contentOf(call))])];
}
