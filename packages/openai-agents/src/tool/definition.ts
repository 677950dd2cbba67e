import type { InputCheck } from '@hooks/core';
import { errorText } from '@hooks/core/adapter';
import {
  type Invocation,
  isAgentTool,
  isMadeBySdk,
  type SdkDetails,
  type SdkFunctionTool,
  stoppedWhenParsed,
} from '../internals.ts';
import { writeInput } from '../translate.ts';

/** What the adapter needs to run a tool, and to fail as the SDK would. */
export interface Definition {
  /** Its schema: as it was given, or the JSON Schema that the SDK made of it. */
  readonly parameters: unknown;
  /** Runs it. */
  run(invocation: Invocation): Promise<unknown>;
  /** Handles a failure as the SDK does: returns a text from the tool's `errorFunction` for the model, or throws. */
  fail(invocation: Invocation, error: unknown): Promise<unknown>;
  /** Handles an invalid input as the SDK does. The tool does not run. */
  refuse(invocation: Invocation, error: unknown): Promise<unknown>;
  /**
   * Parses an input as the tool does, with defaults. Undefined if the input is invalid, or the tool cannot be asked.
   */
  parse?(invocation: Invocation): Promise<unknown>;
}

const DEFINITION = '~hooks.definition';

/** Stores a definition on the function that invokes a tool, because every copy of the tool shares that function. */
export function keepDefinition({ invoke }: SdkFunctionTool, definition: Definition): void {
  Object.defineProperty(invoke, DEFINITION, { value: definition });
}

/** The definition of a tool: what was kept with it, or what a finished tool still tells. */
export function definitionOf(tool: SdkFunctionTool): Definition {
  const kept: Definition | undefined = Reflect.get(tool.invoke, DEFINITION);
  if (kept !== undefined) return kept;
  return {
    parameters: tool.parameters,
    run: ({ context, input, details }) => tool.invoke(context, input, details),
    fail: async (_invocation, error) => {
      throw error;
    },
    refuse: (invocation, error) => refuse(tool, invocation, error),
    parse: (invocation) => parse(tool, invocation),
  };
}

/**
 * Makes a finished tool report what is wrong with its input, without running it. A tool that was not created by the
 * SDK's `tool` would run, so it is not invoked.
 */
async function refuse(
  tool: SdkFunctionTool,
  { context, input, details }: Invocation,
  error: unknown,
): Promise<unknown> {
  if (!isMadeBySdk(tool)) return `The input does not fit the tool's schema: ${errorText(error)}`;
  const thrown = (): never => {
    throw error;
  };
  return tool.invoke(context, input, stoppedWhenParsed(details, thrown));
}

/** Makes a finished tool parse an input, without running it. */
async function parse(tool: SdkFunctionTool, { context, input, details }: Invocation): Promise<unknown> {
  if (!isMadeBySdk(tool)) return undefined;
  const reached = new Error('The input was parsed.');
  let parsed: unknown;
  const take = (value: unknown): never => {
    parsed = value;
    throw reached;
  };
  // An abort with that error keeps the tool's `errorFunction` from being told of it.
  const signal = AbortSignal.abort(reached);
  await tool.invoke(context, input, stoppedWhenParsed({ ...details, signal }, take)).catch(() => {});
  return parsed;
}

/**
 * The check of one call. The schema of a finished tool, as models are shown it, requires fields that have a default: an
 * input without them fits if it does once the tool has parsed it.
 */
export function checkOfCall(check: InputCheck, { parse }: Definition, invocation: Invocation): InputCheck {
  return async (input) => {
    const invalid = await check(input);
    if (invalid === undefined || parse === undefined) return invalid;
    const parsed = await parse({ ...invocation, input: writeInput(input, invocation.input) });
    return parsed === undefined || (await check(parsed)) !== undefined ? invalid : undefined;
  };
}

/**
 * The invocation with the input that hooks decided on. It is written again also where no hook changed it: a tool that
 * parses the text itself may read more in it than hooks did, such as the first of two equal keys. So may one that reads
 * the arguments in the details.
 */
export function withInput(tool: SdkFunctionTool, invocation: Invocation, input: unknown): Invocation {
  const text = writeInput(input, invocation.input);
  // The SDK finds the run of an agent as a tool by the object that is the model's call; the agent reads the input.
  const details = isAgentTool(tool) ? invocation.details : withArguments(invocation.details, text);
  return { ...invocation, input: text, details };
}

/** The details, with what the SDK keeps in them, and with other arguments of the call. */
function withArguments(details: SdkDetails | undefined, text: string): SdkDetails | undefined {
  const called = details?.toolCall;
  if (details === undefined || called === undefined || called.arguments === text) return details;
  const toolCall = {
    value: { ...called, arguments: text },
    enumerable: true,
    configurable: true,
    writable: true,
  };
  return Object.create(Object.getPrototypeOf(details), {
    ...Object.getOwnPropertyDescriptors(details),
    toolCall,
  });
}
