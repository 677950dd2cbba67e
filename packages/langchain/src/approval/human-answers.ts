import { HooksError } from '@hooks/core';
import type { ToolCall } from '@langchain/core/messages';
import type { Whereabouts } from '../run/run.ts';
import { answerFor, type NativeAnswer, resumedWith } from './answers.ts';
import { isSame } from './begun-calls.ts';
import { decisionOf, type ReviewSite, verdictOf } from './human-review.ts';
import { lastShown } from './last-shown.ts';

/** What a person has said of a call. */
export interface Said {
  readonly answer: NativeAnswer;
  /** The call as the person wants it. */
  readonly call: ToolCall;
}

/**
 * What people have said of these calls since the run paused, by call id: in the middleware's own form, where it is known
 * by what they were shown which call a decision is about, or by call id.
 *
 * @throws HooksError `INVALID_INPUT` where decisions and calls do not match
 */
export async function heard(
  calls: readonly ToolCall[],
  site: ReviewSite,
  config: Whereabouts,
): Promise<ReadonlyMap<string, Said>> {
  const values = resumedWith(config);
  const said = new Map<string, Said>();
  if (values.length === 0) return said;
  const given = decisionsIn(values.at(-1));
  const before = values.some((value) => decisionsIn(value).length > 0) ? await lastShown(config) : undefined;
  const shown = given.length === 0 ? [] : (before?.calls ?? []);
  if (given.length !== shown.length)
    throw new HooksError(
      'INVALID_INPUT',
      `The run was resumed with ${given.length} decisions, but ${shown.length} calls wait for one: give one for each, in the order of the interrupt's actionRequests, or answer by call id.`,
    );
  for (const call of calls) {
    const { id = '' } = call;
    const at = shown.findIndex(({ callId }) => callId === id);
    const keyed = values.map((value) => answerFor(value, id)).findLast((value) => value !== undefined);
    const decision = at < 0 ? keyed && decisionOf(keyed, call) : given[at];
    if (decision === undefined) {
      const answer = before?.said[id];
      if (answer !== undefined) said.set(id, { answer, call: withInput(call, answer) });
      continue;
    }
    const asked: ToolCall = at < 0 ? call : { ...call, args: Object(shown[at]?.input) };
    const verdict = await verdictOf(site, asked, decision);
    const hash = at < 0 ? keyed?.hash : shown[at]?.hash;
    const about = hash === undefined ? {} : { hash };
    if (verdict.decision === 'deny') said.set(id, { answer: { ...verdict, ...about }, call });
    else {
      const edited = at < 0 ? keyed !== undefined && 'input' in keyed : !isSame(verdict.call, asked);
      const answer: NativeAnswer = {
        decision: 'allow',
        ...(edited && { input: verdict.call.args }),
        ...about,
      };
      said.set(id, { answer, call: verdict.call });
    }
  }
  return said;
}

/** The decisions in what a node was resumed with, where they are given in the middleware's own form. */
function decisionsIn(value: unknown): readonly unknown[] {
  const decisions: unknown = Reflect.get(Object(value), 'decisions');
  return Array.isArray(decisions) ? decisions : [];
}

/** The call with the input that a person wants. */
function withInput(call: ToolCall, answer: NativeAnswer): ToolCall {
  return 'input' in answer ? { ...call, args: Object(answer.input) } : call;
}
