import {
  BeforeModelCall,
  type HookProvider,
  HooksError,
  type ModelMessage,
  modify,
  proceed,
} from '@hooks/core';
import { versionOf } from '../version.ts';
import { type Known, keyOf, type Pairs, pairsOf } from './pairs.ts';

/**
 * Keeps the calls and results of each model call in pairs, because providers refuse a history in which a call has no
 * result, or a result no call.
 *
 * - A call that an abort, a crash or a new prompt during a pause left without a result gets one that says so.
 * - A result that came later, behind that prompt, moves to its call. In both cases the stored history stays as it is.
 * - A `BeforeModelCall` hook that takes a call without its result away, or a result without its call, is an error with the
 *   place of the message, and no model is called.
 *
 * Use it in the registry that is attached last: it checks what all of its own hooks return. Where a framework refuses such a
 * history before its model call, as the AI SDK does, there is nothing to repair.
 *
 * @example
 * ```ts
 * hooks.use(validHistory());
 * ```
 */
export function validHistory(): HookProvider {
  return {
    name: 'builtin:valid-history',
    version: versionOf(),
    register(hooks) {
      /** What the framework's messages are, for hooks that leave the names of calls out of theirs. */
      const known: WeakMap<object, Known> = new WeakMap();
      /** What was without its other half before any hook. */
      const before: WeakMap<object, Pairs> = new WeakMap();
      hooks.on(
        BeforeModelCall,
        function readHistory({ messages }) {
          const pairs = pairsOf(messages, known);
          for (const message of messages) {
            const { calls, callId, toolName } = message;
            known.set(keyOf(message), { calls, callId, toolName });
            before.set(keyOf(message), pairs);
          }
          return proceed();
        },
        { id: 'read', priority: Number.MAX_SAFE_INTEGER, optional: true },
      );
      hooks.on(
        BeforeModelCall,
        function checkHistory({ messages }) {
          const original = messages
            .map((message) => before.get(keyOf(message)))
            .find((pairs) => pairs !== undefined);
          const { open, orphans, apart, behind } = pairsOf(messages, known);
          const isOld = (ids: readonly { readonly callId: string }[], callId: string): boolean =>
            ids.some((one) => one.callId === callId);
          // The call may be on the provider's side, which has the rest of the conversation.
          for (const { at, callId, toolName } of orphans)
            if (!isOld(original?.orphans ?? [], callId))
              throw broken(
                `messages[${at}] is the result of the call ${JSON.stringify(callId)} of ${toolName ?? 'a tool'}, and no message before it makes that call`,
              );
          for (const { at, callId, toolName } of open)
            if (!isOld(original?.open ?? [], callId))
              throw broken(
                `messages[${at}] calls ${toolName} (${JSON.stringify(callId)}), and no message behind it is the result`,
              );
          return open.length + apart.length === 0
            ? proceed()
            : modify({ messages: paired(messages, { open, apart, behind }) });
        },
        { id: 'check', priority: Number.MIN_SAFE_INTEGER, optional: true },
      );
    },
  };
}

function broken(what: string): HooksError {
  return new HooksError(
    'INVALID_DECISION',
    `A hook on BeforeModelCall left a history that providers refuse: ${what}. Keep a call and its result together, or leave out both.`,
  );
}

/** The messages with each result behind its call, and one for each open call. */
function paired(
  messages: readonly ModelMessage[],
  { open, apart, behind: lastResults }: Pick<Pairs, 'open' | 'apart' | 'behind'>,
): readonly ModelMessage[] {
  const moved = new Set(apart.map(({ at }) => at));
  const behind = new Map<number, ModelMessage[]>();
  const put = (
    callAt: number,
    resultOf: (next: ModelMessage | undefined) => readonly ModelMessage[],
  ): void => {
    let at = (lastResultOf(messages, callAt, lastResults) ?? callAt) + 1;
    while (messages[at]?.role === 'tool') at++;
    behind.set(at, [...(behind.get(at) ?? []), ...resultOf(messages[at])]);
  };
  for (const { at, callAt } of apart) put(callAt, () => messages.slice(at, at + 1));
  for (const { at, callId, toolName } of open)
    put(at, (next) => [{ role: 'tool', callId, toolName, text: next?.role === 'user' ? WROTE : CANCELED }]);
  const kept = (at: number): readonly ModelMessage[] => (moved.has(at) ? [] : messages.slice(at, at + 1));
  return Array.from({ length: messages.length + 1 }, (_, at) => [
    ...(behind.get(at) ?? []),
    ...kept(at),
  ]).flat();
}

/** The last result in place of the answer that a message is of: an answer may be several messages, with the results behind them all. */
function lastResultOf(
  messages: readonly ModelMessage[],
  callAt: number,
  lastResults: Pairs['behind'],
): number | undefined {
  let start = callAt;
  while (messages[start - 1]?.role === 'assistant') start--;
  let last: number | undefined;
  for (let at = start; messages[at]?.role === 'assistant'; at++)
    last = Math.max(last ?? 0, lastResults.get(at) ?? 0) || undefined;
  return last;
}

const UNKNOWN = 'It may have taken effect: check before you repeat it.';
const CANCELED = `Canceled: the run ended before this call had a result. ${UNKNOWN}`;
const WROTE = `Canceled: the user wrote instead, before this call had a result. ${UNKNOWN}`;
