import {
  tool as sdkTool,
  type ToolInputParameters,
  type ToolOptions,
  type ToolOutputSchema,
} from '@openai/agents';
import type { SdkFunctionTool } from '../internals.ts';
import { type Definition, keepDefinition } from './definition.ts';

/**
 * Defines a tool as the SDK's `tool` does, and so that hooks see it whole: its failures, before an `errorFunction` has
 * made text of them, and its own schema. Without hooks it is the tool that `tool` makes.
 *
 * @param options what `tool` takes
 * @example
 * ```ts
 * const fetchPage = hookedTool({
 *   name: 'fetch_page',
 *   description: 'Fetches a page.',
 *   parameters: z.object({ url: z.string() }),
 *   execute: async ({ url }) => (await fetch(url)).text(),
 * });
 * hooks.on(AfterToolCall.for(fetchPage), (call) => (call.status === 'error' ? retry('flaky') : proceed()));
 * ```
 */
export function hookedTool<
  TParameters extends ToolInputParameters = undefined,
  Context = unknown,
  Result = string,
  TOutputSchema extends ToolOutputSchema | undefined = undefined,
>(
  options: ToolOptions<TParameters, Context, TOutputSchema>,
): ReturnType<typeof sdkTool<TParameters, Context, Result, TOutputSchema>> {
  type Options = ToolOptions<TParameters, Context, TOutputSchema>;
  const define = sdkTool<TParameters, Context, Result, TOutputSchema>;
  const running: SdkFunctionTool = define({ ...options, errorFunction: null } as Options);
  const failing: SdkFunctionTool = define({ ...options, execute: rethrow } as Options);
  const fail: Definition['fail'] = ({ context, input, details }, error) =>
    failing.invoke(context, input, Object.create(details ?? null, { [FAILURE]: { value: error } }));
  const defined = define(options);
  keepDefinition(defined, {
    parameters: options.parameters,
    run: ({ context, input, details }) => running.invoke(context, input, details),
    fail,
    refuse: fail,
  });
  return defined;
}

const FAILURE = Symbol('the failure that the tool ended with');

function rethrow(_input: unknown, _context: unknown, details: object): never {
  throw Reflect.get(details, FAILURE);
}
