import {
  type Execute,
  type InputCheck,
  originalTool,
  type RenameTarget,
  type ToolCallOutcome,
  type ToolDescriptor,
} from '@hooks/core';
import { BlockedError, type RunToolCall } from '@hooks/core/adapter';
import { asSchema } from 'ai';
import type { Registry } from '../registries.ts';
import { type HookedRun, inPlace } from '../run/hooked-run.ts';
import type { SdkTool, ToolOptions } from '../sdk.ts';
import { drained } from './parts.ts';
import { checkInput } from './schema.ts';

/** What tool events carry under `native`. */
export interface NativeToolCall {
  readonly tool: object;
  /** What the SDK gave to `execute` beside the input; undefined where it is asked whether the call may run. */
  readonly options: ToolOptions | undefined;
}

/** A tool under hooks. */
export interface Hooked {
  readonly name: string;
  /** As it is without hooks. */
  readonly tool: SdkTool;
  /** The registries that the tool itself was hooked with, outermost first. */
  readonly own: readonly Registry[];
}

/** The tool that a hook wants in the place of the one called, or why it cannot be had. */
export type Renamer = (name: string) => RenameTarget | string;

/** Where a call enters. */
export interface Entered {
  readonly hooked: Hooked;
  /** What the model sent. */
  readonly sent: unknown;
  /** What the SDK has made of it: what runs where no hook changes the input. */
  readonly given: unknown;
  readonly options: ToolOptions;
  /** Unless set, one is minted: of a call inside another. */
  readonly callId?: string;
  readonly parentCallId?: string;
  readonly rename?: Renamer;
  /** What the SDK's user makes of every input: of those that hooks put in place, too. */
  readonly refine?: ((input: unknown) => unknown) | undefined;
  /** Is told what a generator yields. */
  readonly passed?: (part: unknown) => void;
}

/**
 * A refused call. The SDK has the model read `toString()` of what a tool throws.
 */
class RefusedCall extends BlockedError {
  override toString(): string {
    return this.message;
  }
}

/** Takes a call through the hooks; throws where they refuse it. */
export async function callTool(run: HookedRun, entered: Entered): Promise<unknown> {
  const { hooked, sent, given, options, callId, rename, passed, refine = (input) => input } = entered;
  const { tool } = hooked;
  const execute: Execute = async (input, { call }) => {
    const used = input === sent ? given : await refine(await parsedInput(tool, input));
    return inPlace({ run, callId: callId ?? call.callId }, () =>
      drained(tool.execute?.(used, options), passed),
    );
  };
  const outcome = await run.callTool(describe(run, entered), execute, {
    inner: run.inner(hooked.own),
    check: checkOf(hooked, sent, given),
    approval: run.ofTool,
    rename,
  });
  return settled(outcome);
}

/** A call as a run takes it. */
export function describe(
  run: HookedRun,
  {
    hooked,
    sent,
    options,
    callId,
    parentCallId = run.parentCallId,
  }: Omit<Entered, 'given' | 'options'> & {
    readonly options?: ToolOptions;
  },
): RunToolCall {
  const { name, tool } = hooked;
  const native: NativeToolCall = { tool, options };
  return {
    toolName: name,
    callId,
    input: sent,
    tool: descriptorOf(tool),
    parentCallId,
    signal: options?.abortSignal ?? run.signal,
    native,
  };
}

/** What the SDK has parsed fits; what hooks put in its place is checked. */
export function checkOf({ tool }: Hooked, sent: unknown, given: unknown): InputCheck {
  return async (input: unknown) => {
    if (input === sent && given !== undefined) return undefined;
    const checked = await checkInput(tool, input);
    return 'invalid' in checked ? checked.invalid : undefined;
  };
}

function settled(outcome: ToolCallOutcome): unknown {
  if (outcome.status === 'ok') return outcome.output;
  if (outcome.status === 'error') throw outcome.error;
  throw new RefusedCall(outcome);
}

/** An input as the tool takes it. */
export async function parsedInput(tool: SdkTool, input: unknown): Promise<unknown> {
  const checked = await checkInput(tool, input);
  return 'value' in checked ? checked.value : input;
}

interface McpMetadata {
  readonly clientName?: unknown;
  readonly annotations?: NonNullable<ToolDescriptor['annotations']>;
}

function descriptorOf(tool: SdkTool): ToolDescriptor {
  const { description, inputSchema } = tool;
  const { clientName, annotations } = (tool.metadata ?? {}) as McpMetadata;
  return {
    kind: clientName === undefined ? 'function' : 'mcp',
    ...(typeof clientName === 'string' && { server: clientName }),
    ref: originalTool(tool),
    ...(typeof description === 'string' && { description }),
    ...(inputSchema !== undefined && { inputSchema: () => asSchema(inputSchema).jsonSchema }),
    ...(annotations && { annotations }),
  };
}
