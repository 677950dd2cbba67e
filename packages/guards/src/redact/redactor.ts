import { type Session, sessionKey } from '@hooks/core';
import { rootOf } from '@hooks/core/adapter';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, randomBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { type Checks, checkOptions, secretKey } from '../options.ts';
import { kindOfNamed, wordsOfNamed } from './assignment.ts';
import { type FoundSecret, merge, secretsOf } from './find.ts';
import { isIgnored } from './ignore.ts';
import { jsonStringsIn } from './json-strings.ts';
import { placeIn } from './part.ts';
import { FIND, type FindSecretsOptions } from './rule.ts';
import { visibleText } from './visible.ts';

/** Options of placeholders. */
export interface PlaceholderOptions {
  /**
   * Key of the placeholders' digests (HMAC-SHA-256). With the same key, a session's placeholders stay the same over
   * restarts and in all processes. Default: a random key, so after a restart a secret has another placeholder.
   */
  readonly placeholderKey?: string | Uint8Array;
}

/** The checks of {@link PlaceholderOptions}. */
export const PLACEHOLDER: Checks<PlaceholderOptions> = { placeholderKey: secretKey };

/** Replaces secrets. The same secret gets the same placeholder, and no other secret gets it. */
export interface SecretRedactor {
  /**
   * Replaces each secret in a text by `[REDACTED:<rule>#<digest>]`, with eight digits of a keyed digest of the secret (16 where
   * another secret has these).
   * @param name the name of the text's field, if any: the whole value of `password` may be a secret
   */
  text(text: string, name?: string): string;
  /** Finds what {@link findSecrets} finds, and known secrets without a name. */
  find(text: string): readonly FoundSecret[];
  /** The placeholder for a text that has to be hidden. */
  placeholder(secret: string, rule: string): string;
}

/**
 * Makes a {@link SecretRedactor}. It keeps the secrets that it has seen in memory only.
 *
 * @throws HooksError `CONFIG_INVALID` if an option is unknown or invalid
 * @example
 * ```ts
 * const redactor = createSecretRedactor();
 * redactor.text('DB_PASSWORD=hunter2-hunter2'); // 'DB_PASSWORD=[REDACTED:password#b9c1f0d2]'
 * redactor.text('hunter2-hunter2'); // '[REDACTED:password#b9c1f0d2]'
 * ```
 */
export function createSecretRedactor(options: FindSecretsOptions & PlaceholderOptions = {}): SecretRedactor {
  options = checkOptions('createSecretRedactor', options, { ...FIND, ...PLACEHOLDER });
  return redactorWith(newMemory(), digestWith(options.placeholderKey ?? randomBytes(32), ''), options);
}

/** The digest of a secret in a placeholder. */
type Digest = (secret: string) => string;

/** A digest that differs between keys and between sessions. */
function digestWith(key: string | Uint8Array, session: string): Digest {
  const bytes = typeof key === 'string' ? utf8ToBytes(key) : key;
  return (secret) => {
    const own = hmac(sha256, bytes, utf8ToBytes(session));
    return bytesToHex(hmac(sha256, own, utf8ToBytes(secret))).slice(0, LONG);
  };
}

/** Digits of a digest. Few tell the secrets of a session apart; where two have the same, the second gets more. */
const SHORT = 8;
const LONG = 16;

/** The known secrets with their placeholders, and an expression that finds them. */
export interface Memory {
  readonly placeholders: Map<string, string>;
  /** The secret of each placeholder. Undefined where two processes gave it to two secrets: nobody gets either. */
  readonly secrets: Map<string, string | undefined>;
  seen: RegExp | undefined;
}

function newMemory(): Memory {
  return { placeholders: new Map(), secrets: new Map(), seen: undefined };
}

/** Notes a placeholder of a secret. It keeps the first, and other processes may have given it others. */
export function remember({ placeholders, secrets }: Memory, secret: string, placeholder: string): void {
  if (!placeholders.has(secret)) placeholders.set(secret, placeholder);
  const isTaken = secrets.has(placeholder) && secrets.get(placeholder) !== secret;
  secrets.set(placeholder, isTaken ? undefined : secret);
}

function redactorWith(memory: Memory, digest: Digest, options: FindSecretsOptions): SecretRedactor {
  const { placeholders } = memory;
  const placeholder = (secret: string, rule: string): string => {
    const known = placeholders.get(secret);
    if (known !== undefined) return known;
    const digits = digest(secret);
    const short = `[REDACTED:${rule}#${digits.slice(0, SHORT)}]`;
    const made = memory.secrets.has(short) ? `[REDACTED:${rule}#${digits}]` : short;
    remember(memory, secret, made);
    if (secret.length >= SHORTEST_SEEN && secret.length <= LONGEST_SEEN) memory.seen = undefined;
    return made;
  };
  const find = (text: string, name?: string): readonly FoundSecret[] => {
    const found = [...secretsOf(text, options)];
    for (const { id, start, end } of name === undefined ? [] : wordsOfNamed(name, text, options))
      if (!isIgnored(text.slice(start, end), options.ignore)) found.push({ rule: id, start, end });
    memory.seen ??= anyOf([...placeholders.keys()]);
    if (memory.seen !== undefined) found.push(...seenIn(text, memory.seen));
    return merge(found);
  };
  const replace = (input: string, name?: string): string => {
    let output = '';
    let at = 0;
    for (const { rule, start, end, value = input.slice(start, end) } of find(input, name)) {
      output += input.slice(at, start) + placeholder(value, rule);
      at = end;
    }
    return at === 0 ? input : output + input.slice(at);
  };
  const text = (input: string, name?: string): string => {
    const whole = name === undefined ? undefined : kindOfNamed(name, input, options);
    if (whole !== undefined && !isIgnored(input, options.ignore)) return placeholder(input, whole);
    const known = placeholders.size;
    const output = replace(input, name);
    // A secret that is new here may occur again in the same text without its name.
    return placeholders.size > known ? replace(output) : output;
  };
  return { text, find, placeholder };
}

function spansOf(text: string, pattern: RegExp): { readonly start: number; readonly end: number }[] {
  return [...text.matchAll(pattern)].map(({ 0: { length }, index }) => ({
    start: index,
    end: index + length,
  }));
}

/** Where a text has a known secret, as it is or with escapes. */
function seenIn(text: string, seen: RegExp): FoundSecret[] {
  const parts = [visibleText(text), jsonStringsIn(text)].filter((part) => part !== undefined);
  return [
    ...spansOf(text, seen),
    ...parts.flatMap((part) => spansOf(part.text, seen).map((span) => placeIn(text, part, span))),
  ].map((place) => ({ rule: 'seen', ...place }));
}

/** Shorter secrets could be words; longer ones have a known form. */
const SHORTEST_SEEN = 8;
const LONGEST_SEEN = 256;
const MOST_SEEN = 500;

/** The newest secrets as one expression. Longest first, because the first alternative wins. */
function anyOf(secrets: readonly string[]): RegExp | undefined {
  const kept = secrets
    .filter(({ length }) => length >= SHORTEST_SEEN && length <= LONGEST_SEEN)
    .slice(-MOST_SEEN);
  if (kept.length === 0) return undefined;
  const sources = kept.sort((a, b) => b.length - a.length).map((secret) => secret.replace(SPECIAL, '\\$&'));
  return new RegExp(sources.join('|'), 'g');
}

const SPECIAL = /[.*+?^${}()|[\]\\/-]/g;

/** What is known of the secrets of a session and its sub-agents: one reads what the other writes. */
export function memoryOf(session: Session): Memory {
  return rootOf(session).get(MEMORY, newMemory);
}

/** The redactor of a session and its sub-agents, shared by all that redact in it. */
export function redactorOf(
  session: Session,
  { placeholderKey = ownKey(), ...options }: FindSecretsOptions & PlaceholderOptions = {},
): SecretRedactor {
  return redactorWith(memoryOf(session), digestWith(placeholderKey, rootOf(session).id), options);
}

/** This process's key. Not made on import, so that the module loads where there is no source of random bytes. */
function ownKey(): Uint8Array {
  processKey ??= randomBytes(32);
  return processKey;
}

let processKey: Uint8Array | undefined;

const MEMORY = sessionKey<Memory>('@hooks/guards/redactor');
