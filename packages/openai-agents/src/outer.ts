import type { ExecuteOptions } from '@hooks/core';
import { type Rechecked, recheckToolCall } from '@hooks/core/tool-call';
import type { AttachOptions } from './options.ts';

/** Asks the registries further out about the input that one further in has made of a call's; the outermost first. */
export type Outer = (input: unknown) => Promise<Rechecked>;

/** A call on its way through the hooks of one registry. */
export interface Nested {
  readonly running: ExecuteOptions;
  readonly approval: AttachOptions['approval'];
  /** Those further out. */
  readonly outer: Outer | undefined;
}

/**
 * Runs a call: with the input that hooks have put in place where those further out let it, and so that those further in
 * can ask about what they make of it.
 *
 * @throws where it must not run: then the call is over for those who say so, and what the model reads is theirs
 */
export async function runNested<T>(
  nested: Nested,
  changed: { readonly input: unknown } | undefined,
  run: (changed: { readonly input: unknown } | undefined, outer: Outer) => Promise<T>,
): Promise<T> {
  return run(changed && { input: await passed(changed.input, nested) }, (input) => ask(input, nested));
}

/** Asks those further out, and then ours. */
async function ask(input: unknown, nested: Nested): Promise<Rechecked> {
  const checked: Rechecked = (await nested.outer?.(input)) ?? { kind: 'run', input };
  return checked.kind === 'done' ? checked : askOurs(checked.input, nested);
}

/** A yes in the SDK's own way was to what it has shown, and to nothing that hooks have made of it since. */
function askOurs(input: unknown, { running, approval }: Nested): Promise<Rechecked> {
  return recheckToolCall(running, input, { approval: approval === 'native' ? 'deny' : approval });
}

/** The input that our hooks have left, as those further out let it run. */
async function passed(input: unknown, nested: Nested): Promise<unknown> {
  let checked = await nested.outer?.(input);
  if (checked === undefined) return input;
  // A person may have put another one in its place further out: that is for our own guards to see, too.
  if (checked.kind === 'run' && checked.input !== input) checked = await askOurs(checked.input, nested);
  if (checked.kind === 'done') throw new Error(checked.outcome.message);
  return checked.input;
}
