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
 * @throws where it must not run: for those who say so the call is over, and what the model reads is theirs
 */
export async function runNested<T>(
  call: NestedCall,
  changed: { readonly input: unknown } | undefined,
  run: (changed: { readonly input: unknown } | undefined, outer: AskOuter) => T | PromiseLike<T>,
): Promise<T> {
  return run(changed && { input: await passed(changed.input, call) }, (input) => ask(input, call));
}

/** Asks those further out, and then ours. */
async function ask(input: unknown, call: NestedCall): Promise<Rechecked> {
  const checked: Rechecked = (await call.outer?.(input)) ?? { kind: 'run', input };
  return checked.kind === 'done' ? checked : recheckToolCall(call.running, checked.input, call);
}

/** The input that our hooks have left, as those further out let it run. */
async function passed(input: unknown, call: NestedCall): Promise<unknown> {
  let checked = await call.outer?.(input);
  if (checked === undefined) return input;
  // A person may have put another one in its place further out: that is for our own guards to see, too.
  if (checked.kind === 'run' && checked.input !== input)
    checked = await recheckToolCall(call.running, checked.input, call);
  if (checked.kind === 'done') throw new Error(checked.outcome.message);
  return checked.input;
}
