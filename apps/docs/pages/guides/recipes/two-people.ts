import {
  type ApprovalAnswer,
  type Approver,
  BeforeToolCall,
  createHooks,
  requireApproval,
} from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';

/** One that comes as JSON may have the hash of its request. */
type Answer = ApprovalAnswer & { hash?: string };

/** Asks one after the other. Every one has to say yes, and at least two of `people`. */
export function allOf(
  people: readonly string[],
  ...approvers: readonly Approver[]
): Approver {
  const disagree = 'Two people have to agree.';
  return async (request, options) => {
    const agreed = new Set<string>();
    for (const ask of approvers) {
      options.signal?.throwIfAborted();
      const answer: Answer = await ask(request, options);
      const { decision, by, hash = request.hash } = answer;
      if (decision !== 'allow' && decision !== 'answer') return answer;
      // The next person would see none of what goes beyond a yes to this call.
      if (decision === 'answer' || hash !== request.hash || saysMore(answer))
        return { decision: 'deny', by, reason: 'Say only yes or no to it.' };
      // The list has one spelling of each name.
      if (by === undefined || !people.includes(by) || agreed.has(by))
        return { decision: 'deny', reason: disagree };
      agreed.add(by);
    }
    return agreed.size < 2
      ? { decision: 'deny', reason: disagree }
      : { decision: 'allow', by: [...agreed].join(' and ') };
  };
}

function saysMore({ input, remember, matching, ...rest }: Answer) {
  const { decision, by, reason, source, hash, ...more } = rest;
  const values = [input, remember, matching, ...Object.values(more)];
  return values.some((value) => value !== undefined);
}

const hooks = createHooks();
hooks.guard(BeforeToolCall.matching('pay'), () =>
  requireApproval('It moves money.', { by: 'person' }),
);

// In your program these are two inboxes, or functions that ask in a chat.
const answers: ApprovalAnswer[] = [
  { decision: 'allow', by: 'ann' },
  { decision: 'allow', by: 'bob' },
  { decision: 'allow', by: 'ann' },
  { decision: 'allow', by: 'ann' },
];
const somebody: Approver = () => answers.shift() ?? { decision: 'deny' };
const approval = allOf(['ann', 'bob', 'eve'], somebody, somebody);

// With a framework, pass `approval` to the adapter.
for (const euros of [900, 800]) {
  const call = { session: hooks.session(), toolName: 'pay', input: { euros } };
  const outcome = await callTool(hooks, call, () => 'paid', { approval });
  console.log(euros, outcome.message ?? outcome.output);
}
