/**
 * The input of a tool, as the model sends it (before defaults and transforms): from its Standard Schema (zod 3.24 and
 * newer, valibot, arktype, …), wherever the framework keeps that schema; `unknown` if the types do not say.
 */
export type ToolInput<T> =
  // Mastra and AI SDK: `inputSchema`; LangChain: `schema`; MCP and others: `parameters`
  T extends { readonly inputSchema?: infer S }
    ? SchemaInput<NonNullable<S>, T>
    : T extends { readonly schema: infer S }
      ? SchemaInput<S, T>
      : T extends { readonly parameters: infer S }
        ? SchemaInput<S, T>
        : CallbackInput<T>;

/** The output of a tool's function, as far as the types say. */
export type ToolOutput<T> = T extends { readonly func: (...args: never[]) => infer R }
  ? Final<R>
  : T extends { readonly execute?: infer F }
    ? NonNullable<F> extends (...args: never[]) => infer R
      ? Given<Final<R>>
      : unknown
    : T extends { readonly invoke: (...args: never[]) => infer R }
      ? Final<R>
      : unknown;

type SchemaInput<S, T> = S extends { readonly '~standard': { readonly types?: infer Types } }
  ? NonNullable<Types> extends { readonly input: infer I }
    ? I
    : CallbackInput<T>
  : CallbackInput<T>;

// OpenAI Agents keeps the parsed parameters' type only in the approval callback.
type CallbackInput<T> = T extends {
  readonly needsApproval: (context: never, input: infer I, ...rest: never[]) => unknown;
}
  ? I
  : unknown;

// Mastra returns what is wrong with an input or an output; to hooks the call has failed.
type Given<R> = R extends { readonly error: true; readonly validationErrors: unknown }
  ? never
  : R extends void
    ? undefined
    : R;

type Final<R> = R extends AsyncGenerator<unknown, infer Last> ? Last : Awaited<R>;
