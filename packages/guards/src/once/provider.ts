import {
  AfterToolCall,
  answer,
  BeforeExecute,
  BeforeToolCall,
  type Block,
  block,
  type EventPayload,
  type HookDecision,
  type HookProvider,
  HooksError,
  modify,
  type NamePattern,
  type Proceed,
  proceed,
  requireApproval,
  Stop,
  ToolApprovalDecision,
  type ToolEvent,
} from '@hooks/core';
import { hashInput } from '@hooks/core/tool-call';
import type { Store } from '@hooks/store';
import { inMemory } from '../in-memory.ts';
import {
  type Checks,
  callback,
  checkOptions,
  expecting,
  having,
  needed,
  toolMatcher,
  whole,
} from '../options.ts';
import { versionOf } from '../version.ts';
import { contentOf } from '../what-was-asked.ts';
import { type Answer, approvalsOf, type Known, type Outcome, type Over, Records } from './records.ts';

/** Options of {@link once}. */
export interface OnceOptions {
  /** The tools whose calls have effects that must not happen twice, by name or pattern. */
  readonly tools: NamePattern;
  /** Where claims and outcomes are kept, for all processes that run the agents. */
  readonly store: Store;
  /**
   * Calls of a tool with the same key are one call, in whatever session and run, of whatever user of a tenant:
   * `({ input }) => input.invoice`. A call for which it returns no text is blocked. Default: what the model asked in this run:
   * user, session, call id, tool and the input as the model sent it. Set it where a model gives its calls no ids, because each
   * time such a call is repeated it is another one.
   */
  readonly key?: (call: ToolEvent) => string;
  /** How long outcomes are kept, in milliseconds. Default: 30 days. */
  readonly keepMs?: number;
  /**
   * After this time without a sign of life, in milliseconds, a process counts as dead. Set it longer than a tool may block the
   * event loop. Default: 15 seconds.
   */
  readonly leaseMs?: number;
}

const CHECKS: Checks<OnceOptions> = {
  tools: needed(toolMatcher),
  store: needed(having('a store of @hooks/store', 'get', 'set', 'delete')),
  key: callback,
  keepMs: whole,
  // A longer timer would fire at once.
  leaseMs: expecting(
    'a whole number greater than 0, and less than 2 ** 31',
    (value) => whole(value, '') === undefined && Number(value) < 2 ** 31,
  ),
};

/**
 * Runs each call once, however often it is asked for: by an approval that arrives twice, a state that is resumed in two
 * processes, or a run that is repeated after a crash. It claims the call just before the tool runs, and keeps the outcome as
 * hooks left it. Whoever asks for the same call waits for that outcome, and gets it without running the tool.
 *
 * If the process died while the tool ran, nobody knows whether it took effect: the next one requires the approval of a
 * person. If a person has approved the call before, that yes was for a call that had not run yet, and the call is blocked
 * with a reason that tells the model to find out first. So is a call during which its run was aborted.
 *
 * What runs the call gets the key as `idempotencyKey`. Do not use it for a tool that pauses by itself while it runs.
 *
 * @throws HooksError `CONFIG_INVALID` if an option is unknown, missing or invalid
 * @example
 * ```ts
 * hooks.use(once({ tools: 'pay|send_.*', store: sqliteStore('.hooks/state.db') }));
 * ```
 */
export function once(options: OnceOptions): HookProvider {
  options = checkOptions('once', options, CHECKS);
  const { tools, store, key, keepMs = 30 * 24 * 60 * 60_000, leaseMs = 15_000 } = options;
  return {
    name: 'builtin:once',
    version: versionOf(options),
    register(hooks) {
      const calls = new Once(new Records(store, { keepMs, leaseMs }), key);
      const about = { allowUnknown: true };
      // Before hooks that would ask a person about a call that is over.
      const first = { ...about, id: 'known', priority: 10_000 };
      hooks.on(BeforeToolCall.matching(tools), (call, { signal }) => calls.lookUp(call, signal), first);
      // After hooks that may still refuse it.
      const last = {
        ...about,
        id: 'claim',
        priority: -10_000,
        ...inMemory('it keeps in one process which calls ran', store),
      };
      hooks.on(BeforeExecute.matching(tools), (call, { signal }) => calls.claim(call, signal), last);
      hooks.observe(ToolApprovalDecision.matching(tools), (decided) => calls.deny(decided), {
        ...about,
        id: 'deny',
      });
      // The run goes on when the outcome is kept. In this order of events, the highest priority is asked last.
      const keep = { ...about, id: 'keep', priority: 10_000 };
      hooks.guard(AfterToolCall.matching(tools), (call) => calls.keep(call), keep);
      hooks.observe(AfterToolCall.matching(tools), (call, decision) => calls.over(call, decision), {
        ...about,
        id: 'withhold',
      });
      // A guard, so that the run waits for it, and is not asked about a run that goes on.
      hooks.guard(Stop, (stop) => calls.end(stop).then(proceed), { id: 'end', optional: true });
    },
  };
}

type Answered = ReturnType<typeof answerWith>;
type LookedUp = Proceed | Answered | ReturnType<typeof requireApproval>;

/** The decisions about calls. */
class Once {
  readonly #records: Records;
  readonly #key: OnceOptions['key'];
  /**
   * The dead owners about whose runs a person was asked here, by the call that asked. Its events share what the model sent, and no
   * other call's events do, so that a yes to another question counts for nothing.
   */
  readonly #asked: WeakMap<object, string> = new WeakMap();
  /** The answers that count where a person denied a call here, by what the model sent. */
  readonly #denied: WeakMap<object, Promise<Answer>> = new WeakMap();
  /** The outcomes that are being kept, by execution. Each resolves to the call's key. */
  readonly #keeping: Map<string, Promise<string | undefined>> = new Map();

  constructor(records: Records, key: OnceOptions['key']) {
    this.#records = records;
    this.#key = key;
  }

  /** Answers a call that is over, before a person is asked about it. */
  async lookUp(call: BeforeToolCall, signal: AbortSignal): Promise<LookedUp> {
    const answer = await this.#firstAnswer(call);
    if (answer?.decision === 'deny') return block(answer.reason);
    const key = await this.#keyOf(call, answer);
    const { approvalId } = call;
    const found = await this.#records.settled(key, { signal, approvalId });
    const { known, version, isAlive } = found;
    switch (known?.kind) {
      case undefined:
      case 'new':
        return proceed();
      case 'over':
        if (!(await this.#isOther(call, known))) return answerWith(call, known.outcome);
        // Who resumes it in another process is not answered from the earlier run either.
        await this.#records.renew(key, known, version);
        return proceed();
      case 'running': {
        if (isAlive) return stillRuns(call);
        const who = await callerOf(call);
        const { asked = [] } = known;
        if (call.resumed?.decision === 'allow')
          return isAnswered(known, who, approvalId) ? proceed() : unknown(call);
        if (!asked.includes(who)) {
          const next: Known = { ...known, asked: [...asked, who] };
          // Somebody else has asked, or runs it by now.
          if ((await this.#records.replace(key, next, version)) === undefined)
            return this.lookUp(call, signal);
        }
        if (isObject(call.modelInput)) this.#asked.set(call.modelInput, known.owner);
        return requireApproval(
          `A call of ${call.toolName} was begun before its process ended, and may have taken effect. Run it again?`,
          { by: 'person' },
        );
      }
    }
  }

  /** Claims a call that is about to run, unless somebody else has. */
  async claim(call: BeforeExecute, signal: AbortSignal) {
    const answer = await this.#answered(call);
    if (answer?.decision === 'deny') return block(answer.reason);
    const key = await this.#keyOf(call, answer);
    const { executionId: owner = crypto.randomUUID(), resumed, approvalId } = call;
    const approved = resumed?.decision === 'allow';
    for (;;) {
      const found = await this.#records.settled(key, { signal, approvalId, owner });
      const { known, isAlive } = found;
      // When this call was looked up, it was not over: since then, a yes has arrived in another process, too, and has run it there.
      if (known?.kind === 'over') {
        if (!this.#isOfOtherApproval(call, known)) return answerWith(call, known.outcome);
        await this.#records.renew(key, known, found.version);
        continue;
      }
      if (known?.kind === 'running') {
        // Another `once` has claimed it, for this very execution.
        if (known.owner === owner) return proceed();
        if (isAlive) return stillRuns(call);
        // Only who was asked about this very run, here or before a pause, may take it over.
        const isApproved = approved
          ? isAnswered(known, await callerOf(call), approvalId)
          : isObject(call.modelInput) && this.#asked.get(call.modelInput) === known.owner;
        if (!isApproved) return unknown(call);
      }
      const isUntold = approved && approvalId === undefined;
      if (await this.#records.claim(key, found, { owner, approvalId, approved: isUntold, signal }))
        return modify({ idempotencyKey: key });
    }
  }

  /** A person has denied a call through a framework's pause. From now on, no other answer to the same approval runs it. */
  async deny(decided: ToolApprovalDecision): Promise<void> {
    const {
      approvalId,
      approval,
      answered,
      reason = 'A person did not approve this call.',
      modelInput,
    } = decided;
    if (approvalId === undefined || approval !== 'deny' || !answered) return;
    const denial: Answer = { decision: 'deny', reason };
    const counts = answerOf(decided, approvalId).then((id) => this.#records.answer(id, denial));
    if (isObject(modelInput)) this.#denied.set(modelInput, counts);
    await counts;
  }

  /** Keeps the outcome as hooks left it. Changes the reason of a denial that came too late. */
  async keep(call: AfterToolCall): Promise<Proceed | Block> {
    const { executionId, modelInput } = call;
    if (executionId !== undefined) {
      const keeping = this.#keep(call, executionId, outcomeOf(call));
      this.#keeping.set(executionId, keeping);
      await keeping;
    }
    // If the store cannot be reached, the call is denied all the same.
    const counts = isObject(modelInput) && (await this.#denied.get(modelInput)?.catch(() => undefined));
    return counts && counts.decision === 'allow' ? tooLate(call) : proceed();
  }

  /** The hooks have decided. If one withholds the outcome, it may have been kept already. */
  async over(call: AfterToolCall, decision: HookDecision): Promise<void> {
    const { executionId } = call;
    if (executionId === undefined || decision.kind === 'retry') return;
    const keeping = this.#keeping.get(executionId);
    this.#keeping.delete(executionId);
    if (decision.kind !== 'block') return;
    const outcome: Outcome = { kind: 'blocked', reason: decision.reason };
    const key = await (keeping ?? this.#keep(call, executionId, outcome));
    if (key === undefined) return;
    const { known, version } = await this.#records.find(key);
    if (known?.kind === 'over' && known.outcome.kind !== 'blocked')
      await this.#records.replace(key, { ...known, outcome }, version);
  }

  /** Resolves to the call's key, if its outcome was kept. */
  async #keep(call: AfterToolCall, executionId: string, outcome: Outcome): Promise<string | undefined> {
    const { run, ran, answered } = call;
    // A person's answer is an outcome, too: no later yes to the same approval runs the call.
    if (!ran && !answered) {
      await this.#records.release(executionId);
      return undefined;
    }
    try {
      const claim = this.#records.claimOf(executionId) ?? (await this.#claimedElsewhere(call));
      if (claim === undefined) return undefined;
      const { approvals } = claim;
      const over: Known = {
        kind: 'over',
        outcome,
        ...(run !== undefined && { run }),
        ...(approvals.length > 0 && { approvals }),
      };
      await this.#records.keepAs(claim.key, over, claim.version);
      return claim.key;
    } finally {
      // If the store fails, nobody knows how the call ended.
      this.#records.rest(executionId);
    }
  }

  /** The claim of an execution that another process has left to this one. */
  async #claimedElsewhere({ executionId, idempotencyKey: key }: AfterToolCall) {
    if (key === undefined) return undefined;
    const { known, version } = await this.#records.find(key);
    if (known?.kind !== 'running' || known.owner !== executionId) return undefined;
    return { key, version, approvals: approvalsOf(known) };
  }

  /** A run has ended: from now on, its call ids may be those of other calls. */
  async end(stop: EventPayload): Promise<void> {
    if (stop.run !== undefined) await this.#records.end(await runOf(stop, stop.run));
  }

  /** Whether a call is a new one that looks like one that is over. Models choose ids, and repeat them. */
  async #isOther(call: BeforeToolCall, over: Over): Promise<boolean> {
    if (this.#isOfOtherApproval(call, over)) return true;
    const { run } = over;
    if (run === undefined || run === call.run || this.#key !== undefined) return false;
    // An approval is of the call that it was given for, however late it comes.
    return call.resumed === undefined && this.#records.hasEnded(await runOf(call, run));
  }

  /** Whether a person was asked about the call on its own, and about the one that is over on its own. */
  #isOfOtherApproval({ approvalId }: BeforeToolCall | BeforeExecute, over: Over): boolean {
    const approvals = approvalsOf(over);
    if (this.#key !== undefined || approvalId === undefined || approvals.length === 0) return false;
    return !approvals.includes(approvalId);
  }

  async #keyOf(call: ToolEvent, answer: Answer | undefined): Promise<string> {
    if (this.#key === undefined) return answer?.decision === 'allow' ? answer.key : callerOf(call);
    const own: unknown = this.#key(call);
    // Calls without a key would all be one.
    if (typeof own !== 'string' || own === '')
      throw new HooksError(
        'INVALID_INPUT',
        `once: key returned no text for a call of ${call.toolName}; expected what tells it from others.`,
      );
    return hashInput(['key', call.principal?.tenant ?? null, call.toolName, own]);
  }

  /** The first answer to the approval that a person has answered for this call. */
  async #firstAnswer(call: BeforeToolCall): Promise<Answer | undefined> {
    const { approvalId } = call;
    return approvalId === undefined ? undefined : this.#records.firstAnswer(await answerOf(call, approvalId));
  }

  /** The same for a call that is about to run: if nobody has answered before, the answer is to run it. */
  async #answered(call: BeforeExecute): Promise<Answer | undefined> {
    const { approvalId } = call;
    if (approvalId === undefined) return undefined;
    const key = await callerOf(call);
    return this.#records.answer(await answerOf(call, approvalId), { decision: 'allow', key });
  }
}

/**
 * What identifies a pending approval of a call, in whatever session a process resumes its run: without a stored one, each process
 * gives the run a session of its own.
 */
async function answerOf(call: ToolEvent, approvalId: string): Promise<string> {
  const { principal } = call;
  const user = [principal?.tenant ?? null, principal?.id ?? null];
  return hashInput([...user, approvalId, ...(await contentOf(call))]);
}

/** What the model asked, for which user, in which session: the same in each process that the call goes on in. */
async function callerOf(call: ToolEvent): Promise<string> {
  return hashInput([await ownerOf(call), ...(await contentOf(call))]);
}

/** Whether a yes from another process is for the question that this call asked after the crash, and cannot be an earlier one. */
function isAnswered(
  known: Extract<Known, { readonly kind: 'running' }>,
  who: string,
  approvalId: string | undefined,
): boolean {
  const { asked = [], approved = false, approvals = [] } = known;
  // The call began on this very answer.
  if (approvalId !== undefined && approvals.includes(approvalId)) return false;
  return asked.includes(who) && !approved;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** A user's session. */
function ownerOf({ session, principal }: EventPayload): Promise<string> {
  return hashInput([principal?.tenant ?? null, principal?.id ?? null, session.id]);
}

/** A run of a user's session. */
async function runOf(event: EventPayload, run: string): Promise<string> {
  return hashInput([await ownerOf(event), run]);
}

function outcomeOf(call: AfterToolCall): Outcome {
  const { toolName, status, output, errorMessage = 'The tool failed.', reason, aborted } = call;
  if (aborted)
    return {
      kind: 'blocked',
      reason: `The run was aborted during this call of ${toolName}, which may have taken effect. Find out whether it did before you call ${toolName} again.`,
    };
  if (status === 'ok') return { kind: 'output', output };
  if (status === 'error') return { kind: 'error', message: errorMessage };
  return { kind: 'blocked', reason: reason ?? 'The result of this call was withheld.' };
}

function answerWith({ toolName }: ToolEvent, outcome: Outcome) {
  switch (outcome.kind) {
    case 'output':
      return answer(outcome.output);
    case 'error': {
      const { message } = outcome;
      const execute = (): never => {
        throw new Error(message);
      };
      return modify({ execute: Object.assign(execute, { answers: true } as const) });
    }
    case 'blocked':
      return block(outcome.reason);
    case 'lost':
      return block(`This call of ${toolName} has already run, and its result could not be kept.`);
  }
}

function stillRuns({ toolName }: ToolEvent): Block {
  return block(
    `This call of ${toolName} is already running. Wait, and look at its result before you call it again.`,
  );
}

function tooLate({ toolName }: ToolEvent): Block {
  return block(
    `This call of ${toolName} was approved before it was denied. Find out whether it took effect before you call ${toolName} again.`,
  );
}

function unknown({ toolName }: ToolEvent): Block {
  return block(
    `This call of ${toolName} was begun before its process ended, and may have taken effect. Find out whether it did before you call ${toolName} again.`,
  );
}
