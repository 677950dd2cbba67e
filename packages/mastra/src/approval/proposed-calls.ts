import { isSameInput } from '@hooks/core/adapter';
import type { StoredCall } from '../agent.ts';
import { argumentsOf, madeOf } from '../internals.ts';

/** A call that the model made. */
export interface ProposedCall {
  readonly callId: string;
  readonly toolName: string;
  /** The arguments as the model wrote them. */
  readonly input: unknown;
  /** The same as JSON. Mastra asks about a call without its id. */
  readonly json: string;
  /** Whether Mastra has asked about its approval. */
  asked: boolean;
}

/** The calls of a model's answer. */
export class ProposedCalls {
  readonly #nameOf: (called: string) => string;
  #all: readonly ProposedCall[] = [];

  /** @param nameOf the name of the tool that the model called by name or by id */
  constructor(nameOf: (called: string) => string) {
    this.#nameOf = nameOf;
  }

  /** Stores and returns the calls of an answer. */
  note(calls: readonly StoredCall[]): readonly ProposedCall[] {
    this.#all = calls.flatMap(({ toolCallId: callId, toolName, args }) => {
      if (callId === undefined) return [];
      const written = argumentsOf(args);
      return [{ callId, toolName: this.#nameOf(String(toolName)), ...copyOf(written), asked: false }];
    });
    return this.#all;
  }

  /** The call that Mastra asks about: of equal ones the first that it has not asked about yet. */
  askedAbout(toolName: string, input: unknown): ProposedCall | undefined {
    const { json } = copyOf(input);
    const equal = this.#all.filter((one) => one.toolName === toolName && one.json === json);
    const call = equal.find(({ asked }) => !asked) ?? equal[0];
    if (call !== undefined) call.asked = true;
    return call;
  }

  /** Whether no call is known. */
  get isEmpty(): boolean {
    return this.#all.length === 0;
  }

  /** The call is over without having run. */
  forget(callId: string): void {
    this.#all = this.#all.filter((one) => one.callId !== callId);
  }

  /** The call of that id. */
  ofId(callId: string | undefined): ProposedCall | undefined {
    return this.#all.find((one) => one.callId === callId);
  }
}

/**
 * A copy of arguments, because Mastra may add to them in place when the call runs; JSON would lose the sign of -0. What is
 * nested too deeply for that is refused anyway.
 */
function copyOf(written: unknown): Pick<ProposedCall, 'input' | 'json'> {
  try {
    return { input: structuredClone(written), json: JSON.stringify(written) };
  } catch {
    return { input: written, json: '' };
  }
}

/**
 * Whether a call runs with what the model wrote, as far as Mastra keeps that: from what it stores, `__proto__` and the sign of -0
 * are gone. To what an agent as a tool is given, Mastra adds the thread of its own.
 */
export function runsAsWritten(toolName: string, input: unknown, written: unknown): boolean {
  const fields: object = Object(written);
  const given = Object.entries(Object(input)).filter(([field]) => field in fields);
  const runs: unknown = madeOf(toolName) === 'agent' ? Object.fromEntries(given) : input;
  return isStoredAs(written, runs);
}

/** Whether Mastra's storage may have made the second input of the first. It may change the order of keys, too. */
export function isStoredAs(written: unknown, stored: unknown): boolean {
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
