import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/**
 * The version of a guard with these options: a hash that changes whenever they do, so that a journal shows the change.
 * Functions are hashed by their source, Standard Schemas by their JSON Schema if they have one, and other class
 * instances, such as a store, by their class name.
 */
export function versionOf(...options: readonly unknown[]): string {
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify(plain(options, [])))));
}

function plain(value: unknown, around: readonly object[]): unknown {
  if (typeof value === 'function' || typeof value === 'bigint' || typeof value === 'symbol')
    return String(value);
  // JSON has no Infinity, which is common as a limit.
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (around.includes(value)) return 'circular';
  const within = [...around, value];
  if (value instanceof RegExp) return String(value);
  if (value instanceof Map || value instanceof Set) return [...value].map((entry) => plain(entry, within));
  if (Array.isArray(value)) return value.map((entry) => plain(entry, within));
  if (!isPlain(value)) return plain(jsonSchemaOf(value), within) ?? value.constructor.name;
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  return entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, entry]) => [key, plain(entry, within)]);
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/** A schema that can describe itself as JSON Schema, by the Standard JSON Schema interface. */
interface DescribedSchema {
  readonly jsonSchema?: { input(options: { readonly target: string }): unknown };
}

function jsonSchemaOf(value: object): unknown {
  const standard: DescribedSchema | undefined = Reflect.get(value, '~standard');
  try {
    return standard?.jsonSchema?.input({ target: 'draft-2020-12' });
  } catch {
    // Some schemas have no JSON form.
    return undefined;
  }
}
