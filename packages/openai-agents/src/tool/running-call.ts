import type { ExecuteOptions } from '@hooks/core';
import { recheckToolCall } from '@hooks/core/tool-call';
import type { SdkDetails } from '../internals.ts';
import type { Registries } from '../options.ts';

/** A call that runs, as hooked tools further in meet it: code of the user may stand between. */
export interface RunningCall {
  readonly toolName: string;
  /** The registries whose hooks were asked. */
  readonly registries: Registries;
  /** The effective input of the call. */
  readonly input: unknown;
  readonly running: ExecuteOptions;
  /** The same call further out, where the tool further in was not known there. */
  readonly outer: RunningCall | undefined;
}

const RUNNING = Symbol('hooks.running');

/** Stores the call in the details while it runs: hooked tools further in find it there. */
export async function whileRunning<T>(
  details: SdkDetails | undefined,
  call: RunningCall,
  running: () => Promise<T>,
): Promise<T> {
  if (details === undefined) return running();
  // Frozen details cannot be changed; whoever froze them passes on others.
  const outer: RunningCall | undefined = Reflect.get(details, RUNNING);
  Reflect.set(details, RUNNING, call);
  try {
    return await running();
  } finally {
    // Code further out may call the tool again.
    Reflect.set(details, RUNNING, outer);
  }
}

/** The call of that tool that runs further out. */
export function furtherOut(details: SdkDetails | undefined, toolName: string): RunningCall | undefined {
  const call: RunningCall | undefined = details && Reflect.get(details, RUNNING);
  return call?.toolName === toolName ? call : undefined;
}

/**
 * The input with which a tool may run: code of the user has it called with this one, or hooks further in have made it.
 *
 * @throws where hooks further out refuse it: for them the call is over, and what the model reads is theirs
 */
export async function passed(call: RunningCall | undefined, input: unknown): Promise<unknown> {
  if (call === undefined) return input;
  const checked = await recheckToolCall(call.running, input);
  if (checked.kind === 'done') throw new Error(checked.outcome.message);
  return passed(call.outer, checked.input);
}
