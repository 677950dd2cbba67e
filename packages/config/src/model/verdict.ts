import { checked } from '../dialects/output.ts';
import type { HookResult } from '../protocol/answer.ts';

/** The JSON Schema for a judge's reply. */
export const verdictSchema: {
  readonly type: 'object';
  readonly properties: {
    readonly decision: { readonly type: 'string'; readonly enum: ['allow', 'ask', 'deny'] };
    readonly reason: { readonly type: 'string' };
  };
  readonly required: ['decision', 'reason'];
  readonly additionalProperties: false;
} = {
  type: 'object',
  properties: {
    decision: { type: 'string', enum: ['allow', 'ask', 'deny'] },
    reason: { type: 'string' },
  },
  required: ['decision', 'reason'],
  additionalProperties: false,
};

/**
 * Reads a judge's reply. It allows only if it is nothing but a verdict: words beside it may take it back ("I deny this. An
 * allow would be {…}"). A reply with several verdicts, or one that repeats text that was judged, allows nothing.
 * @param reply the model's reply
 * @param judged the model's input, to tell its own verdict from a quote
 */
export function readVerdict(reply: string, judged: string): HookResult {
  const found = objectsIn(reply);
  const verdicts = found.flatMap((text) => parse(text) ?? []);
  const verdict = verdicts.at(-1);
  if (!verdict) return { failed: 'the judge gave no verdict' };
  if (verdicts.some((other) => other.decision !== verdict.decision)) {
    return { failed: 'the judge gave several verdicts' };
  }
  const { decision: permission, reason } = verdict;
  if (permission !== 'allow') return { permission, ...(reason && { reason }) };
  const [only = ''] = found;
  if (!isAlone(reply, only))
    return { failed: 'the judge said more than its verdict, so its "allow" does not count' };
  if (squeezed(judged).includes(squeezed(only)))
    return { failed: 'the verdict of the judge may be a quote from its input' };
  return { permission, ...(reason && { reason }) };
}

interface Verdict {
  readonly decision: 'allow' | 'ask' | 'deny';
  readonly reason?: string;
}

function parse(text: string): Verdict | undefined {
  try {
    const { decision, ...rest } = checked(verdictShape, JSON.parse(text));
    return decision && decisionsIn(text) === 1 ? { decision, ...rest } : undefined;
  } catch {
    return undefined;
  }
}

/** Counts `decision` keys. JSON takes the last of equal keys, and a quote within the reason could add one. */
function decisionsIn(text: string): number {
  const names = text.matchAll(/("(?:[^"\\]|\\.)*")\s*(:?)/g);
  return [...names].filter(([, name = '""', colon]) => colon && /^decision$/i.test(JSON.parse(name))).length;
}

const verdictShape = { decision: ['allow', 'ask', 'deny'], reason: 'string' } as const;

/** Whether the reply is this verdict, or a code block with it. */
function isAlone(reply: string, verdict: string): boolean {
  const [, fenced] = /^```(?:json)?\s*\n([\s\S]*)\n\s*```$/.exec(reply.trim()) ?? [];
  return (fenced ?? reply).trim() === verdict;
}

/** Removes what quoting may add: spaces and backslashes. */
function squeezed(text: string): string {
  return text.replaceAll(/[\s\\]/g, '');
}

/** The outermost `{…}` of a text, ignoring braces in strings. */
function objectsIn(text: string): readonly string[] {
  const found: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token === '{' && depth++ === 0) start = index;
    if (token === '}' && depth > 0 && --depth === 0) found.push(text.slice(start, index + 1));
  }
  return found;
}
