import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { userDirectory } from './directory.ts';
import { hash } from './hash.ts';

/** Remembers which files may run hooks: a real path and the hash of the content that was agreed to. */
export class TrustStore {
  readonly #path: string;

  /** @param path the file to remember in; in the user's configuration directory unless given */
  constructor(path: string = join(userDirectory(), 'trust.json')) {
    this.#path = path;
  }

  /** Whether this very content of this file was agreed to. `file` is a real path. */
  async isTrusted(file: string, content: string): Promise<boolean> {
    return this.#read()[file] === hash(content);
  }

  /** Remembers that the content may run. */
  async trust(file: string, content: string): Promise<void> {
    this.#write({ ...this.#read(), [file]: hash(content) });
  }

  /** Forgets a file, or all files below a directory. Whether there was one. */
  async untrust(path: string): Promise<boolean> {
    const trusted = this.#read();
    const kept = Object.entries(trusted).filter(
      ([file]) => file !== path && !file.startsWith(join(path, '/')),
    );
    this.#write(Object.fromEntries(kept));
    return kept.length < Object.keys(trusted).length;
  }

  /** The files that are remembered. */
  async list(): Promise<readonly string[]> {
    return Object.keys(this.#read());
  }

  /** A store that is missing or broken trusts nothing. */
  #read(): Readonly<Record<string, string>> {
    try {
      const { version, trusted }: Partial<Stored> = JSON.parse(readFileSync(this.#path, 'utf8'));
      return version === 1 && trusted?.constructor === Object ? trusted : {};
    } catch {
      return {};
    }
  }

  #write(trusted: Readonly<Record<string, string>>): void {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    const temporary = `${this.#path}.${process.pid}`;
    writeFileSync(temporary, `${JSON.stringify({ version: 1, trusted }, undefined, 2)}\n`, { mode: 0o600 });
    renameSync(temporary, this.#path);
  }
}

interface Stored {
  readonly version: number;
  readonly trusted: Readonly<Record<string, string>>;
}
