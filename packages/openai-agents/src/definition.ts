import type { SdkFunctionTool } from './sdk.ts';

/** What the adapter must know of a tool to run it and to fail as the SDK would. */
export interface Definition {
  /** Its schema: as it was given, or the JSON Schema that the SDK made of it. */
  readonly parameters: unknown;
  /** Runs it. */
  run(context: unknown, input: string, details: object | undefined): Promise<unknown>;
  /** What the SDK makes of a failure: a text of the tool's `errorFunction` for the model, or a throw. */
  fail(context: unknown, input: string, details: object | undefined, error: unknown): Promise<unknown>;
  /** What the SDK makes of an input that does not fit; the tool does not run. */
  refuse(context: unknown, input: string, details: object | undefined, error: unknown): Promise<unknown>;
}

const DEFINITION = '~hooks.definition';

/** Keeps a definition with its tool, and with every copy of it. */
export function keepDefinition<T extends object>(tool: T, definition: Definition): T {
  return Object.defineProperty(tool, DEFINITION, { value: definition });
}

/** The definition of a tool: what `hookedTool` kept, or what a finished tool still tells. */
export function definitionOf(tool: SdkFunctionTool): Definition {
  const kept: unknown = Reflect.get(tool, DEFINITION);
  if (kept !== undefined) return kept as Definition;
  return {
    parameters: tool.parameters,
    run: (context, input, details) => tool.invoke(context, input, details),
    fail: async (_context, _input, _details, error) => {
      throw error;
    },
    refuse: (context, input, details, error) => refuse(tool, context, input, details, error),
  };
}

// Through this symbol of the details the SDK tells that the input was parsed and that the tool runs next.
const PARSED = 'openai.agents.functionToolParsedInputCallback';

/**
 * Has a finished tool word what is wrong with its input, without running it: it is invoked with details that throw
 * where the tool would begin. Details that did not come from the SDK's runner have no such place.
 */
async function refuse(
  tool: SdkFunctionTool,
  context: unknown,
  input: string,
  details: object | undefined,
  error: unknown,
): Promise<unknown> {
  const parsed = Object.getOwnPropertySymbols(details ?? {}).find(
    ({ description }) => description === PARSED,
  );
  if (details === undefined || parsed === undefined)
    return `The input does not fit the tool's schema: ${error instanceof Error ? error.message : String(error)}`;
  const thrown = (): never => {
    throw error;
  };
  return tool.invoke(context, input, Object.create(details, { [parsed]: { value: thrown } }));
}
