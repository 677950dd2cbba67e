import type { HookEntry } from '../entry.ts';
import type { EventData } from '../events.ts';
import { type HookResult, isFailure } from '../protocol/answer.ts';
import { answerTo } from '../protocol/read.ts';
import { wireEventOf } from '../protocol/stdin.ts';
import { runCommandHook } from './command.ts';
import type { RunContext } from './context.ts';
import { runHttpHook } from './http.ts';

/** Runs a hook on an event. Never rejects. The answer has only what its event takes, with the dialect's tool names. */
export async function runHook(
  entry: HookEntry,
  event: EventData,
  context: RunContext,
  signal?: AbortSignal,
): Promise<HookResult> {
  const { handler } = entry;
  switch (handler.type) {
    case 'command':
      return runCommandHook(entry, handler, event, context, signal);
    case 'http':
      return runHttpHook(entry, handler, event, context, signal);
    case 'model': {
      const { runModelHook } = await import('./model.ts');
      const result = await runModelHook(entry, handler, event, context, signal);
      const { wireEvent } = entry;
      return isFailure(result)
        ? result
        : answerTo(wireEvent, wireEventOf(context.dialect, wireEvent), result);
    }
    case 'unsupported':
      return { failed: handler.reason };
    case 'builtin':
    case 'part':
    case 'module':
      throw new Error(`a hook of type ${handler.type} is registered, not run`);
    default:
      return handler satisfies never;
  }
}
