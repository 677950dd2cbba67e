import type { Session } from '@hooks/core';
import { rootOf } from '@hooks/core/adapter';
import { MEMORIES } from './memory.ts';
import type { ReadText } from './values/text.ts';
import { valuesOf } from './values/value.ts';

/** What is known of where the values of a conversation come from. */
export interface FlowExplanation {
  /** What counts: the user's words, and results of sources that are trusted. */
  readonly trusted: readonly KnownOrigin[];
  /** What others wrote, in the order in which it was read. */
  readonly untrusted: readonly KnownOrigin[];
  /** The values that a person has approved. */
  readonly endorsed: readonly EndorsedValue[];
  /** Where anything that others wrote was first read. */
  readonly touched: string | undefined;
  /** Where a value comes from. */
  origin(value: unknown): ValueOrigin;
}

/** A text that the model has read. */
export interface KnownOrigin {
  /** `your words`, `read_file("bill.txt")`. */
  readonly origin: string;
  /** Its addresses, URLs, IBANs and telephone numbers, as they are written there. */
  readonly values: readonly string[];
  /** The number of its characters. */
  readonly length: number;
}

/** A value that a person has approved, for one argument of one tool. */
export interface EndorsedValue {
  readonly toolName: string;
  readonly argument: string;
  readonly value: string;
}

/** Where a value comes from. `first` is missing where nothing that was read has it. */
export type ValueOrigin =
  | { readonly trust: 'trusted'; readonly first: string }
  | { readonly trust: 'untrusted'; readonly first: string | undefined };

/**
 * Says what the policies of {@link flow} know of a conversation. A sub-agent's session has that of its parent.
 *
 * @example
 * ```ts
 * explainFlow(session).origin('GB29NWBK60161331926819'); // { trust: 'untrusted', first: 'read_file("bill.txt")' }
 * ```
 */
export function explainFlow(session: Session): FlowExplanation {
  const memories = [...(rootOf(session).get(MEMORIES)?.values() ?? [])];
  const keys = new Set(memories.flatMap(({ endorsed }) => [...endorsed]));
  return {
    trusted: memories.flatMap(({ words, trusted }) => [...words, ...trusted].map(known)),
    untrusted: memories.flatMap(({ untrusted }) => untrusted.map(known)),
    endorsed: [...keys].map(endorsedValue),
    touched: memories.find(({ touched }) => touched !== undefined)?.touched,
    origin(value) {
      const values = valuesOf(value);
      const origins = memories.map((memory) => values.map((one) => memory.origin(one)));
      const first = origins.find((all) => all.length > 0 && all.every((origin) => origin !== undefined))?.[0];
      if (first !== undefined) return { trust: 'trusted', first };
      const doubtful = memories.flatMap((memory) =>
        values.filter((one) => memory.origin(one) === undefined).map((one) => memory.firstSeen(one)),
      );
      return { trust: 'untrusted', first: doubtful.find((origin) => origin !== undefined) };
    },
  };
}

function known({ origin, read }: { readonly origin: string; readonly read: ReadText }): KnownOrigin {
  const values = new Set(read.typed.map(({ start, end }) => read.text.slice(start, end)));
  return { origin, values: [...values], length: read.length };
}

function endorsedValue(key: string): EndorsedValue {
  const [toolName = '', argument = '', , value = '']: readonly string[] = JSON.parse(key);
  return { toolName, argument, value };
}
