import type { Hooks } from '@hooks/core';
import type { ClientTool, ServerTool } from '@langchain/core/tools';
import type { InteropZodObject, InteropZodType } from '@langchain/core/utils/types';
import type { StateDefinitionInit, StreamTransformer } from '@langchain/langgraph';
import type {
  AgentTypeConfig,
  AnyAnnotationRoot,
  CombineStreamTransformers,
  CombineTools,
  CreateAgentParams,
  InferContextInput,
  ProviderStrategy,
  ReactAgent,
  ResponseFormatUndefined,
  ToolStrategy,
  TypedToolStrategy,
} from 'langchain';
import type { HookedOptions } from './options.ts';

type Transformers = readonly (() => StreamTransformer<unknown>)[];

/** The type of `structuredResponse` for a `responseFormat`, as in the overloads of `createAgent`. */
export type ResponseOf<Format> = [Format] extends [undefined]
  ? ResponseFormatUndefined
  : Format extends InteropZodType<infer Response extends Fields>
    ? Response
    : Format extends
          | TypedToolStrategy<infer Response extends Fields>
          | ToolStrategy<infer Response extends Fields>
          | ProviderStrategy<infer Response extends Fields>
      ? Response
      : Format extends readonly InteropZodType<infer Response extends Fields>[]
        ? Response
        : Fields;

type Fields = Record<string, unknown>;
type AnyMiddleware = NonNullable<CreateAgentParams['middleware']>[number];

/** `createAgent` with hooks: the same parameters, the same agent. */
export type CreateHookedAgent = <
  Format = undefined,
  State extends StateDefinitionInit | undefined = undefined,
  Context extends AnyAnnotationRoot | InteropZodObject = AnyAnnotationRoot,
  const Middleware extends readonly AnyMiddleware[] = readonly AnyMiddleware[],
  const Tools extends readonly (ClientTool | ServerTool)[] = readonly (ClientTool | ServerTool)[],
  const Streams extends Transformers = readonly [],
>(
  params: Omit<CreateAgentParams<ResponseOf<Format>, State, Context, never>, 'responseFormat'> & {
    readonly responseFormat?: Format;
    readonly middleware?: Middleware;
    readonly tools?: Tools;
    readonly streamTransformers?: Streams;
  },
  hooks: Hooks,
  options?: HookedOptions<InferContextInput<Context>>,
) => ReactAgent<
  AgentTypeConfig<
    ResponseOf<Format>,
    State,
    Context,
    Middleware,
    CombineTools<Tools, Middleware>,
    CombineStreamTransformers<Streams, Middleware>
  >
>;
