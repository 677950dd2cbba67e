import { type Session, sessionKey } from '@hooks/core';
import type { NativeAnswer } from './answers.ts';

/** What a person was asked about one call in this process. */
interface AskedAbout {
  /** The hash of the input that the call waits with. */
  last: string | undefined;
  /** Of each answer so far: the hash of the input that it was given to. */
  readonly answered: (string | undefined)[];
}

const ASKED_ABOUT = sessionKey<Map<string, AskedAbout>>('@hooks/langchain/asked-about');

function askedAbout(session: Session, callId: string): AskedAbout {
  const calls = session.get(ASKED_ABOUT, () => new Map<string, AskedAbout>());
  const known = calls.get(callId) ?? { last: undefined, answered: [] };
  calls.set(callId, known);
  return known;
}

/** Notes that a call waits for a person, who is shown this input. */
export function noteAsked(session: Session, callId: string, hash: string): void {
  askedAbout(session, callId).last = hash;
}

/**
 * The answers to a call, oldest first, each yes with the hash of what it is to: where a person has not brought it along,
 * it is that of what this process asked before. A yes of which nobody can tell that is none.
 */
export function settledAnswers(
  session: Session,
  callId: string,
  answers: readonly NativeAnswer[],
): readonly NativeAnswer[] {
  if (answers.every(({ decision, hash }) => decision !== 'allow' || hash !== undefined)) return answers;
  const { last, answered } = askedAbout(session, callId);
  while (answered.length < answers.length) answered.push(last);
  return answers.flatMap((answer, place) => {
    const hash = answer.hash ?? answered[place];
    if (answer.decision !== 'allow') return answer;
    return hash === undefined ? [] : { ...answer, hash };
  });
}
