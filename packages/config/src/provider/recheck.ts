import { isDeepStrictEqual } from 'node:util';
import type { EventPayload, HookDecision, Session } from '@hooks/core';
import type { HookEntry } from '../entry.ts';
import { isFailure } from '../protocol/answer.ts';
import type { Asked } from './ask.ts';

/** The call as the file's hooks left it. */
interface Agreed {
  readonly toolName: unknown;
  readonly input: unknown;
  /** The entries that applied to the original call. */
  readonly concerned: ReadonlySet<HookEntry>;
  /** The entries that rewrote the call, which do not need to check it again. */
  readonly rewrote: ReadonlySet<HookEntry>;
}

/** Detects whether a call was changed after hooks allowed it. */
export class Recheck {
  readonly #agreed: WeakMap<Session, Map<string, Agreed>> = new WeakMap();

  /** Records the call as the file's hooks left it. */
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

  /** The hooks that have to check the call again. */
  toAskAgain(event: EventPayload, entries: readonly HookEntry[]): readonly HookEntry[] {
    const { callId, toolName, input } = event as CallPayload;
    const agreed = this.#agreed.get(event.session)?.get(callId);
    if (!agreed) return entries;
    // With a changed name or input, other hooks may apply than before.
    if (agreed.toolName === toolName && isDeepStrictEqual(agreed.input, input))
      return entries.filter((entry) => !agreed.concerned.has(entry));
    return entries.filter((entry) => !agreed.rewrote.has(entry));
  }

  /** Forgets a finished call. */
  forget({ session, callId }: Pick<CallPayload, 'session' | 'callId'>): void {
    this.#agreed.get(session)?.delete(callId);
  }
}

interface CallPayload extends EventPayload {
  readonly callId: string;
  readonly toolName: string;
  readonly input: unknown;
}
