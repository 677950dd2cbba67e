import { HooksError } from '@hooks/core';
import { os, path, runtime } from '../node.ts';
import { type Checks, checkOptions, text } from '../options.ts';
import { type ChangedFile, ShadowRepository } from './shadow.ts';

/** A change between two states of the files. */
export interface Checkpoint {
  readonly id: string;
  readonly session: string;
  /** The type of the event that showed the change. */
  readonly event: string;
  /** The tool that ran just before, if any. */
  readonly toolName?: string;
  /** Time, in milliseconds since 1970. */
  readonly at: number;
  readonly files: readonly ChangedFile[];
  /** The git trees before and after. */
  readonly from: string;
  readonly to: string;
}

/** Where snapshots are stored, and which repository they are of. */
export interface SnapshotOptions {
  /** A folder in the repository. Default: the process's current one. */
  readonly cwd?: string;
  /** The folder of the shadow repositories. Default: `$XDG_DATA_HOME/hooks/snapshots` (`~/.local/share/…`). */
  readonly dataDir?: string;
}

/** The checks of {@link SnapshotOptions}. */
const CHECKS: Checks<SnapshotOptions> = { cwd: text, dataDir: text };

/** The checkpoints of one repository. */
export interface Snapshots {
  /** Oldest first. Empty outside of a repository. */
  list(): Promise<readonly Checkpoint[]>;
  /**
   * What a checkpoint changed, as a unified diff.
   *
   * @throws HooksError `INVALID_INPUT` if there is no such checkpoint
   */
  diff(id: string): Promise<string>;
  /**
   * Restores the files as they were before a checkpoint, undoing it and everything later. This creates a checkpoint, so
   * it can be undone. Files that snapshots leave out do not change. Returns the files that were restored or removed.
   *
   * @throws HooksError `INVALID_INPUT` if there is no such checkpoint, or git could not restore it
   */
  restore(id: string): Promise<readonly ChangedFile[]>;
}

/** The provider's methods besides those of the public interface. */
export interface SnapshotRecorder extends Snapshots {
  /** The current files; undefined outside of a repository. */
  capture(): Promise<string | undefined>;
  /** Records a checkpoint if the two trees differ. */
  record(from: string, to: string, about: Pick<Checkpoint, 'session' | 'event' | 'toolName'>): Promise<void>;
}

/**
 * Opens the checkpoints that {@link snapshot} has recorded, for example to undo a turn.
 *
 * @throws HooksError `CONFIG_INVALID` if an option is unknown or invalid
 * @example
 * ```ts
 * const snapshots = openSnapshots();
 * const last = (await snapshots.list()).at(-1);
 * if (last) await snapshots.restore(last.id);
 * ```
 */
export function openSnapshots(options: SnapshotOptions = {}): Snapshots {
  const { list, diff, restore } = openRecorder('openSnapshots', options);
  return { list, diff, restore };
}

/** @param name of the public function, for errors */
export function openRecorder(name: string, options: SnapshotOptions): SnapshotRecorder {
  options = checkOptions(name, options, CHECKS);
  const { cwd = runtime().cwd(), dataDir = defaultDataDir() } = options;
  let opened: Promise<ShadowRepository | undefined> | undefined;
  const shadow = (): Promise<ShadowRepository | undefined> => {
    opened ??= ShadowRepository.at(cwd, dataDir);
    return opened;
  };

  const list = async (): Promise<readonly Checkpoint[]> => {
    // Only this package writes the journal.
    return ((await (await shadow())?.notes()) ?? []) as readonly Checkpoint[];
  };
  const find = async (id: string): Promise<{ repository: ShadowRepository; checkpoint: Checkpoint }> => {
    const repository = await shadow();
    const checkpoint = (await list()).find((one) => one.id === id);
    if (!repository || !checkpoint) throw new HooksError('INVALID_INPUT', `There is no checkpoint "${id}".`);
    return { repository, checkpoint };
  };
  const record: SnapshotRecorder['record'] = async (from, to, about) => {
    const repository = await shadow();
    const files = from === to ? [] : await repository?.changes(from, to);
    if (!repository || !files?.length) return;
    const at = Date.now();
    await repository.note({ id: `${at.toString(36)}-${to.slice(0, 8)}`, ...about, at, files, from, to });
  };

  return {
    list,
    record,
    async capture() {
      return (await shadow())?.capture();
    },
    async diff(id) {
      const { repository, checkpoint } = await find(id);
      return (await repository.diff(checkpoint.from, checkpoint.to)) ?? '';
    },
    async restore(id) {
      const { repository, checkpoint } = await find(id);
      const now = await repository.capture();
      const files = now === undefined ? [] : await repository.changes(checkpoint.from, now);
      if (now === undefined || !(await repository.restore(checkpoint.from, files)))
        throw new HooksError('INVALID_INPUT', `git could not restore checkpoint "${id}".`);
      await record(now, checkpoint.from, { session: checkpoint.session, event: 'restore' });
      return files;
    },
  };
}

function defaultDataDir(): string {
  const { join } = path();
  const data = runtime().env['XDG_DATA_HOME'] || join(os().homedir(), '.local', 'share');
  return join(data, 'hooks', 'snapshots');
}
