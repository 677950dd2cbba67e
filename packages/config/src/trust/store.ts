import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { userDirectory } from './directory.ts';
import { hash } from './hash.ts';

/** Remembers which files may run hooks: their real path and a hash of the trusted content. */
export class TrustStore {
  readonly #path: string;

  /** @param path the file to store decisions in. Default: in the user's configuration directory */
  constructor(path: string = join(userDirectory(), 'trust.json')) {
    this.#path = path;
  }

  /** Whether this content of this file is trusted. `file` is a real path. */
  async isTrusted(file: string, content: string): Promise<boolean> {
    return this.#read()[file] === hash(content);
  }

  /** Trusts the content of a file. */
  async trust(file: string, content: string): Promise<void> {
    this.#write({ ...this.#read(), [file]: hash(content) });
  }

  /** Forgets a file, or all files below a directory. Returns whether there was one. */
  async untrust(path: string): Promise<boolean> {
    const trusted = this.#read();
    const kept = Object.entries(trusted).filter(
      ([file]) => file !== path && !file.startsWith(join(path, '/')),
    );
    this.#write(Object.fromEntries(kept));
    return kept.length < Object.keys(trusted).length;
  }

  /** The trusted files. */
  async list(): Promise<readonly string[]> {
    return Object.keys(this.#read());
  }

  /** A missing or damaged store trusts nothing. */
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
