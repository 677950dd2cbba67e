import { mapTexts } from '../map-texts.ts';
import { kindOfNamed } from './assignment.ts';
import { findSecrets } from './find.ts';

/** Replaces secrets, and remembers which: the same secret gets the same placeholder for as long as this is kept. */
export interface SecretRedactor {
  /** The text without its secrets; each is now `[REDACTED:<rule>#<number>]`. */
  text(text: string): string;
  /** The placeholder of a secret that is known to be one. */
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
  const text = (input: string): string => {
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

/** Replaces secrets in all texts of a value, those under a telling name (`{ password: … }`) included; see {@link mapTexts}. */
export function redactDeep(redactor: SecretRedactor, value: unknown): unknown {
  return mapTexts(value, (text, name) => {
    const kind = name === undefined ? undefined : kindOfNamed(name, text);
    return kind === undefined ? redactor.text(text) : redactor.placeholder(text, kind);
  });
}
