import {
  type NeededCheck,
  needed,
  type OptionCheck,
  type OptionChecks,
  optionCheck,
  readOptions,
} from '@hooks/core/options';
import type { Count } from './driver.ts';
import { StoreError } from './error.ts';

/** Postgres indexes no key of more than 2.7 kB; the others keep to the same bound, so that a program can change its store. */
const KEY_BYTES = 1024;

/** Control characters; and the last code point, which drivers use as the end of a range of keys. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a key must not hold.
const NOT_IN_KEYS = /[\u0000-\u001f\u007f\u{10ffff}]/u;

/** Core's check of options, with the error of this package. */
export function checkOptions<Options extends object>(
  of: string,
  options: Options,
  checks: OptionChecks<Options>,
): Options {
  const read = readOptions(of, options, checks);
  if ('problem' in read) throw invalid(read.problem);
  return read.options;
}

/** A store, as an option that must be set. */
export const storeOption: NeededCheck = needed(
  optionCheck('a store, such as sqliteStore(".hooks/state.db")', (value) =>
    ['get', 'set', 'delete'].every((name) => typeof Object(value)[name] === 'function'),
  ),
);

/** A time in milliseconds. */
export const duration: OptionCheck = optionCheck(
  'a whole number of milliseconds of at least 1, and at most 100 years',
  (value) => Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= LONGEST_MS,
);

export function checkKey(what: string, key: string): void {
  if (typeof key !== 'string' || key === '') throw invalid(`The ${what} must be a string that is not empty.`);
  const bytes = new TextEncoder().encode(key).length;
  if (bytes > KEY_BYTES)
    throw invalid(`The ${what} has ${bytes} bytes; at most ${KEY_BYTES} are allowed. Hash what is longer.`);
  if (NOT_IN_KEYS.test(key) || !key.isWellFormed())
    throw invalid(`The ${what} holds a control character or half a character.`);
}

export function checkWhole(what: string, value: number, least = 0): void {
  if (!Number.isSafeInteger(value) || value < least)
    throw invalid(`${what} must be a whole number of at least ${least}, not ${String(value)}.`);
}

export function checkExpected(expected: string | null | undefined): void {
  if (expected === '' || (typeof expected !== 'string' && expected != null))
    throw invalid('expected must be a version that was read, or null where there must be no value.');
}

/** A hundred years: what is added to a time stays a time that every database can hold. */
const LONGEST_MS = 100 * 366 * 24 * 60 * 60 * 1000;

export function checkDuration(what: string, value: number | undefined): void {
  if (value === undefined) return;
  checkWhole(what, value, 1);
  if (value > LONGEST_MS)
    throw invalid(`${what} must be at most 100 years; leave it out to keep it for good.`);
}

/** Sums of thousands of these are still exact. */
const MOST = 1e12;

export function checkCounts(counts: readonly Count[]): void {
  if (counts.length === 0) throw invalid('There is nothing to count; give at least one count.');
  for (const [index, count] of counts.entries()) {
    const what = `counts[${index}]`;
    if (typeof count !== 'object' || count === null) throw invalid(`${what} must be an object.`);
    const { key, amount, windowMs, limit, id } = count;
    checkKey(`${what}.key`, key);
    checkWhole(`${what}.amount`, amount);
    if (amount > MOST) throw invalid(`${what}.amount must be at most 10^12, not ${amount}.`);
    checkDuration(`${what}.windowMs`, windowMs);
    if (limit !== undefined) checkWhole(`${what}.limit`, limit);
    if (id !== undefined) checkKey(`${what}.id`, id);
  }
  if (new Set(counts.map(({ key }) => key)).size < counts.length)
    throw invalid('Two counts of one call have the same key; give each limit a key of its own.');
}

/** The JSON of a value that JSON can hold. What JSON would leave out or change is refused. */
export function toJson(what: string, value: unknown): string {
  checkJson(what, value, new Set());
  return JSON.stringify(value);
}

/** How deep a value may be nested. JSON of more ends the stack of one who reads it. */
const DEEPEST = 500;

function checkJson(path: string, value: unknown, around: Set<object>): void {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return;
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return;
    throw noJson(path, String(value));
  }
  if (typeof value !== 'object') throw noJson(path, typeof value);
  if (around.has(value)) throw noJson(path, 'an object that holds itself');
  around.add(value);
  if (around.size > DEEPEST) throw invalid(`A value is nested more than ${DEEPEST} levels deep; flatten it.`);
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) checkJson(`${path}[${index}]`, item, around);
  } else {
    const prototype: unknown = Object.getPrototypeOf(value);
    const plain = prototype === null || Object.getPrototypeOf(prototype) === null;
    // Data may have a field of this name; JSON calls a function.
    if (!plain || ('toJSON' in value && typeof value.toJSON === 'function'))
      throw noJson(path, `an instance of ${value.constructor?.name ?? 'a class'}`);
    // An absent property and one that is undefined read the same.
    for (const [name, item] of Object.entries(value))
      if (item !== undefined) checkJson(`${path}.${name}`, item, around);
  }
  around.delete(value);
}

function noJson(path: string, found: string): StoreError {
  return invalid(`${path} is ${found}, which JSON cannot hold.`);
}

function invalid(message: string): StoreError {
  return new StoreError('INVALID', message);
}
