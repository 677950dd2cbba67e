import { type Schema as JsonSchema, Validator } from '@cfworker/json-schema';
import {
  type Execute,
  type FindTarget,
  type InputCheck,
  type InvalidInput,
  originalTool,
  type ToolCallOutcome,
  type ToolDescriptor,
} from '@hooks/core';
import { BlockedError, canonicalJson, isSameInput, type RunToolCall, SAME_ID } from '@hooks/core/adapter';
import { hashInput } from '@hooks/core/tool-call';
import { asSchema } from 'ai';
import type { Registries } from '../options.ts';
import { type HookedRun, inPlace } from '../run/hooked-run.ts';
import type { SdkTool, ToolOptions } from '../sdk.ts';
import { drained } from './parts.ts';
import { noteOrigin } from './replaced-output.ts';

/** The `native` field of tool events. */
export interface NativeToolCall {
  readonly tool: object;
  /** What the SDK passed to `execute` besides the input. Undefined while it asks whether the call may run. */
  readonly options: ToolOptions | undefined;
}

/** A hooked tool. */
export interface Hooked {
  readonly name: string;
  /** The original. */
  readonly tool: SdkTool;
  /** The registries that the tool was hooked with on its own, outermost first. */
  readonly own: Registries;
}

/** A call as hooks see it. */
export interface Described {
  readonly hooked: Hooked;
  /** The input that the model sent. */
  readonly sent: unknown;
  /** Default: a generated id, for a call inside another. */
  readonly callId?: string | undefined;
  readonly parentCallId?: string | undefined;
  /** What the SDK passes to the tool, once it runs. */
  readonly options?: ToolOptions;
  /** The tool's own context. Default: that of the options. */
  readonly context?: unknown;
}

/** A tool call as it enters core's pipeline. */
export interface Entered extends Described {
  /** The SDK's parsed form of the input, which runs if no hook changes that. */
  readonly given: unknown;
  readonly options: ToolOptions;
  readonly rename?: FindTarget;
  /** The user's refinement of every input, also of those that hooks set. */
  readonly refine?: ((input: unknown) => unknown) | undefined;
  /** Gets the values that a generator yields. */
  readonly passed?: ((part: unknown) => void) | undefined;
}

/** A refused call. The model reads `toString()` of a tool's error. */
class RefusedCall extends BlockedError {
  override toString(): string {
    return this.message;
  }
}

/** Runs a call through the hooks. Throws if they refuse it. */
export async function callTool(run: HookedRun, entered: Entered): Promise<unknown> {
  const { hooked, sent, given, options, callId, rename, passed, refine = (input) => input } = entered;
  const { tool } = hooked;
  let raw: unknown = NONE;
  const execute: Execute = async (input, { call }) => {
    // A tool may yield a concealed value in pieces, none of which tells what it is of.
    const shown = call.concealed ? undefined : passed;
    // What hooks saw runs. The SDK's parsed form stands for it, where that is another object than what was sent.
    const parsed = sent === given ? input : given;
    const used = isSameInput(input, sent) ? parsed : await refine(await parsedInput(tool, input));
    raw = await inPlace({ run, callId: callId ?? call.callId }, () =>
      drained(tool.execute?.(used, options), shown),
    );
    return raw;
  };
  const described = { ...describe(run, entered), parsedHash: await parsedHash(sent, given) };
  const outcome = await run.callTool(described, execute, {
    inner: hooked.own.attached(),
    check: checkOf(hooked, sent, given),
    pause: run.whyNoPause(callId),
    rename,
  });
  if (outcome.output !== raw)
    noteOrigin(
      tool,
      options.toolCallId,
      outcome.output,
      outcome.renamedTo === undefined ? 'hook' : 'other tool',
    );
  return settled(outcome);
}

/** No output: the tool did not run. */
const NONE = Symbol();

/** Refuses a call whose id another call of the answer has. No hook is asked to allow it, and all hear of it. */
export function refuseRepeated(
  run: HookedRun,
  described: Described & { readonly callId: string },
): Promise<ToolCallOutcome> {
  run.noteRefused(described.callId);
  const error = new RefusedCall({ reason: SAME_ID, toolName: described.hooked.name });
  return run.callTool(describe(run, described), () => undefined, {
    inner: described.hooked.own.attached(),
    check: () => ({ message: SAME_ID, error }),
  });
}

/** A call in core's form. */
export function describe(
  run: HookedRun,
  { hooked, sent, options, callId, context = options?.context, parentCallId = run.parentCallId }: Described,
): RunToolCall {
  const { name, tool } = hooked;
  const native: NativeToolCall = { tool, options };
  const about = { runtimeContext: context, options: undefined };
  const principal = hooked.own.principalOfCall(run, about);
  return {
    toolName: name,
    callId,
    principal,
    ...(callId !== undefined && run.answers.get(callId)),
    input: sent,
    tool: descriptorOf(tool),
    parentCallId,
    signal: options?.abortSignal ?? run.signal,
    native,
  };
}

/** The SDK has already checked its own parsed input. Inputs that hooks set are checked here. */
export function checkOf({ tool }: Hooked, sent: unknown, given: unknown): InputCheck {
  return async (input: unknown) => {
    if (given !== undefined && isSameInput(input, sent)) return undefined;
    const checked = await checkInput(tool, input);
    return 'invalid' in checked ? checked.invalid : undefined;
  };
}

/** The output of a call, or its error. */
export function settled(outcome: ToolCallOutcome): unknown {
  if (outcome.status === 'ok') return outcome.output;
  if (outcome.status === 'error') throw outcome.error;
  throw new RefusedCall(outcome);
}

/** An input in the form that the tool gets. */
export async function parsedInput(tool: SdkTool, input: unknown): Promise<unknown> {
  const checked = await checkInput(tool, input);
  return 'value' in checked ? checked.value : input;
}

/** Whether an input is what a tool's schema makes of what a model sent. */
export async function isParsedFrom(tool: SdkTool, given: unknown, sent: unknown): Promise<boolean> {
  const got = passedOn(given);
  return isSameInput(got, passedOn(sent)) || isSameInput(got, passedOn(await parsedInput(tool, sent)));
}

/** The hash of an input in the form that the tool gets, where that is not what the model sent. */
export async function parsedHash(sent: unknown, given: unknown): Promise<string | undefined> {
  const got = passedOn(given);
  try {
    return isSameInput(got, sent) ? undefined : await hashInput(got);
  } catch {
    // JSON cannot show it, so the call does not run in another process.
    return undefined;
  }
}

/** An input as messages bring it to another request, and as a signature covers it: in JSON, in which -0 is 0, if that can show it. */
function passedOn(input: unknown): unknown {
  try {
    canonicalJson(input);
    return JSON.parse(JSON.stringify(input));
  } catch {
    return input;
  }
}

interface McpMetadata {
  readonly clientName?: unknown;
  readonly annotations?: NonNullable<ToolDescriptor['annotations']>;
}

/** A tool, as hooks see it. */
export function descriptorOf(tool: SdkTool): ToolDescriptor {
  const { description, inputSchema } = tool;
  const { clientName, annotations } = (tool.metadata ?? {}) as McpMetadata;
  return {
    kind: clientName === undefined ? 'function' : 'mcp',
    server: typeof clientName === 'string' ? clientName : undefined,
    ref: originalTool(tool),
    description: typeof description === 'string' ? description : undefined,
    inputSchema: inputSchema === undefined ? undefined : () => asSchema(inputSchema).jsonSchema,
    annotations,
  };
}

/** The result of parsing an input by a tool's schema, or why it does not fit. */
type Checked = { readonly value: unknown } | { readonly invalid: InvalidInput };

/** Checks an input. The SDK does not check plain JSON Schemas, such as those of MCP tools; this does. */
async function checkInput({ inputSchema }: SdkTool, input: unknown): Promise<Checked> {
  const schema = asSchema(inputSchema);
  if (schema.validate !== undefined) {
    const result = await schema.validate(input);
    if (result.success) return { value: result.value };
    return { invalid: { message: result.error.message, error: result.error } };
  }
  const validator = new Validator((await schema.jsonSchema) as JsonSchema, '2020-12', true);
  const { valid, errors } = validator.validate(input);
  if (valid) return { value: input };
  const [worst] = errors.toReversed();
  return { invalid: { message: worst ? `${worst.instanceLocation}: ${worst.error}` : 'it does not fit' } };
}
