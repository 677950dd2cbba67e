import type { ModelMessage } from 'ai';

/** What a run began with, as hooks left it. */
export interface BegunWith {
  readonly messages: readonly ModelMessage[];
  /** The results of calls that were approved before, if hooks changed what the model reads of them. */
  readonly approved?: readonly ModelMessage[] | undefined;
}

/** What runs began with, by their steps. */
const begun: WeakMap<object, BegunWith> = new WeakMap();

export function noteMessages(step: object, messages: BegunWith): void {
  begun.set(step, messages);
}

/** The steps that answer a refused message of the user's: neither is part of the conversation. */
const refused: WeakSet<object> = new WeakSet();

export function noteRefused(step: object): void {
  refused.add(step);
}

/** A step of a run, as far as a conversation needs it. */
interface EndedStep {
  readonly response: { readonly messages: readonly ModelMessage[] };
  readonly experimental_steeringMessages?: readonly ModelMessage[];
}

/** The result of an agent, `generateText` or `streamText`. */
export interface EndedRun {
  readonly steps: readonly EndedStep[] | PromiseLike<readonly EndedStep[]>;
  readonly responseMessages: readonly ModelMessage[] | PromiseLike<readonly ModelMessage[]>;
}

/**
 * What to keep of a conversation: the messages that a run was given, with prompts as hooks left them, and all that was said in it.
 * A prompt that hooks refused is left out, with the answer.
 *
 * @param messages those that the run was given
 * @example
 * ```ts
 * const result = await agent.generate({ messages });
 * await save(id, await conversation(messages, result));
 * ```
 */
export async function conversation(
  messages: readonly ModelMessage[],
  run: EndedRun,
): Promise<ModelMessage[]> {
  const steps = await run.steps;
  const responses = await run.responseMessages;
  const last = steps.at(-1);
  const said = steps.flatMap(({ response }) => response.messages);
  // `responseMessages` leaves out what was added during the run: it has the results of calls that were approved
  // before.
  const approved = responses.slice(0, responses.length - said.length);
  const added = steps
    .filter((step) => !refused.has(step))
    .flatMap(({ response, experimental_steeringMessages: steering = [] }) => [
      ...steering,
      ...response.messages,
    ]);
  const noted: BegunWith = (last && begun.get(last)) ?? { messages };
  return [...noted.messages, ...(noted.approved ?? approved), ...added];
}
