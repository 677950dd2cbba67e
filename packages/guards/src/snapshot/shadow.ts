import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { type GitOptions, git } from '../git.ts';
import { fs, path } from '../node.ts';

/** How a file differs between two trees. */
export interface ChangedFile {
  readonly path: string;
  readonly change: 'added' | 'modified' | 'deleted';
}

/**
 * A git repository next to the user's. Its objects are trees and files, referenced only by our own journal. Reads the
 * user's files and never touches the user's `.git`. All methods return undefined if git failed.
 */
export class ShadowRepository {
  /** The top folder of the user's repository. */
  readonly root: string;
  readonly #folder: string;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(root: string, dataDir: string) {
    this.root = root;
    this.#folder = path().join(dataDir, bytesToHex(sha256(utf8ToBytes(root))).slice(0, 24));
  }

  /** The shadow of the repository that contains `cwd`; undefined outside of a repository. */
  static async at(cwd: string, dataDir: string): Promise<ShadowRepository | undefined> {
    const root = await git(['rev-parse', '--show-toplevel'], { cwd });
    return root?.trim() ? new ShadowRepository(root.replace(/\n$/, ''), dataDir) : undefined;
  }

  /** Records the files as they are now, and returns the id of their tree. */
  capture(): Promise<string | undefined> {
    return this.#alone(async () => {
      await this.#prepare();
      const added = await this.#git(['add', '--all', '--ignore-errors', '.']);
      if (added === undefined) await this.#git(['add', '--update', '.']);
      return (await this.#git(['write-tree']))?.trim() || undefined;
    });
  }

  async changes(from: string, to: string): Promise<readonly ChangedFile[]> {
    const listed = await this.#git(['diff-tree', '-r', '-z', '--no-renames', '--name-status', from, to]);
    const parts = (listed ?? '').split('\0');
    const files: ChangedFile[] = [];
    for (let i = 0; i + 1 < parts.length; i += 2) {
      const change = parts[i] === 'A' ? 'added' : parts[i] === 'D' ? 'deleted' : 'modified';
      files.push({ path: parts[i + 1] ?? '', change });
    }
    return files;
  }

  diff(from: string, to: string): Promise<string | undefined> {
    return this.#git(['diff', '--no-color', '--no-ext-diff', '--no-textconv', '--no-renames', from, to]);
  }

  /** Restores the files of `tree`, given the current ones in `now`. Returns whether that worked. */
  restore(tree: string, files: readonly ChangedFile[]): Promise<boolean> {
    return this.#alone(async () => {
      const back = files.filter(({ change }) => change !== 'added').map(({ path }) => path);
      if (back.length > 0) {
        const args = [
          'restore',
          `--source=${tree}`,
          '--worktree',
          '--pathspec-from-file=-',
          '--pathspec-file-nul',
        ];
        if ((await this.#git(args, { input: back.join('\0') })) === undefined) return false;
      }
      for (const { path, change } of files) if (change === 'added') await this.#remove(path);
      return true;
    });
  }

  /** Adds an entry to the journal, which gives trees their meaning. */
  async note(entry: object): Promise<void> {
    // The leading newline ends a line that a killed process left incomplete.
    await fs().appendFile(this.#journal, `\n${JSON.stringify(entry)}\n`, { mode: 0o600 });
  }

  /** The journal's entries, oldest first. */
  async notes(): Promise<readonly unknown[]> {
    const text = await fs()
      .readFile(this.#journal, 'utf8')
      .catch(() => '');
    return text.split('\n').flatMap(entryOf);
  }

  get #journal(): string {
    return path().join(this.#folder, 'checkpoints.jsonl');
  }

  /** Creates the shadow if it does not exist, and copies the user's ignore rules. */
  async #prepare(): Promise<void> {
    if (
      (await fs()
        .lstat(path().join(this.#folder, 'HEAD'))
        .catch(() => undefined)) === undefined
    ) {
      await fs().mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await this.#git(['init', '--quiet']);
      // No commit refers to the trees, so git would otherwise delete them.
      for (const [name, value] of SETTINGS) await this.#git(['config', name, value]);
      await fs().mkdir(path().join(this.#folder, 'info'), { recursive: true });
      await fs().writeFile(
        path().join(this.#folder, 'info', 'attributes'),
        '* -text -filter -ident -working-tree-encoding\n',
      );
    }
    const exclude = await git(['rev-parse', '--path-format=absolute', '--git-path', 'info/exclude'], {
      cwd: this.root,
    });
    const ignored = await fs()
      .readFile((exclude ?? '').trim(), 'utf8')
      .catch(() => '');
    const target = path().join(this.#folder, 'info', 'exclude');
    await fs().writeFile(target, ignored);
    const left = await this.#leftOut();
    if (left.length > 0) await fs().appendFile(target, `\n${left.map(asPattern).join('\n')}\n`);
  }

  /** New files that are too large, and nested repositories, which git lists with a slash. */
  async #leftOut(): Promise<readonly string[]> {
    const listed = await this.#git(['ls-files', '--others', '--exclude-standard', '-z']);
    const left: string[] = [];
    for (const name of (listed ?? '').split('\0')) {
      const stat =
        name === ''
          ? undefined
          : await fs()
              .lstat(path().join(this.root, name))
              .catch(() => undefined);
      if (name.endsWith('/') || (stat && stat.size > LARGEST_BYTES)) left.push(name);
    }
    return left;
  }

  async #remove(file: string): Promise<void> {
    await fs().rm(path().join(this.root, file), { force: true });
    for (let folder = path().dirname(file); folder !== '.'; folder = path().dirname(folder)) {
      // Remove only empty folders.
      const gone = await fs()
        .rmdir(path().join(this.root, folder))
        .then(
          () => true,
          () => false,
        );
      if (!gone) return;
    }
  }

  #git(args: readonly string[], options: Partial<GitOptions> = {}): Promise<string | undefined> {
    const env = { GIT_DIR: this.#folder, GIT_WORK_TREE: this.root, GIT_LITERAL_PATHSPECS: '1' };
    return git(args, { cwd: this.root, env, maxBytes: 256 * 1024 * 1024, ...options });
  }

  /** Runs one operation at a time, because git locks its index. */
  #alone<T>(task: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(task, task);
    this.#queue = done.catch(() => {});
    return done;
  }
}

/** Parses a line. A line that a killed process left incomplete is not an entry. */
function entryOf(line: string): unknown[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}

/** Snapshots leave out new files larger than this: 2 MiB. */
const LARGEST_BYTES = 2 * 1024 * 1024;

const SETTINGS = [
  ['gc.auto', '0'],
  ['core.bare', 'false'],
  ['core.autocrlf', 'false'],
  ['core.longpaths', 'true'],
  ['core.quotePath', 'false'],
] as const;

/** A path as an ignore pattern that matches only that path. */
function asPattern(path: string): string {
  return `/${path.replace(/[\\*?[\] #!]/g, '\\$&')}`;
}
