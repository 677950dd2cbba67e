import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** Remembers which files may run hooks: a real path and the hash of the content that was agreed to. */
export class TrustStore {
  readonly #path: string;

  /** @param path the file to remember in; in the user's configuration directory unless given */
  constructor(path: string = join(configHome(), 'hooks', 'trust.json')) {
    this.#path = path;
  }

  /** Whether this very content of this file was agreed to. `file` is a real path. */
  async isTrusted(file: string, content: string): Promise<boolean> {
    return (await this.#read())[file] === hash(content);
  }

  /** Remembers that the content may run. */
  async trust(file: string, content: string): Promise<void> {
    await this.#write({ ...(await this.#read()), [file]: hash(content) });
  }

  /** Forgets a file, or all files below a directory. Whether there was one. */
  async untrust(path: string): Promise<boolean> {
    const trusted = await this.#read();
    const kept = Object.entries(trusted).filter(
      ([file]) => file !== path && !file.startsWith(join(path, '/')),
    );
    await this.#write(Object.fromEntries(kept));
    return kept.length < Object.keys(trusted).length;
  }

  /** The files that are remembered. */
  async list(): Promise<readonly string[]> {
    return Object.keys(await this.#read());
  }

  /** A store that is missing or broken trusts nothing. */
  async #read(): Promise<Readonly<Record<string, string>>> {
    try {
      const { version, trusted }: Partial<Stored> = JSON.parse(await readFile(this.#path, 'utf8'));
      return version === 1 && typeof trusted === 'object' ? trusted : {};
    } catch {
      return {};
    }
  }

  async #write(trusted: Readonly<Record<string, string>>): Promise<void> {
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
    const temporary = `${this.#path}.${process.pid}`;
    await writeFile(temporary, `${JSON.stringify({ version: 1, trusted }, undefined, 2)}\n`, { mode: 0o600 });
    await rename(temporary, this.#path);
  }
}

interface Stored {
  readonly version: number;
  readonly trusted: Readonly<Record<string, string>>;
}

function hash(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}

function configHome(): string {
  return process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config');
}
