import type { AskOuter } from '@hooks/core/tool-call';
import { hiddenKey, type SdkContext, type SdkDetails, type SdkFunctionTool } from '../internals.ts';

/** What the SDK invokes a tool with. */
export interface Invocation {
  readonly context: SdkContext;
  /** The arguments, as JSON. */
  readonly input: string;
  /** The very object that the SDK made: nested runs hang on hidden properties of it, and on the object itself. */
  readonly details: SdkDetails | undefined;
  /** The hooks that have had the call before, of another registry. */
  readonly outer?: AskOuter | undefined;
}

/** What the adapter must know of a tool to run it and to fail as the SDK would. */
export interface Definition {
  /** Its schema: as it was given, or the JSON Schema that the SDK made of it. */
  readonly parameters: unknown;
  /** Whether its calls go through hooks by themselves. */
  readonly hooked?: boolean;
  /** Runs it. */
  run(invocation: Invocation): Promise<unknown>;
  /** What the SDK makes of a failure: a text of the tool's `errorFunction` for the model, or a throw. */
  fail(invocation: Invocation, error: unknown): Promise<unknown>;
  /** What the SDK makes of an input that does not fit; the tool does not run. */
  refuse(invocation: Invocation, error: unknown): Promise<unknown>;
}

const DEFINITION = '~hooks.definition';

/** Keeps a definition with a tool, and with every copy of it. */
export function keepDefinition<T extends object>(tool: T, definition: Definition): T {
  return Object.defineProperty(tool, DEFINITION, { value: definition, configurable: true });
}

/** The definition of a tool: what was kept with it, or what a finished tool still tells. */
export function definitionOf(tool: SdkFunctionTool): Definition {
  const kept: Definition | undefined = Reflect.get(tool, DEFINITION);
  if (kept !== undefined) return kept;
  return {
    parameters: tool.parameters,
    run: ({ context, input, details }) => tool.invoke(context, input, details),
    fail: async (_invocation, error) => {
      throw error;
    },
    refuse: (invocation, error) => refuse(tool, invocation, error),
  };
}

// Through this symbol of the details the SDK tells that the input was parsed and that the tool runs next.
const PARSED = 'openai.agents.functionToolParsedInputCallback';

/**
 * Has a finished tool word what is wrong with its input, without running it: it is invoked with details that throw
 * where the tool would begin. Details that did not come from the SDK's runner have no such place, nor has a tool that
 * the SDK's `tool` did not make, which would run.
 */
async function refuse(
  tool: SdkFunctionTool,
  { context, input, details }: Invocation,
  error: unknown,
): Promise<unknown> {
  const parsed = hiddenKey(details ?? {}, PARSED);
  if (details === undefined || parsed === undefined || !isMadeBySdk(tool))
    return `The input does not fit the tool's schema: ${error instanceof Error ? error.message : String(error)}`;
  const thrown = (): never => {
    throw error;
  };
  return tool.invoke(context, input, Object.create(details, { [parsed]: { value: thrown } }));
}

/** Whether it is the SDK's runner that invokes the tool, which gives it details of its own. */
export function isOfRunner({ details }: Invocation): boolean {
  return details !== undefined && hiddenKey(details, PARSED) !== undefined;
}

/** Whether it is the SDK's own function that a tool is invoked by, which can be known by its text alone. */
function isMadeBySdk({ invoke }: SdkFunctionTool): boolean {
  return String(invoke).includes('invokeWithoutTimeout');
}
