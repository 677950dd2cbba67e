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
    // No other hook hears of a call that a person has denied in another process.
    hooks.observe(ToolApprovalDecision, (call) => call.source === 'user_rejected' && this.#goOn(call), {
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
    const runs = await Promise.all(this.#runsOf(call).map(([session, run]) => this.#countsAs(session, run)));
    const unknown = runs.find(({ reason }) => reason !== undefined);
    const answer = unknown ?? (await this.#counters.keep(await keyOf(call), runs, this.#keepMs));
    return answer.reason === undefined ? proceed() : block(answer.reason);
  }

  #goOn(call: ToolEvent): void {
    let found: Promise<Kept | NoAnswer> | undefined;
    const find = async (): Promise<Kept | NoAnswer> => {
      found ??= keyOf(call).then((key) => this.#counters.kept(key));
      const answer = await found;
      // A store that is away is asked again.
      if (answer.kind !== 'kept') found = undefined;
      return answer;
    };
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
    }
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

function isRun(value: unknown): value is Run {
  const { session, run } = Object(value);
  return typeof session === 'string' && typeof run === 'string';
}

/** What identifies a call, wherever it goes on. A sub-agent's session may have another id there, the outermost one has the same. */
async function keyOf(call: ToolEvent): Promise<readonly string[]> {
  const { principal, session } = call;
  const whose = [principal?.tenant ?? null, principal?.id ?? null, outermost(session).id];
  return ['paused', await hashInput([...whose, ...(await contentOf(call))])];
}

function outermost(session: Session): Session {
  return session.parent === undefined ? session : outermost(session.parent);
}
