import { AfterCompaction, BeforeCompaction, type Hooks, HooksError } from '@hooks/core';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage, type HumanMessage, RemoveMessage } from '@langchain/core/messages';
import { type AgentMiddleware, countTokensApproximately, summarizationMiddleware } from 'langchain';
import { withText } from '../translate.ts';
import { common } from './events.ts';
import { runOf, threadId, type Whereabouts } from './run.ts';

/** When to compact, or how much to keep: in messages, in tokens, or as a fraction of what the model takes. */
export interface ContextSize {
  readonly messages?: number;
  readonly tokens?: number;
  readonly fraction?: number;
}

/** The options of LangChain's `summarizationMiddleware`, whose own type cannot be named here: it resolves to `never`. */
export interface SummarizationOptions {
  /** Writes the summaries; an instance, so that what it is asked can be reached. */
  readonly model: BaseChatModel;
  readonly trigger?: ContextSize | readonly ContextSize[];
  readonly keep?: ContextSize;
  readonly tokenCounter?: (messages: BaseMessage[]) => number | Promise<number>;
  readonly summaryPrompt?: string;
  readonly summaryPrefix?: string;
  readonly trimTokensToSummarize?: number;
}

/** One compaction, from the decision to compact to the new history. */
interface Compaction {
  readonly messages: readonly BaseMessage[];
  asked: boolean;
  vetoed: boolean;
  summary: string | undefined;
}

const COMPACTION = '__hooks_compaction';

/**
 * LangChain's `summarizationMiddleware`, hooked: takes its parameters. `BeforeCompaction` is asked when it has decided to
 * compact and before the summary is paid for: a Block leaves the history as it is, a `summary` is used in the place of
 * the model's, `context` goes to the model that writes it. It only asks hooks when it really compacts.
 *
 * @example
 * ```ts
 * const middleware = [hookedSummarization({ model, trigger: { tokens: 4000 } }, hooks)];
 * createHookedAgent({ model, tools, middleware }, hooks);
 * ```
 * @throws HooksError `CONFIG_INVALID` where the model is named by a string: what it is asked could not be reached
 */
export function hookedSummarization(options: SummarizationOptions, hooks: Hooks): AgentMiddleware {
  const { model } = options;
  if (typeof model !== 'object' || model === null)
    throw new HooksError(
      'CONFIG_INVALID',
      'hookedSummarization: `model` must be a chat model, for example new ChatOpenAI({ … }), not its name.',
    );
  const made = { ...options, model: asking(model, hooks) };
  const middleware = summarizationMiddleware(made as never); // what its parameter's type resolves to, too
  const { beforeModel } = middleware;
  if (typeof beforeModel !== 'function') return middleware as AgentMiddleware;
  const hooked: typeof beforeModel = async (state, runtime) => {
    const compaction: Compaction = {
      messages: state.messages,
      asked: false,
      vetoed: false,
      summary: undefined,
    };
    const configurable = { ...runtime.configurable, [COMPACTION]: compaction };
    const update = await beforeModel(state, { ...runtime, configurable });
    const messages: unknown = typeof update === 'object' ? Reflect.get(update, 'messages') : undefined;
    const compacted = Array.isArray(messages) && RemoveMessage.isInstance(messages[0]);
    // Of what is too long to be summarized, LangChain asks no model for a summary.
    if (compacted && !compaction.asked)
      messages[1] = await withoutModel(hooks, runtime, model, compaction, messages[1]);
    // What was thrown to veto it has become the text of a summary by now.
    if (compaction.vetoed) return undefined;
    if (compacted)
      await hooks.dispatch(AfterCompaction, {
        ...figures(hooks, runtime, model, compaction),
        summary: compaction.summary ?? '',
      });
    return update;
  };
  return { ...middleware, beforeModel: hooked } as AgentMiddleware;
}

/** The model that writes summaries, asking the hooks first. */
function asking<M extends object>(model: M, hooks: Hooks): M {
  const invoked: unknown = Reflect.get(model, 'invoke');
  if (typeof invoked !== 'function') return model;
  const invoke = async (prompt: string, config?: Whereabouts): Promise<unknown> => {
    const compaction = config?.configurable?.[COMPACTION] as Compaction | undefined;
    if (compaction === undefined) return Reflect.apply(invoked, model, [prompt, config]);
    const decision = await ask(hooks, config, model, compaction);
    if (decision.kind === 'block') throw new Error(`The compaction was vetoed: ${decision.reason}`);
    const { summary, context = [] } = decision.kind === 'modify' ? decision.patch : {};
    const guided = [prompt, ...context].join('\n\n');
    const answer: unknown =
      summary === undefined ? await Reflect.apply(invoked, model, [guided, config]) : new AIMessage(summary);
    compaction.summary = summary ?? (AIMessage.isInstance(answer) ? answer.text : '');
    return answer;
  };
  return new Proxy(model, {
    get: (target, property) => (property === 'invoke' ? invoke : Reflect.get(target, property, target)),
  });
}

/** Asks the hooks whether and how to compact. */
async function ask(hooks: Hooks, config: Whereabouts | undefined, model: object, compaction: Compaction) {
  const event = { ...figures(hooks, config, model, compaction), native: compaction.messages };
  const decision = await hooks.dispatch(BeforeCompaction, event, { signal: config?.signal });
  compaction.asked = true;
  compaction.vetoed = decision.kind === 'block';
  return decision;
}

/** The message in the place of the history where no model was asked to write it: its last paragraph is the summary. */
async function withoutModel(
  hooks: Hooks,
  config: Whereabouts | undefined,
  model: object,
  compaction: Compaction,
  message: HumanMessage,
): Promise<HumanMessage> {
  const decision = await ask(hooks, config, model, compaction);
  const at = message.text.lastIndexOf('\n\n') + 2;
  const { summary } = decision.kind === 'modify' ? decision.patch : {};
  compaction.summary = summary ?? message.text.slice(at);
  return summary === undefined ? message : withText(message, message.text.slice(0, at) + summary);
}

function figures(
  hooks: Hooks,
  config: Whereabouts | undefined,
  model: object,
  { messages }: Compaction,
): Omit<BeforeCompaction, 'type' | 'summary' | 'context'> {
  const run = runOf(hooks, config);
  const profile: unknown = Reflect.get(model, 'profile');
  const limit: unknown =
    typeof profile === 'object' && profile !== null ? Reflect.get(profile, 'maxInputTokens') : 0;
  return {
    ...(run === undefined ? { session: hooks.session(threadId(config)) } : common(run)),
    inputTokens: countTokensApproximately([...messages]),
    outputTokens: 0,
    contextLimit: typeof limit === 'number' ? limit : 0,
    reason: 'threshold',
    source: 'auto',
  };
}
