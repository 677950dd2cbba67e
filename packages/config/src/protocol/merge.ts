import type { Answer } from './answer.ts';

/**
 * Merges answers, in the order of the file: deny over ask over allow, the first refusal's reason, the last rewrite, and
 * all contexts and messages.
 */
export function mergeAnswers(answers: readonly Answer[]): Answer {
  const permission = order.find((one) => answers.some((answer) => answer.permission === one));
  const deciding = answers.find((answer) => answer.permission === permission && permission !== undefined);
  const reason = deciding?.reason ?? answers.find((answer) => answer.stop && answer.reason)?.reason;
  const context = answers.flatMap((answer) => answer.context ?? []);
  const messages = answers.flatMap((answer) => answer.messages ?? []);
  const patch = Object.assign({}, ...answers.map((answer) => answer.patch ?? {}));
  return {
    ...last(answers, 'input'),
    ...last(answers, 'toolName'),
    ...last(answers, 'output'),
    ...last(answers, 'route'),
    ...last(answers, 'prompt'),
    ...last(answers, 'summary'),
    ...first(answers, 'retry'),
    ...(permission && { permission }),
    ...(reason && { reason }),
    ...(answers.some((answer) => answer.stop) && { stop: true }),
    ...(context.length > 0 && { context }),
    ...(messages.length > 0 && { messages }),
    ...(Object.keys(patch).length > 0 && { patch }),
  };
}

/** Whether a sequence ends with this answer: the first that blocks or changes something. */
export function endsSequence(answer: Answer): boolean {
  return [answer.permission, answer.input, answer.toolName, answer.output, answer.route, answer.prompt].some(
    (said) => said !== undefined,
  );
}

const order = ['deny', 'ask', 'allow'] as const;

function last<Key extends keyof Answer>(answers: readonly Answer[], key: Key): Partial<Pick<Answer, Key>> {
  return only(
    answers.findLast((answer) => answer[key] !== undefined),
    key,
  );
}

function first<Key extends keyof Answer>(answers: readonly Answer[], key: Key): Partial<Pick<Answer, Key>> {
  return only(
    answers.find((answer) => answer[key] !== undefined),
    key,
  );
}

function only<Key extends keyof Answer>(answer: Answer | undefined, key: Key): Partial<Pick<Answer, Key>> {
  return answer ? ({ [key]: answer[key] } as Pick<Answer, Key>) : {};
}
