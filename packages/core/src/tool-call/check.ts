import { block, type HookDecision } from '../decision.ts';
import { ask } from '../dispatch/dispatch.ts';
import { chainOf } from '../registry/chain.ts';
import { after, isThenable } from '../thenable.ts';
import type { Flight } from './flight.ts';
import type { InputCheck, InvalidInput } from './types.ts';

/** Whether an input fits. A schema that throws, as a refinement of its author's may, is fitted by nothing. */
export function unfit(check: InputCheck | undefined, input: unknown): ReturnType<InputCheck> {
  try {
    const invalid = check?.(input);
    return isThenable(invalid) ? invalid.then((settled) => settled, thrown) : invalid;
  } catch (error) {
    return thrown(error);
  }
}

/** What was thrown may hold a secret, so it is not repeated; the framework is given the error itself. */
function thrown(error: unknown): InvalidInput {
  return { message: 'the schema threw an error', error };
}

/** Why an input that a hook or a person put in place does not fit the schema of the tool that will run. */
export function misfit(flight: Flight, input: unknown): string | undefined | PromiseLike<string | undefined> {
  const { target } = flight;
  const check = target === undefined ? flight.check : target.check;
  return after(unfit(check, input), (invalid) =>
    invalid === undefined
      ? undefined
      : `Blocked, because the changed input does not fit the schema of the tool: ${invalid.message}`,
  );
}

/** Looks again at a call whose input was changed after the hooks had answered: schema, then guards. */
export function recheck(flight: Flight, input: unknown): HookDecision | PromiseLike<HookDecision> {
  flight.event = { ...flight.event, input };
  return after(misfit(flight, input), (reason) => {
    if (reason !== undefined) return block(reason);
    const { internal, event, signal } = flight;
    const { spec, deciders } = flight.chains.before;
    const guards = chainOf(
      spec,
      deciders.filter(({ info }) => info.verb === 'guard'),
    );
    return ask(internal, guards, event, { signal });
  });
}
