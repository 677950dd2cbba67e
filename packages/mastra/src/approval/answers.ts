import { isSameInput, UsedApprovals } from '@hooks/core/adapter';
import { refuseRun } from '../run/refused.ts';
import type { StartingCall } from '../run/run.ts';
import { runsAsWritten } from '../tool/known-calls.ts';

/** A call as a person was shown it. */
export interface ShownCall {
  readonly toolName: string;
  readonly input: unknown;
  /** Whether another call of the same model answer has its id, so that nobody knows which of them was shown. */
  readonly repeats?: boolean | undefined;
}

/** What a person answers, as it arrives. */
export interface AnswerData {
  readonly approved?: unknown;
  readonly reason?: unknown;
  /** Identifies the call that the person was shown, as `pendingApprovals` does. */
  readonly hash?: unknown;
}

/** What a run is resumed with: a person's answer to one of its calls. It counts once, and for that call alone. */
export class PersonAnswer {
  readonly runId: string;
  /** Undefined if the person named none, and several calls wait or none does: then the call that takes it. */
  callId: string | undefined;
  /** What Mastra resumes the run with: an approval without its `hash`, which Mastra does not know. */
  readonly data: unknown;
  /** Undefined if the call waits for something else than approval. */
  readonly approved: boolean | undefined;
  readonly reason: string | undefined;
  /** Undefined as long as it is not known, or if nothing tells it. */
  shown: ShownCall | undefined;
  /** The call that took the answer: it runs, or hooks know that it was denied. */
  taker: StartingCall | undefined;
  /** Whether the run that it resumed goes on. */
  isOpen = true;
  /** Whether a tool was given the data. */
  #isGiven = false;

  constructor(runId: string, callId: string | undefined, data: unknown) {
    const { hash, ...rest }: AnswerData = Object(data);
    const { approved, reason } = rest;
    this.runId = runId;
    this.callId = callId;
    this.approved = typeof approved === 'boolean' ? approved : undefined;
    this.data = this.approved === undefined || hash === undefined ? data : rest;
    this.reason = typeof reason === 'string' ? reason : undefined;
  }

  /** Whether a call gets its data from this answer rather than from the model. True once. */
  gives(data: unknown): boolean {
    if (this.#isGiven) return false;
    this.#isGiven = isSameInput(this.data, data);
    return this.#isGiven;
  }

  /** Whether the call is the one that took the answer. */
  wasTakenBy({ callId, toolName, input }: StartingCall): boolean {
    const { taker } = this;
    if (taker?.callId !== callId || taker?.toolName !== toolName) return false;
    return runsAsWritten(toolName, input, taker.input);
  }
}

/**
 * The answers of this process, by run. They outlive the runs and the agents that were asked to resume them,
 * because an answer may come again before Mastra forgets the run.
 */
const answers: Map<string, readonly PersonAnswer[]> = new Map();

/** The calls that people have answered, and their runs. A later call of the run may have the same id. */
const answered: UsedApprovals<true> = new UsedApprovals();

/** The maximum number of runs with remembered answers. */
const REMEMBERED = 10_000;

/**
 * A person answers a call. The first answer decides.
 *
 * @throws HooksError `INVALID_INPUT` while another answer is carried out, or after a contrary one was
 */
export function giveAnswer(runId: string, callId: string | undefined, data: unknown): PersonAnswer {
  const answer = new PersonAnswer(runId, callId, data);
  const earlier = answerTo(runId, callId);
  if (earlier?.isOpen) refuseAnswer(earlier);
  if (earlier !== undefined && earlier.approved !== answer.approved) refuseAnswer(earlier);
  // The same answer again: it goes on with a run that Mastra still has, and the call is over all the same.
  answer.taker = earlier?.taker;
  if (earlier !== undefined) remove(earlier);
  answers.set(runId, [...(answers.get(runId) ?? []), answer]);
  forgetOldest();
  return answer;
}

/** The answer to a call, if there is one. */
export function answerTo(runId: string, callId: string | undefined): PersonAnswer | undefined {
  const all = answers.get(runId) ?? [];
  return all.find((one) => one.callId === callId) ?? all.find((one) => one.callId === undefined);
}

/** Whether a person has answered a call of that id in the run before; without an id, any call. */
export function isAnswered(runId: string, callId: string | undefined): boolean {
  return answered.get(JSON.stringify([runId, callId])) === true;
}

/** The answer is to this call, which runs, or of which hooks know that it was denied. */
export function takeAnswer(answer: PersonAnswer, call: StartingCall): void {
  if (answer.taker !== undefined) return;
  answer.taker = call;
  answer.callId ??= call.callId;
  for (const id of [answer.callId, undefined]) answered.use(JSON.stringify([answer.runId, id]), true);
}

/** The call may be answered again: it is a new one, or has paused anew. */
export function forgetAnswer(runId: string, callId: string | undefined): void {
  const answer = answerTo(runId, callId);
  if (answer !== undefined) remove(answer);
}

/** The resumed run is over or has paused. An answer that no call took may be given again, and so may one that was no approval. */
export function closeAnswer(answer: PersonAnswer): void {
  answer.isOpen = false;
  if (answer.taker === undefined || answer.approved === undefined) remove(answer);
}

function remove(answer: PersonAnswer): void {
  const others = answers.get(answer.runId)?.filter((one) => one !== answer) ?? [];
  if (others.length > 0) answers.set(answer.runId, others);
  else answers.delete(answer.runId);
}

/**
 * Refuses another answer to the call.
 *
 * @throws HooksError `INVALID_INPUT`
 */
export function refuseAnswer({
  runId,
  callId,
  isOpen,
  approved,
}: Pick<PersonAnswer, 'runId' | 'callId' | 'isOpen' | 'approved'>): never {
  const call = callId === undefined ? 'Its pending call' : `The call "${callId}"`;
  const before = approved ? 'was approved before' : 'was denied before';
  const why = isOpen ? 'has been answered, and the run is going on with that answer' : before;
  refuseRun(409, `The run "${runId}" is not resumed. ${call} ${why}: a call is answered once.`);
}

function forgetOldest(): void {
  if (answers.size <= REMEMBERED) return;
  for (const [runId, all] of answers)
    if (!all.some(({ isOpen }) => isOpen)) return void answers.delete(runId);
}
