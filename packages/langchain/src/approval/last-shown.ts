import type { Whereabouts } from '../run/run.ts';
import { type Shown, shownBeside } from './pending.ts';

/** A checkpointer and its place, as LangGraph leaves them in the config of a node. */
interface Place {
  readonly thread_id?: unknown;
  readonly checkpoint_ns?: string;
  readonly checkpoint_map?: { readonly [namespace: string]: string };
  readonly __pregel_task_id?: string;
  readonly __pregel_checkpointer?: {
    getTuple(
      config: object,
    ): Promise<
      | { readonly pendingWrites?: readonly (readonly [task: string, channel: string, value: unknown])[] }
      | undefined
    >;
  };
}

/** What a person was shown when this node paused last, maybe in another process. */
export async function lastShown(config: Whereabouts): Promise<Shown> {
  const place: Place = { ...config.configurable };
  const { __pregel_checkpointer: checkpointer, __pregel_task_id: task, checkpoint_map = {} } = place;
  const namespace = place.checkpoint_ns?.split('|').slice(0, -1).join('|') ?? '';
  const tuple = await checkpointer?.getTuple({
    configurable: {
      thread_id: place.thread_id,
      checkpoint_ns: namespace,
      checkpoint_id: checkpoint_map[namespace],
    },
  });
  const interrupts = (tuple?.pendingWrites ?? []).flatMap(([id, channel, value]) =>
    id === task && channel === '__interrupt__' ? [value].flat() : [],
  );
  return shownBeside(Reflect.get(Object(interrupts.at(-1)), 'value'));
}
