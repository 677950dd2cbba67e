import { chainOf } from '../chain.ts';
import type { Block } from '../decision.ts';
import { ask } from '../dispatch.ts';
import { after } from '../thenable.ts';
import type { Flight } from './flight.ts';

/** Why an input that a hook or a person put in place does not fit the schema of the tool that will run. */
export function misfit(flight: Flight, input: unknown): string | undefined | PromiseLike<string | undefined> {
  const { target, options } = flight;
  const check = target === undefined ? options.check : target.check;
  return after(check?.(input), (invalid) =>
    invalid === undefined
      ? undefined
      : `Blocked, because the changed input does not fit the schema of the tool: ${invalid.message}`,
  );
}

/**
 * Looks again at a call whose input was changed after the hooks had answered: schema, then guards. Returns the Block
 * that stops it, or undefined.
 */
export function recheck(flight: Flight, input: unknown): Block | undefined | PromiseLike<Block | undefined> {
  flight.event = { ...flight.event, input };
  return after(misfit(flight, input), (reason) => {
    if (reason !== undefined) return { kind: 'block', reason } as Block;
    const { internal, event, call } = flight;
    const { spec, deciders } = flight.chains.before;
    const guards = chainOf(
      spec,
      deciders.filter(({ info }) => info.verb === 'guard'),
    );
    return after(ask(internal, guards, event, { signal: call.signal }), (decision) =>
      decision.kind === 'block' ? decision : undefined,
    );
  });
}
