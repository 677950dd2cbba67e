import { isPlain, readFields } from '../plain.ts';
import type { ApprovalAnswer, Resumed } from './approval.ts';

type Field = keyof ApprovalAnswer | keyof Resumed;
type Decision = ApprovalAnswer['decision'];

/** What every decision takes: who decided, and about what. */
const ALWAYS: readonly Field[] = ['decision', 'by', 'source', 'hash'];

/** What each decision takes beside that. Any other field would be dropped: a call would run that a person has changed or answered. */
const TAKEN: { readonly [D in Decision]: readonly Field[] } = {
  allow: ['reason', 'input', 'remember', 'matching'],
  deny: ['reason'],
  canceled: ['reason'],
  answer: ['output'],
};

/** A no is for the call, whatever its input. */
const TAKES_HASH: ReadonlySet<Decision> = new Set(['allow', 'answer']);

const DECISIONS = Object.keys(TAKEN) as readonly Decision[];
const FIELDS: readonly string[] = [...new Set([...ALWAYS, ...Object.values(TAKEN).flat()])];

/**
 * Reads an approver's answer once: a field may be a getter, or of a class, and the object may change later.
 *
 * @param given anything, as programs without types give it
 * @param shown the hash of what the approver was shown. Without it, a yes to another input is not told from one to this
 * @returns the answer, or what is wrong with it. The text quotes no value
 */
export function answerFrom(given: unknown, shown?: string): ApprovalAnswer | string {
  const answer = readFields(Object(given), FIELDS);
  const decision = DECISIONS.find((each) => each === answer['decision']);
  if (decision === undefined) return 'The decision has to be "allow", "deny", "canceled" or "answer".';
  const takes: readonly string[] = [...ALWAYS, ...TAKEN[decision]];
  const wrong = fieldsOf(given, answer).find((field) => !takes.includes(field));
  if (wrong !== undefined)
    return `The decision "${decision}" does not take \`${wrong.slice(0, 40)}\`${takersOf(wrong)}.`;
  if (decision === 'answer' && answer['output'] === undefined)
    return 'The answer has no output: set `output` to what the model reads as the result.';
  if ('input' in answer && decision === 'allow' && answer['input'] === undefined)
    return '`input` is undefined: leave it out, and the call runs with the input that was shown.';
  const { source, hash = shown } = answer;
  if (source !== undefined && typeof source !== 'string') return '`source` has to be a text.';
  if (shown !== undefined && hash !== shown && TAKES_HASH.has(decision))
    return '`hash` is that of another input than the one that was shown.';
  return { ...answer, decision };
}

/** The known fields that have a value, and the unknown ones, which may be misspelt. A class may have fields of its own. */
function fieldsOf(given: unknown, answer: { readonly [field: string]: unknown }): readonly string[] {
  const object: object = Object(given);
  return (isPlain(object) ? Object.keys(object) : FIELDS).filter(
    (field) => !FIELDS.includes(field) || answer[field] !== undefined,
  );
}

function takersOf(field: string): string {
  const takers = DECISIONS.filter((decision) => TAKEN[decision].some((each) => each === field));
  return takers.length === 0 ? '' : `, which is for ${takers.map((each) => `"${each}"`).join(' and ')}`;
}
