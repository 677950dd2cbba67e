import { seal, thaw } from './dispatch/seal.ts';
import { isSameInput, readPlain } from './plain.ts';

/**
 * Values that only the guards and the tool of a call get. All that is shown of the call has placeholders instead: its events,
 * approvals, the trace and what guards say. Where a framework shows what it calls a tool with, that has the values.
 */
export interface Concealed {
  /** The input with its values. If it throws, the call is blocked. */
  reveal(input: unknown): unknown;
  /** The text or the data with placeholders. */
  hide(value: unknown): unknown;
  /** `approver`: an approver of this process may ask for the values, with `reveal` of its request. Default: nobody. */
  readonly showTo?: 'approver';
}

/** The revealed inputs. The tool gets what guards judged, also if `reveal` would return something else by now. */
const revealed: WeakMap<Concealed, Map<unknown, unknown>> = new WeakMap();

/** A sealed copy of an input with its values. Throws if `reveal` does, or returns what JSON cannot show. */
export function revealInput(concealed: Concealed, input: unknown): unknown {
  const known = revealed.get(concealed) ?? new Map<unknown, unknown>();
  if (known.has(input)) return known.get(input);
  const read = readPlain(concealed.reveal(thaw(input)));
  if ('problem' in read) throw new TypeError(read.problem);
  const data = seal(read.data);
  revealed.set(concealed, known.set(input, data));
  return data;
}

/** The input that somebody returned who has seen the values, with placeholders in place of them. */
export function hideInput(concealed: Concealed, shown: unknown, input: unknown): unknown {
  return isSameInput(revealInput(concealed, shown), input) ? shown : concealed.hide(input);
}
