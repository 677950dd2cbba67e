import { type Hooks, HooksError } from '@hooks/core';
import { type AgentRun, type CompactionAnswer, type CompactionFigures, openRun } from '@hooks/core/adapter';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage, type HumanMessage, RemoveMessage } from '@langchain/core/messages';
import { type AgentMiddleware, countTokensApproximately, summarizationMiddleware } from 'langchain';
import { threadId, type Whereabouts } from '../config.ts';
import { withText } from '../translate.ts';
import { runOf } from './run.ts';

/** When to compact, or how much to keep: in messages, in tokens, or as a fraction of the model's context. */
export interface ContextSize {
  readonly messages?: number;
  readonly tokens?: number;
  readonly fraction?: number;
}

/** The options of LangChain's `summarizationMiddleware`, whose own type cannot be named here: it resolves to `never`. */
export interface SummarizationOptions {
  /** Writes the summaries. It must be an instance, so that hooks can change the request. */
  readonly model: BaseChatModel;
  readonly trigger?: ContextSize | readonly ContextSize[];
  readonly keep?: ContextSize;
  readonly tokenCounter?: (messages: BaseMessage[]) => number | Promise<number>;
  readonly summaryPrompt?: string;
  readonly summaryPrefix?: string;
  readonly trimTokensToSummarize?: number;
}

/** A compaction, from LangChain's decision to compact to the new history. */
interface Compaction {
  readonly run: AgentRun;
  readonly figures: CompactionFigures;
  readonly messages: readonly BaseMessage[];
  asked: boolean;
  vetoed: boolean;
  summary: string | undefined;
}

const COMPACTION = '__hooks_compaction';

/**
 * LangChain's `summarizationMiddleware` with hooks; takes the same parameters. `BeforeCompaction` fires when it has
 * decided to compact, before it calls a model: a Block keeps the history, a `summary` replaces the model's, and
 * `context` goes to the model that writes it.
 *
 * @example
 * ```ts
 * const middleware = [hookedSummarization({ model, trigger: { tokens: 4000 } }, hooks)];
 * createHookedAgent({ model, tools, middleware }, hooks);
 * ```
 * @throws HooksError `CONFIG_INVALID` if the model is named by a string, because hooks could not change the request
 */
export function hookedSummarization(options: SummarizationOptions, hooks: Hooks): AgentMiddleware {
  const { model } = options;
  if (typeof model !== 'object' || model === null)
    throw new HooksError(
      'CONFIG_INVALID',
      'hookedSummarization: `model` must be a chat model, for example new ChatOpenAI({ … }), not its name.',
    );
  const made = { ...options, model: asking(model) };
  const middleware = summarizationMiddleware(made as never); // its parameter's type resolves to `never`
  const { beforeModel } = middleware;
  if (typeof beforeModel !== 'function') return middleware as AgentMiddleware;
  const hooked: typeof beforeModel = async (state, runtime) => {
    const known = runOf(hooks, runtime);
    const { signal } = runtime;
    const run = known ?? openRun(hooks, { sessionId: threadId(runtime), signal });
    const compaction: Compaction = {
      run,
      figures: figuresOf(model, state.messages),
      messages: state.messages,
      asked: false,
      vetoed: false,
      summary: undefined,
    };
    try {
      const configurable = { ...runtime.configurable, [COMPACTION]: compaction };
      const update = await beforeModel(state, { ...runtime, configurable });
      const messages: unknown = typeof update === 'object' ? Reflect.get(update, 'messages') : undefined;
      const compacted = Array.isArray(messages) && RemoveMessage.isInstance(messages[0]);
      // LangChain does not call the model for messages that are too long to summarize.
      if (compacted && !compaction.asked) messages[1] = await withoutModel(compaction, messages[1]);
      // LangChain has put the error that vetoed it into the text of a summary.
      if (compaction.vetoed) return undefined;
      if (compacted) await run.compacted(compaction.figures, compaction.summary ?? '');
      return update;
    } finally {
      if (known === undefined && run.ownsSession) await run.close();
    }
  };
  return { ...middleware, beforeModel: hooked } as AgentMiddleware;
}

/** The model that writes summaries, which asks the hooks first. */
function asking<M extends object>(model: M): M {
  const invoked: unknown = Reflect.get(model, 'invoke');
  if (typeof invoked !== 'function') return model;
  const invoke = async (prompt: string, config?: Whereabouts): Promise<unknown> => {
    const compaction = config?.configurable?.[COMPACTION] as Compaction | undefined;
    if (compaction === undefined) return Reflect.apply(invoked, model, [prompt, config]);
    const answered = await ask(compaction);
    if (answered.kind === 'vetoed') throw new Error(`The compaction was vetoed: ${answered.reason}`);
    const { summary, context } = answered;
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
async function ask(compaction: Compaction): Promise<CompactionAnswer> {
  const { run, figures, messages } = compaction;
  const answer = await run.compact({ ...figures, native: messages });
  compaction.asked = true;
  compaction.vetoed = answer.kind === 'vetoed';
  return answer;
}

/** The message that replaces the history if no model wrote it. Its last paragraph is the summary. */
async function withoutModel(compaction: Compaction, message: HumanMessage): Promise<HumanMessage> {
  const answer = await ask(compaction);
  const at = message.text.lastIndexOf('\n\n') + 2;
  const summary = answer.kind === 'compact' ? answer.summary : undefined;
  compaction.summary = summary ?? message.text.slice(at);
  return summary === undefined ? message : withText(message, message.text.slice(0, at) + summary);
}

function figuresOf(model: object, messages: readonly BaseMessage[]): CompactionFigures {
  const profile: unknown = Reflect.get(model, 'profile');
  const limit: unknown = Reflect.get(Object(profile), 'maxInputTokens');
  return {
    inputTokens: countTokensApproximately([...messages]),
    ...(typeof limit === 'number' && { contextLimit: limit }),
    source: 'auto',
  };
}
