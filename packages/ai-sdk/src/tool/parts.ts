import type { Registries } from '../options.ts';
import type { SdkTool } from '../sdk.ts';

/** The final result of a tool. Values that a generator yields on the way go to `passed` only. */
export async function drained(output: unknown, passed?: (part: unknown) => void): Promise<unknown> {
  if (!isIterable(output)) return output;
  let last: unknown;
  for await (const part of output) {
    last = part;
    passed?.(part);
  }
  return last;
}

/** Yields a generator's values as hooks let them through, then the final result. */
async function* passing(act: (passed: (part: unknown) => void) => Promise<unknown>): AsyncGenerator<unknown> {
  const parts: unknown[] = [];
  let over = false;
  let wake = () => {};
  const ended = act((part) => {
    parts.push(part);
    wake();
  }).finally(() => {
    over = true;
    wake();
  });
  // The reader gets the error after the parts.
  ended.catch(() => {});
  let last: unknown;
  while (!over || parts.length > 0) {
    if (parts.length === 0)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    for (const part of parts.splice(0)) {
      last = part;
      yield part;
    }
  }
  const output = await ended;
  if (output !== last) yield output;
}

/** A call of a tool: what that yields passes, unless hooks may change or refuse its result. */
export function unlessHeld(
  { name, tool }: { readonly name: string; readonly tool: SdkTool },
  registries: Registries,
  call: (passed?: (part: unknown) => void) => Promise<unknown>,
): unknown {
  return isGenerator(tool.execute) && !registries.holdsResult(name) ? passing(call) : call();
}

/** Whether a tool yields what it gives: a function that returns such a generator does not tell before it is called. */
function isGenerator(execute: unknown): boolean {
  return Object.prototype.toString.call(execute) === '[object AsyncGeneratorFunction]';
}

/** Whether a tool has returned a generator, or what can be read like one. */
export function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
