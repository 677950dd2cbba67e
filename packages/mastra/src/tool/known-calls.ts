import { type CallIdentity, isSameInput } from '@hooks/core/adapter';
import type { StoredCall } from '../agent.ts';
import { addedFields, argumentsOf } from '../internals.ts';
import { Execution } from './execution.ts';

/** The calls of a run that a model has made, have begun or have paused. While one runs it is not here, so no other call with its id takes it over. */
export class KnownCalls {
  #all: readonly Execution[] = [];

  /**
   * Stores and returns the calls of a model's answer, in place of those before.
   *
   * @param nameOf the name of the tool that the model called by name or by id
   */
  note(calls: readonly StoredCall[], nameOf: (called: string) => string): readonly Execution[] {
    this.#all = calls.map(
      ({ toolCallId, toolName, args }) =>
        new Execution(toolCallId, nameOf(String(toolName)), copyOf(argumentsOf(args))),
    );
    return this.#all;
  }

  /** The call that Mastra asks about without its id: of equal ones the first that it has not asked about yet. */
  askedAbout(toolName: string, input: unknown): Execution | undefined {
    const equal = this.#all.filter((one) => one.toolName === toolName && isStoredAs(one.sent, input));
    const call = equal.find(({ isAsked }) => !isAsked) ?? equal[0];
    if (call !== undefined) call.isAsked = true;
    return call;
  }

  /** Whether no call is known. */
  get isEmpty(): boolean {
    return this.#all.length === 0;
  }

  ofId(callId: string | undefined): Execution | undefined {
    return this.#all.find((one) => one.callId === callId);
  }

  /** A call that hooks are asked about before Mastra runs it. */
  prepare(callId: string, toolName: string, sent: unknown): Execution {
    const known = this.of(callId, toolName).find((one) => isSameInput(one.sent, sent));
    return known ?? this.keep(new Execution(callId, toolName, sent));
  }

  /**
   * Takes a call that runs now, for the first time or again after a pause. What Mastra gives may differ from what the model
   * wrote: see {@link runsAsWritten}. It may also add to the input while the call is paused.
   */
  take(callId: string | undefined, toolName: string, given: unknown): Execution {
    const all = this.of(callId, toolName);
    const known =
      all.find(({ sent }) => isSameInput(sent, given)) ??
      all.find(({ sent }) => runsAsWritten(toolName, given, sent)) ??
      all.find(({ hasEntered }) => hasEntered);
    this.#all = this.#all.filter((one) => one !== known);
    return known ?? new Execution(callId, toolName, given);
  }

  /** The call has paused. */
  keep(execution: Execution): Execution {
    this.#all = [...this.#all, execution];
    return execution;
  }

  /** The call is over without having run. Others with its id are not. */
  forget({ callId, toolName, input }: CallIdentity): void {
    const known = this.of(callId, toolName).find(({ sent }) => isSameInput(sent, input));
    this.#all = this.#all.filter((one) => one !== known);
  }

  /** The calls of a tool with that id: a model may have given it to several. */
  of(callId: string | undefined, toolName: string): readonly Execution[] {
    return this.#all.filter((one) => one.callId === callId && one.toolName === toolName);
  }
}

/** A copy of arguments, because Mastra may add to them in place when the call runs. What cannot be copied is refused anyway. */
function copyOf(written: unknown): unknown {
  try {
    return structuredClone(written);
  } catch {
    return written;
  }
}

/**
 * Whether a call runs with what the model wrote, as far as Mastra keeps that: from what it stores, `__proto__` and the sign of -0
 * are gone. To what an agent as a tool is given, Mastra adds the thread of its own.
 */
export function runsAsWritten(toolName: string, input: unknown, written: unknown): boolean {
  const added = addedFields(toolName, input, written);
  if (added.length === 0) return isStoredAs(written, input);
  const given = Object.entries(Object(input)).filter(([field]) => !added.includes(field));
  return isStoredAs(written, Object.fromEntries(given));
}

/** Whether Mastra's storage may have made the second input of the first. It may change the order of keys, too. */
function isStoredAs(written: unknown, stored: unknown): boolean {
  try {
    return isSameInput(asStored(written), asStored(stored));
  } catch {
    return false; // nested too deeply for JSON
  }
}

function asStored(value: unknown): unknown {
  const json = JSON.stringify(value, (key, field: unknown) => (key === '__proto__' ? undefined : field));
  return json === undefined ? undefined : JSON.parse(json);
}
