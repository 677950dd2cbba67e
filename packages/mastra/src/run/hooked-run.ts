import { HooksError } from '@hooks/core';
import type { RunOptions } from '../agent.ts';
import {
  type AnswerData,
  answerTo,
  closeAnswer,
  giveAnswer,
  isAnswered,
  type PersonAnswer,
  refuseAnswer,
} from '../approval/answers.ts';
import { pendingApprovals } from '../approval/pending.ts';
import { type FindSuspended, findSuspended, storedCallId } from '../approval/stored.ts';
import { isNotResumed, isStreaming, sentByMastra } from '../internals.ts';
import { runIn } from '../tool/assembly.ts';
import {
  checkStored,
  findRun,
  type HookedAgent,
  keepPaused,
  knownRun,
  type MastraRun,
  type Opening,
  openRun,
} from './agent-run.ts';
import { endRun, endStreamed, resultOf } from './end.ts';
import { asGiven, runOptions } from './options.ts';
import { refuseRun } from './refused.ts';
import { announce, callerOf } from './subagents.ts';

/** Starts a run with its messages, or resumes it with data. */
type Start = (first: unknown, options?: RunOptions) => Promise<unknown>;

/** All other ways to start or resume a run use these. */
const STARTS = ['generate', 'stream', 'resumeGenerate', 'resumeStream'] as const;

/**
 * Hooks the runs of an agent that we may change. Only at the start of a run can its options (`hooks`,
 * `inputProcessors`, `toolsets`) be merged with ours instead of replacing ours.
 */
export function hookRuns(hooked: HookedAgent): void {
  const { agent } = hooked;
  for (const method of STARTS) {
    const inner: unknown = Reflect.get(agent, method);
    if (typeof inner !== 'function') continue;
    const start: Start = inner.bind(agent);
    const hookedStart: Start = (first, options = {}) => {
      const run = runIn(options.hooks)?.();
      const resumes = method.startsWith('resume');
      // Started inside a run that is hooked already (`untilIdle`).
      if (run !== undefined && run.id === options.runId) return start(first, options);
      const given = run === undefined ? options : asGiven(options, run.given);
      return hookedRun(hooked, given, resumes, first, start);
    };
    Object.defineProperty(agent, method, { value: hookedStart, configurable: true, writable: true });
  }
}

/** A run with hooks around it, which are told how it ended. */
async function hookedRun(
  hooked: HookedAgent,
  options: RunOptions,
  resumes: boolean,
  first: unknown,
  start: Start,
): Promise<unknown> {
  const { agent } = hooked;
  checkStorage(hooked);
  const defaults = await agent.getDefaultOptions(options);
  const caller = callerOf(agent, options.requestContext);
  const known = options.runId === undefined ? undefined : knownRun(hooked, options.runId);
  const waited = known?.paused === true;
  const suspended = findSuspended(agent, options.runId ?? defaults.runId);
  const callId = resumes ? await answeredCallId(options, known, suspended) : undefined;
  const opening = await findRun(hooked, defaults, options, resumes, caller?.parent, suspended);
  // A call inside of a sub-agent is answered by the outermost run.
  if (resumes && caller === undefined)
    await checkShown(opening.id, callIdIn(options), callId, first, suspended);
  const answer = answerOf(opening, known, callId, first);
  const isRepeated = answer?.taker !== undefined;
  const close = () => answer && closeAnswer(answer);
  let isStreamed = false;
  try {
    const run = await openRun(hooked, opening, defaults, options, caller);
    if (!resumes) run.sent = sentByMastra(first);
    if (caller !== undefined) await announce(caller, run !== known);
    let output: unknown;
    try {
      const merged = await runOptions(run, defaults, options, resumes);
      if (!resumes && opening.isChosen) await checkStored(agent, opening);
      output = await start(answer ? await dataOf(run, answer, suspended) : first, merged);
    } catch (error) {
      if (waited && isNotResumed(error)) keepPaused(run);
      else await endRun(run, { error });
      // Mastra has nothing to go on with.
      if (answer !== undefined && isRepeated) refuseAnswer({ ...answer, isOpen: false });
      throw error;
    }
    isStreamed = isStreaming(output);
    if (isStreaming(output)) {
      const ended = endStreamed(run, output).finally(close);
      if (caller !== undefined) caller.ended = ended;
    } else await endRun(run, { output });
    return resultOf(output, run);
  } finally {
    if (!isStreamed) close();
  }
}

/**
 * The person's answer with which a run resumes. Undefined if it starts.
 *
 * @throws HooksError `INVALID_INPUT` if there is no such run, or the call takes no such answer, or none any more
 */
function answerOf(
  { id, isMissing, resumes }: Opening,
  known: MastraRun | undefined,
  callId: string | undefined,
  data: unknown,
): PersonAnswer | undefined {
  if (isMissing) refuseMissing(id, callId);
  if (!resumes) return undefined;
  if (known?.pending.waiting.some((one) => one.callId === callId)) checkIsDecision(data, id, callId);
  return giveAnswer(id, callId, data);
}

/**
 * An id alone does not tell which call a person was shown, if one with that id was answered before in the run: the same yes
 * may have come again. Nor does a second yes that names no call.
 *
 * @throws HooksError `INVALID_INPUT` if the call that waits needs its `hash`, or has another one
 */
async function checkShown(
  id: string,
  named: string | undefined,
  callId: string | undefined,
  data: unknown,
  suspended: FindSuspended,
): Promise<void> {
  const { approved, hash }: AnswerData = Object(data);
  if (approved !== true || (hash === undefined && !isAnswered(id, named))) return;
  // The same answer again to a call that has taken it: `giveAnswer` decides.
  if (answerTo(id, callId) !== undefined) return;
  const waiting = (await pendingApprovals(await suspended())).filter((one) => one.callId === callId);
  if (waiting.length === 0 || waiting.some((one) => one.hash === hash)) return;
  const why =
    hash === undefined
      ? 'A call was approved or denied like this before, so that this answer may be an earlier one that comes again'
      : 'Its `hash` is that of another call than the one that waits';
  refuseRun(
    409,
    `The run "${id}" is not resumed with this approval. ${why}. Show the person what \`pendingApprovals\` says, and approve it by its \`hash\`: resumeGenerate({ approved: true, hash }, { runId, toolCallId: callId }), or resumeStream.${named === undefined ? ' A toolCallId that nobody has answered is enough, too.' : ''}`,
  );
}

/** @throws HooksError `INVALID_INPUT` if a call that waits for approval would be given something else, which Mastra drops */
function checkIsDecision(data: unknown, id: string, callId = ''): void {
  if (typeof Reflect.get(Object(data), 'approved') === 'boolean') return;
  refuseRun(
    400,
    `The run "${id}" is not resumed. The call "${callId}" waits for approval, which takes { approved: true } or { approved: false, reason }. For a result in place of the tool's, set the option \`approval\` to a function.`,
  );
}

/** @throws HooksError `INVALID_INPUT` because there is no paused run to give an answer to */
function refuseMissing(id: string, callId: string | undefined): never {
  const earlier = answerTo(id, callId);
  if (earlier?.taker !== undefined) refuseAnswer({ ...earlier, isOpen: false });
  refuseRun(
    409,
    `The run "${id}" cannot be resumed: could not find a suspended run of that id in Mastra's storage.`,
  );
}

/** An agent is registered in a Mastra after it was made, so that this shows when a run starts. */
function checkStorage({ agent, registries }: HookedAgent): void {
  if (!registries.isNative || agent.getMastraInstance()?.getStorage()) return;
  throw new HooksError(
    'CONFIG_INVALID',
    `hookedAgent: approval 'native' of the agent "${agent.name}" needs a storage to keep paused runs: register it with new Mastra({ agents, storage }).`,
  );
}

/** The data that the run is resumed with; the reason of a no as hooks have left it. */
async function dataOf(run: MastraRun, answer: PersonAnswer, suspended: FindSuspended): Promise<unknown> {
  const reason = await run.approvals.resume(answer, suspended);
  return reason === answer.reason ? answer.data : { ...Object(answer.data), reason };
}

/**
 * The call that a run is resumed for. If the person names none, it is the one that waits: Mastra asks about one at a time.
 * Undefined if several wait for something else.
 */
async function answeredCallId(
  options: RunOptions,
  known: MastraRun | undefined,
  suspended: FindSuspended,
): Promise<string | undefined> {
  const named = callIdIn(options) ?? known?.pending.waiting[0]?.callId;
  return named ?? (options.runId === undefined ? undefined : await storedCallId(suspended));
}

/** The call that whoever resumes a run names. Mastra's types of the options of a start do not tell of it. */
function callIdIn(options: RunOptions): string | undefined {
  const { toolCallId }: { readonly toolCallId?: string } = Object(options);
  return toolCallId;
}
