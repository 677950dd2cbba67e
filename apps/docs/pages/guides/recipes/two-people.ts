import {
  type ApprovalAnswer,
  type Approver,
  BeforeToolCall,
  createHooks,
  requireApproval,
} from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';

/** Asks one after the other. Every one has to say yes, and no person counts twice. */
function allOf(...approvers: readonly Approver[]): Approver {
  return async (request, options) => {
    const people = new Set<string>();
    for (const ask of approvers) {
      const answer = await ask(request, options);
      const { decision, by, ...rest } = answer;
      if (decision === 'deny' || decision === 'canceled') return answer;
      // The next person would see neither another input nor a result.
      if (decision !== 'allow' || Object.keys(rest).length > 0)
        return { decision: 'deny', by, reason: 'Only yes and no count here.' };
      if (!by?.trim() || people.has(by))
        return { decision: 'deny', reason: 'Two people have to agree.' };
      people.add(by);
    }
    return { decision: 'allow', by: [...people].join(' and ') };
  };
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
const approval = allOf(somebody, somebody);

// With a framework, pass `approval` to the adapter.
for (const euros of [900, 800]) {
  const call = { session: hooks.session(), toolName: 'pay', input: { euros } };
  const outcome = await callTool(hooks, call, () => 'paid', { approval });
  console.log(euros, outcome.message ?? outcome.output);
}
