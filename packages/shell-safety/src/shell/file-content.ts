import { baseName, fileKey } from '../paths/places.ts';
import { CONTENT, REMOTE } from './marks.ts';

/** What is read from a file, where that is known: one that the command wrote, `<(…)`, the input, or a connection. */
export function contentOf(
  path: string,
  cwd: string,
  files: ReadonlyMap<string, string>,
  stdin?: string,
): string | undefined {
  if (path.startsWith(CONTENT)) return path.slice(1);
  if (path === '-' || path === '/dev/stdin') return stdin;
  if (path === '/dev/null') return '';
  return isSocket(path) ? REMOTE : files.get(fileKey(path, cwd));
}

/** `/dev/tcp/host/port` */
export function isSocket(path: string): boolean {
  return /^\/dev\/(?:tcp|udp)\//.test(path);
}

/** The files that a script wrote itself, by path, with what it wrote. */
export class Files extends Map<string, string> {
  /** The same number whenever all files hold the same: the sum of random numbers, one for each path with a text. */
  digest = 0;
  readonly #numbers = new Map<string, number>();
  readonly #names = new Set<string>();

  /** Whether a file with the name of this one was written, in whatever folder. */
  hasNamed(path: string): boolean {
    return this.#names.has(baseName(path));
  }

  override set(path: string, text: string): this {
    const before = this.get(path);
    if (before === text) return this;
    this.#names.add(baseName(path));
    const without = before === undefined ? this.digest : this.digest - this.#numberOf(path, before);
    this.digest = (without + this.#numberOf(path, text) + MODULUS) % MODULUS;
    return super.set(path, text);
  }

  #numberOf(path: string, text: string): number {
    const key = `${path}\0${text}`;
    const number = this.#numbers.get(key) ?? Math.floor(Math.random() * MODULUS);
    this.#numbers.set(key, number);
    return number;
  }
}

const MODULUS = 2 ** 50;
