import { isStreaming, type Streaming } from '../internals.ts';
import type { AgentRun } from './agent-run.ts';
import type { RunOptions } from '../agent.ts';

type OnIterationComplete = NonNullable<RunOptions['onIterationComplete']>;
type OnFinish = NonNullable<RunOptions['onFinish']>;

/*
 * With structured output, the object that Mastra gives as that of a run is that of its first answer, also where the run
 * goes on. That of each answer stands with its message for as long as the run is going.
 */

/** The object of the answer that has just come, if it has one. */
export function newestObject({ messages }: Parameters<OnIterationComplete>[0]): unknown {
  return messages.findLast(({ role }) => role === 'assistant')?.content.metadata?.['structuredOutput'];
}

/** Lets the result of a run that `Stop` hooks may make go on carry the object of its last answer. */
export function withLastObject(output: unknown, run: AgentRun): unknown {
  if (!isStreaming(output)) return replaced(output, run);
  return new Proxy(output, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (property === 'object') return objectOf(target, value, run);
      if (typeof value !== 'function') return value;
      const method: (...given: readonly unknown[]) => unknown = value.bind(target);
      return property === 'getFullOutput' ? async () => replaced(await method(), run) : method;
    },
  });
}

/** The same for what the user's callback is told. */
export function finishedWithLastObject(run: AgentRun, theirs: OnFinish): OnFinish {
  return (finished) => theirs(replaced(finished, run));
}

async function objectOf(output: Streaming, given: unknown, run: AgentRun): Promise<unknown> {
  const first = await given;
  await output._waitUntilFinished();
  return run.continuations === 0 ? first : run.object;
}

function replaced<T>(result: T, { continuations, object }: AgentRun): T {
  const goneOn = continuations > 0 && typeof result === 'object' && result !== null && 'object' in result;
  return goneOn && result.object !== undefined ? { ...result, object } : result;
}
