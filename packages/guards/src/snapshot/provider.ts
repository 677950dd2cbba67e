import {
  AfterToolCall,
  BeforeToolCall,
  type HookOptions,
  type HookProvider,
  proceed,
  type Session,
  SessionEnd,
  SessionStart,
  sessionKey,
  TurnEnd,
  TurnStart,
} from '@hooks/core';
import { versionOf } from '../version.ts';
import { openRecorder, type SnapshotOptions, type Snapshots } from './snapshots.ts';

/** The provider made by {@link snapshot}. */
export interface SnapshotProvider extends HookProvider {
  /** The checkpoints recorded so far. */
  readonly snapshots: Snapshots;
}

/**
 * Records what an agent changes in a git repository, around sessions, turns and tool calls, so that you can undo it.
 * The snapshots are in a separate repository; the user's `.git` is only read. Ignored files, and new files over 2
 * MiB, are left out. It records a checkpoint only if files changed. Outside of a git repository it does nothing, and
 * its failures never stop an agent.
 *
 * @throws HooksError `CONFIG_INVALID` if an option is unknown or invalid
 * @example
 * ```ts
 * const recorder = snapshot();
 * hooks.use(recorder);
 * // … the agent works …
 * const last = (await recorder.snapshots.list()).at(-1);
 * if (last) await recorder.snapshots.restore(last.id);
 * ```
 */
export function snapshot(options: SnapshotOptions = {}): SnapshotProvider {
  const recorder = openRecorder('snapshot', options);
  const { list, diff, restore } = recorder;

  /** Captures the files before the agent acts, so that earlier changes are not attributed to it. */
  const look = async (session: Session): Promise<void> => {
    const tree = await recorder.capture();
    if (tree !== undefined) session.set(LAST, tree);
  };
  const compare = async (session: Session, event: string, toolName?: string): Promise<void> => {
    const before = session.get(LAST);
    const now = await recorder.capture();
    if (now === undefined) return;
    session.set(LAST, now);
    const about = { session: session.id, event, ...(toolName !== undefined && { toolName }) };
    if (before !== undefined) await recorder.record(before, now, about);
  };

  return {
    name: 'snapshot',
    version: versionOf(options),
    snapshots: { list, diff, restore },
    register(hooks) {
      const at = (id: string): HookOptions => ({
        id,
        onFailure: 'proceed',
        priority: -100,
        inMemory: 'it compares the files within one process',
      });
      hooks.on(SessionStart, ({ session }) => look(session).then(proceed), at('session-start'));
      hooks.on(TurnStart, ({ session }) => look(session).then(proceed), at('turn-start'));
      hooks.on(BeforeToolCall, ({ session }) => look(session).then(proceed), at('before-tool'));
      hooks.on(
        AfterToolCall,
        ({ session, type, toolName, ran }) =>
          ran ? compare(session, type, toolName).then(proceed) : proceed(),
        at('after-tool'),
      );
      hooks.on(TurnEnd, ({ session, type }) => compare(session, type), at('turn-end'));
      hooks.on(SessionEnd, ({ session, type }) => compare(session, type), at('session-end'));
    },
  };
}

const LAST = sessionKey<string>('@hooks/guards/last-tree');
