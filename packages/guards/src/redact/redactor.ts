import { type Session, sessionKey } from '@hooks/core';
import { kindOfNamed } from './assignment.ts';
import { findSecrets } from './find.ts';

/** Replaces secrets, and remembers which: the same secret gets the same placeholder for as long as this is kept. */
export interface SecretRedactor {
  /**
   * The text without its secrets; each is now `[REDACTED:<rule>#<number>]`.
   *
   * @param name the field that holds the text, where there is one: under `password`, it may be a secret as a whole
   */
  text(text: string, name?: string): string;
  /** The placeholder of a text that is known to be one to hide. */
  placeholder(secret: string, rule: string): string;
}

/**
 * Makes a {@link SecretRedactor}. It holds the secrets that it has seen in memory, and tells nobody.
 *
 * @example
 * ```ts
 * const redactor = createSecretRedactor();
 * redactor.text('DB_PASSWORD=hunter2hunter2'); // 'DB_PASSWORD=[REDACTED:password#1]'
 * ```
 */
export function createSecretRedactor(): SecretRedactor {
  const placeholders = new Map<string, string>();
  const placeholder = (secret: string, rule: string): string => {
    const known = placeholders.get(secret);
    if (known !== undefined) return known;
    const made = `[REDACTED:${rule}#${placeholders.size + 1}]`;
    placeholders.set(secret, made);
    return made;
  };
  const text = (input: string, name?: string): string => {
    const whole = name === undefined ? undefined : kindOfNamed(name, input);
    if (whole !== undefined) return placeholder(input, whole);
    let output = '';
    let at = 0;
    for (const { rule, start, end } of findSecrets(input)) {
      output += input.slice(at, start) + placeholder(input.slice(start, end), rule);
      at = end;
    }
    return at === 0 ? input : output + input.slice(at);
  };
  return { text, placeholder };
}

/** The session's redactor: one memory of placeholders for all that redact in it. */
export function redactorOf(session: Session): SecretRedactor {
  return session.get(REDACTOR, createSecretRedactor);
}

const REDACTOR = sessionKey<SecretRedactor>('@hooks/guards/redactor');
