import { HooksError } from '@hooks/core';
import { ambientConfig, type Whereabouts } from '../config.ts';
import { graphAround, objectsOfRun } from '../internals.ts';

/** By two objects that LangGraph creates for each run. A program may give one of them to all its runs. */
const EXECUTIONS: WeakMap<object, WeakMap<object, string>> = new WeakMap();

/**
 * Names the execution of a graph: one `invoke` or `stream` of it. All its nodes have the same name, and no other execution has.
 * Nothing in it comes from a client, which chooses the ids of its messages.
 */
export function executionId(config: Whereabouts | undefined): string {
  const around = { ...config, ...ambientConfig() };
  const inside = graphAround(around);
  if (inside !== undefined) return inside;
  const [one, other] = objectsOfRun(around);
  if (one === undefined || other === undefined)
    throw new HooksError(
      'CONFIG_INVALID',
      'This run cannot be told from others: LangGraph has put neither a thread nor its `control` and `writer` into the config. Run the agent with `configurable: { thread_id }`.',
    );
  const named = EXECUTIONS.get(one) ?? new WeakMap<object, string>();
  EXECUTIONS.set(one, named);
  const id = named.get(other) ?? crypto.randomUUID();
  named.set(other, id);
  return id;
}
