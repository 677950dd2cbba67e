import { jsonOf } from '../approval/hash.ts';
import { HooksError } from '../error.ts';
import type { ExecuteOptions } from '../execute.ts';
import { recheckToolCall } from './recheck.ts';
import type { CallOptions, Rechecked } from './types.ts';

/** Asks the registries further out about the input that one further in has made of a call's; the outermost first. */
export type AskOuter = (input: unknown) => Promise<Rechecked>;

/** A call of one registry, maybe inside the same call of another. */
export interface NestedCall extends Pick<CallOptions, 'approval' | 'isControlFlow'> {
  /** What `execute` was given beside the input. */
  readonly running: ExecuteOptions;
  /** Those further out. */
  readonly outer: AskOuter | undefined;
}

/**
 * For the `execute` of an adapter where hooks of several registries, one inside the other, hook the same call: runs it
 * with the input that its own hooks have put in place where those further out let that pass, and so that those further in
 * can ask about what they make of it.
 *
 * @param changed the input that the registry's hooks have put in place; undefined where it is as it came
 * @param run calls what is further in: with that input as all have left it, and what to ask there
 * @throws where it must not run: for those who say so the call is over, and what the model reads is theirs; HooksError
 *   `INVALID_DECISION` where they put inputs in the place of each other's without end
 */
export async function runNested<T>(
  call: NestedCall,
  changed: { readonly input: unknown } | undefined,
  run: (changed: { readonly input: unknown } | undefined, outer: AskOuter) => T | PromiseLike<T>,
): Promise<T> {
  return run(changed && { input: await passed(changed.input, call) }, (input) => agreed(input, call, false));
}

/** The input that our hooks have left, as those further out let it run. */
async function passed(input: unknown, call: NestedCall): Promise<unknown> {
  const checked = await agreed(input, call, true);
  if (checked.kind === 'done') throw new Error(checked.outcome.message);
  return checked.input;
}

/**
 * Asks those further out, and then ours. A person or a hook may put another input in place meanwhile: that is for all the
 * others to see, too, until nobody changes it any more.
 *
 * @param known ours have let this input pass already
 */
async function agreed(input: unknown, call: NestedCall, known: boolean): Promise<Rechecked> {
  let ours: Rechecked = { kind: 'run', input };
  let asked = known;
  for (let round = 0; round < ROUNDS; round++) {
    const theirs: Rechecked = (await call.outer?.(ours.input)) ?? ours;
    if (theirs.kind === 'done' || (asked && isSame(theirs.input, ours.input))) return theirs;
    ours = await recheckToolCall(call.running, theirs.input, call);
    if (ours.kind === 'done' || isSame(ours.input, theirs.input)) return ours;
    asked = true;
  }
  throw new HooksError(
    'INVALID_DECISION',
    `hooks of several registries around ${call.running.call.toolName} each put another input in the place of the other's`,
  );
}

/** How often what ours have put in place is shown to those further out. */
const ROUNDS = 3;

/** What had passed before is given back as it was then, which may be another object. */
function isSame(one: unknown, other: unknown): boolean {
  return one === other || (jsonOf(one) !== undefined && jsonOf(one) === jsonOf(other));
}
