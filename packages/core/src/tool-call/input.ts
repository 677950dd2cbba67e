import { type Concealed, revealInput } from '../conceal.ts';
import { block, type HookDecision } from '../decision.ts';
import { chainOf, type Registration } from '../dispatch/chain.ts';
import type { PipelineOptions } from '../dispatch/dispatch.ts';
import { thaw } from '../dispatch/seal.ts';
import { BeforeToolCall } from '../event/catalogue/tool.ts';
import type { EventPayload } from '../event/event.ts';
import { readPlain } from '../plain.ts';
import { parse } from '../schema.ts';
import type { ActiveCall } from './active-call.ts';
import type { InputCheck, InvalidInput } from './types.ts';

/**
 * Checks an input against a tool's schema. An input also does not fit if the schema throws, as a custom refinement may.
 */
export async function checkInput(
  check: InputCheck | undefined,
  input: unknown,
): Promise<InvalidInput | undefined> {
  try {
    return await check?.(input);
  } catch (error) {
    // What was thrown may hold a secret, so it is not repeated; the framework is given the error itself.
    return { message: 'the schema threw an error', error };
  }
}

/** An input that does not fit the schema of a hook. */
interface InvalidForHook extends InvalidInput {
  /** The id of the hook. */
  readonly by: string;
}

/** Why an input does not fit the schemas of matchers, which count as the tool's own. */
export async function checkForHooks(
  call: ActiveCall,
  hooks: readonly Registration[],
): Promise<InvalidForHook | undefined> {
  for (const { schema, suits, owner, info } of hooks) {
    const event = { ...call.event, toolName: call.toolNameIn(owner) };
    if (schema === undefined || !suits(event)) continue;
    const invalid = await checkInput(
      (value) => parse(schema, value, () => undefined, asInvalid),
      thaw(call.sent),
    );
    // What the schema threw may hold a secret.
    if (invalid !== undefined) {
      const message = `The input does not fit the schema of hook "${info.id}": ${invalid.message}`;
      return { message, by: info.id };
    }
  }
  return undefined;
}

function asInvalid(message: string): InvalidInput {
  return { message };
}

/** Why a replaced input, or one with the values that it conceals, does not fit the schema of the tool that will run. */
export async function misfit(
  call: ActiveCall,
  { input, concealed }: Pick<BeforeToolCall, 'input' | 'concealed'>,
): Promise<string | undefined> {
  const { check: own } = call.target ?? call;
  const check = own === 'itself' ? undefined : own;
  if (concealed !== undefined) return misfitRevealed(check, input, concealed);
  const invalid = await checkInput(check, thaw(input));
  return (
    invalid && `Blocked, because the changed input does not fit the schema of the tool: ${invalid.message}`
  );
}

/** Schemas, and what fails, may quote the values in any form. */
async function misfitRevealed(
  check: InputCheck | undefined,
  input: unknown,
  concealed: Concealed,
): Promise<string | undefined> {
  try {
    const invalid = await checkInput(check, thaw(revealInput(concealed, input)));
    return invalid && 'Blocked, because the values of this call do not fit the schema of the tool.';
  } catch {
    return 'Blocked, because the values of this call could not be revealed.';
  }
}

/**
 * Replaces a call's input after the hooks have answered: checks that it is plain data and fits the schema, then runs the
 * guards of all registries.
 */
export async function replaceInput(
  call: ActiveCall,
  input: unknown,
  about: Pick<BeforeToolCall, 'rechecked'> = {},
): Promise<HookDecision> {
  const read = readPlain(input);
  if ('problem' in read)
    return block(`Blocked, because the changed input cannot be shown as JSON: ${read.problem}.`);
  call.problem = undefined;
  call.change({ input: read.data });
  const reason = await misfit(call, call.event);
  if (reason !== undefined) return block(reason);
  const { spec, deciders } = call.chain(BeforeToolCall);
  const guards = chainOf(
    spec,
    deciders.filter(({ info }) => info.verb === 'guard'),
  );
  return call.askChain(guards, Object.freeze({ ...call.event, ...about }), { forGuards: revealed });
}

/** A call as only its guards see it. */
export function revealed(event: EventPayload): ReturnType<NonNullable<PipelineOptions['forGuards']>> {
  const { concealed, ...about } = event as BeforeToolCall;
  if (concealed === undefined) return undefined;
  return {
    event: Object.freeze({ ...about, input: revealInput(concealed, about.input) }),
    hide: (value) => concealed.hide(value),
  };
}
