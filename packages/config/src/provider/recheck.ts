import { isDeepStrictEqual } from 'node:util';
import type { EventPayload, HookDecision, Session } from '@hooks/core';
import type { HookEntry } from '../entry.ts';
import { isFailure } from '../protocol/answer.ts';
import type { Asked } from './ask.ts';

/** The call as the hooks of the file left it. */
interface Agreed {
  readonly toolName: unknown;
  readonly input: unknown;
  /** Whom it concerned as it came. */
  readonly concerned: ReadonlySet<HookEntry>;
  /** Who made the call what it is, and so need not be asked about it. */
  readonly rewrote: ReadonlySet<HookEntry>;
}

/** Tells whether a call that hooks have agreed to was changed after them, from what they saw of it. */
export class Recheck {
  readonly #agreed: WeakMap<Session, Map<string, Agreed>> = new WeakMap();

  /** Keeps what the hooks of the file made of a call. */
  remember(
    event: EventPayload,
    decision: HookDecision,
    entries: readonly HookEntry[],
    asked: readonly Asked[],
  ): void {
    const { callId, toolName, input } = event as CallPayload;
    const patch = decision.kind === 'modify' ? (decision.patch as Partial<CallPayload>) : {};
    const rewrote = asked.filter(
      ({ result }) => !isFailure(result) && (result.input ?? result.toolName) !== undefined,
    );
    const calls = this.#agreed.get(event.session) ?? new Map<string, Agreed>();
    this.#agreed.set(event.session, calls);
    calls.set(callId, {
      toolName: patch.toolName ?? toolName,
      input: patch.input ?? input,
      concerned: new Set(entries),
      rewrote: new Set(rewrote.map(({ entry }) => entry)),
    });
  }

  /** Of the hooks that concern the call, those to be asked about it as it is now. */
  toAskAgain(event: EventPayload, entries: readonly HookEntry[]): readonly HookEntry[] {
    const { callId, toolName, input } = event as CallPayload;
    const agreed = this.#agreed.get(event.session)?.get(callId);
    if (!agreed) return entries;
    // Another name or input that one of them gave it may concern others than before.
    if (agreed.toolName === toolName && isDeepStrictEqual(agreed.input, input))
      return entries.filter((entry) => !agreed.concerned.has(entry));
    return entries.filter((entry) => !agreed.rewrote.has(entry));
  }

  /** The call is over. */
  forget({ session, callId }: Pick<CallPayload, 'session' | 'callId'>): void {
    this.#agreed.get(session)?.delete(callId);
  }
}

interface CallPayload extends EventPayload {
  readonly callId: string;
  readonly toolName: string;
  readonly input: unknown;
}
