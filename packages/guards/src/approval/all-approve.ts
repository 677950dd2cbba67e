import type { ApprovalAnswer, Approver } from '@hooks/core';
import { answerFrom, isBlank } from '@hooks/core/adapter';
import { type Checks, checkOptions, expecting, needed, refuse } from '../options.ts';

/** Options of {@link allApprove}. */
export interface AllApproveOptions {
  /** The people who may say yes, as `by` names them in an answer. Each has one spelling. */
  readonly people: readonly string[];
  /** Who is asked, one after the other: functions that ask in a chat, for example, or inboxes. */
  readonly approvers: readonly Approver[];
}

const isName = (name: unknown): boolean => typeof name === 'string' && !isBlank(name);

const CHECKS: Checks<AllApproveOptions> = {
  people: needed(
    expecting(
      'a list of two or more people',
      (value) => Array.isArray(value) && value.every(isName) && new Set(value).size > 1,
    ),
  ),
  approvers: needed(
    expecting(
      'a list of two or more functions',
      (value) =>
        Array.isArray(value) && value.length > 1 && value.every((each) => typeof each === 'function'),
    ),
  ),
};

/**
 * An approver that asks several others in turn. The call runs if each of them says yes, and each yes is of another person of the
 * list. The first other answer counts, and nobody else is asked.
 *
 * A yes that says more, such as one with another input or one to remember, is a no: the others would not see what they agree
 * to. Require the approval with `{ by: 'person' }`, so that neither a hook nor a remembered yes stands in for them.
 *
 * @throws HooksError `CONFIG_INVALID` if there are fewer than two people or approvers, or more approvers than people
 * @example
 * ```ts
 * hooks.guard(BeforeToolCall.matching('pay'), () => requireApproval('It moves money.', { by: 'person' }));
 * const approval = allApprove({ people: ['ann', 'bob', 'eve'], approvers: [askInChat, askInChat] });
 * ```
 */
export function allApprove(options: AllApproveOptions): Approver {
  const checked = checkOptions('allApprove', options, CHECKS);
  const people = new Set(checked.people);
  const approvers = [...checked.approvers];
  if (approvers.length > people.size)
    refuse(
      'allApprove',
      `there are ${approvers.length} approvers and ${people.size} people, so no call would run`,
    );
  return async (request, asking) => {
    const agreed = new Set<string>();
    for (const ask of approvers) {
      asking.signal?.throwIfAborted();
      const answer = answerFrom(await ask(request, asking), request.hash);
      if (typeof answer === 'string') throw new TypeError(answer);
      const { decision, by } = answer;
      if (decision === 'deny' || decision === 'canceled') return answer;
      if (saysMore(answer)) return { decision: 'deny', by, reason: 'Say only yes or no to it.' };
      if (by === undefined || !people.has(by) || agreed.has(by))
        return { decision: 'deny', reason: 'Another person of the list has to agree.' };
      agreed.add(by);
    }
    return { decision: 'allow', by: [...agreed].join(' and ') };
  };
}

/** Whether the next person would agree to less than what the answer does. */
function saysMore({ decision, by, reason, source, ...more }: ApprovalAnswer): boolean {
  const values: readonly unknown[] = Object.values({ ...more, hash: undefined });
  return decision === 'answer' || values.some((value) => value !== undefined);
}
