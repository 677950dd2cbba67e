import { AIMessage, type BaseMessage, type ToolCall, ToolMessage } from '@langchain/core/messages';
import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons';
import { ambientConfig } from '../run/run.ts';
import { isControlFlow } from '../tool/result.ts';
import type { NativeAnswer } from './answers.ts';

/** The `afterModel` of a `humanInTheLoopMiddleware`, in the state that it was called with. */
export interface ReviewSite {
  readonly message: AIMessage;
  readonly messages: readonly BaseMessage[];
  readonly afterModel: (messages: BaseMessage[]) => unknown;
}

/** What a person has made of a call. */
export type Verdict =
  | { readonly decision: 'deny'; readonly reason: string }
  | { readonly decision: 'allow'; readonly call: ToolCall };

/** What the middleware would show a person of these calls; undefined where it lets them pass. */
export async function reviewOf(site: ReviewSite, calls: readonly ToolCall[]): Promise<object | undefined> {
  const step = await played(site, calls, []);
  return 'asked' in step ? Object(step.asked) : undefined;
}

/**
 * What the middleware makes of a person's decision about a call; it checks whether it is one that it allows.
 *
 * @param decision as the middleware takes it: `{ type: 'approve' | 'edit' | 'reject', … }`
 */
export async function verdictOf(site: ReviewSite, call: ToolCall, decision: unknown): Promise<Verdict> {
  const step = await played(site, [call], [{ decisions: [decision] }]);
  const messages: unknown = 'update' in step ? Reflect.get(Object(step.update), 'messages') : undefined;
  const [answer, refusal]: unknown[] = Array.isArray(messages) ? messages : [];
  if (ToolMessage.isInstance(refusal)) return { decision: 'deny', reason: refusal.text };
  const revised = AIMessage.isInstance(answer) ? answer.tool_calls?.[0] : undefined;
  return { decision: 'allow', call: revised ?? call };
}

/** The decision, as the middleware takes it, of an answer that was given by call id. */
export function decisionOf(answer: NativeAnswer, { name }: ToolCall): object {
  const { decision, reason, input } = answer;
  if (decision !== 'allow') return { type: 'reject', ...(reason !== undefined && { message: reason }) };
  return 'input' in answer ? { type: 'edit', editedAction: { name, args: input } } : { type: 'approve' };
}

/** A model's answer with other calls. */
export function withCalls(message: AIMessage, calls: readonly ToolCall[]): AIMessage {
  return Object.assign(Object.create(Object.getPrototypeOf(message)), message, { tool_calls: [...calls] });
}

/**
 * Calls the middleware as if the model had made these calls only, in a node that was resumed with these answers: its
 * own code says what it would ask, and what comes of an answer, and the run does not pause.
 */
async function played(
  { message, messages, afterModel }: ReviewSite,
  calls: readonly ToolCall[],
  answers: readonly unknown[],
): Promise<{ readonly asked: unknown } | { readonly update: unknown }> {
  const config = ambientConfig();
  const scene = {
    ...config,
    configurable: {
      ...config?.configurable,
      __pregel_checkpointer: config?.configurable?.['__pregel_checkpointer'] ?? true,
      __pregel_scratchpad: { interruptCounter: -1, resume: [...answers] },
      __pregel_send: undefined,
    },
  };
  const shown = messages.map((one) => (one === message ? withCalls(message, calls) : one));
  try {
    const play = (): unknown => afterModel(shown);
    return { update: await AsyncLocalStorageProviderSingleton.runWithConfig(scene, play) };
  } catch (error) {
    if (!isControlFlow(error)) throw error;
    const [interrupt]: unknown[] = Reflect.get(Object(error), 'interrupts') ?? [];
    return { asked: Reflect.get(Object(interrupt), 'value') };
  }
}
