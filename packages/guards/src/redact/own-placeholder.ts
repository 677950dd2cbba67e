import type { PiiKind } from '../pii/kinds.ts';
import type { NamedKind } from './name.ts';
import { RULES } from './rules/index.ts';

/** What looks like a placeholder of a redacted value, each with its rule and digits. A model may have shortened one. */
export const PLACEHOLDERS: RegExp = /\[REDACTED:([\w-]{1,60})#([\da-f]{1,16})\]/g;

/** The placeholders in a text of a rule that exists, with as many digits as they get. Others may have a secret in them. */
export function ownPlaceholders(text: string): readonly RegExpExecArray[] {
  return [...text.matchAll(PLACEHOLDERS)].filter(
    ([, rule = '', digits = '']) => NAMES.has(rule) && (digits.length === 8 || digits.length === 16),
  );
}

/** Of other programs, or of `pii`: `[Filtered]`, `[SECRET#01ab23cd]`. An index of a list, `users[ADMIN]`, is none. */
const OTHERS =
  '\\[(?:REDACTED|MASKED|HIDDEN|FILTERED|[Rr]edacted|[Ff]iltered|(?!REDACTED:)[A-Za-z][\\w-]{0,40}(?:#[\\da-f]{4,16}|:[\\da-f]{8,16}))\\]';
const OTHER = new RegExp(OTHERS, 'g');

/** Source of an expression for what looks like a placeholder, without spaces. */
export const PLACEHOLDER_LIKE: string = `(?:\\[REDACTED:[^\\s"'\`\\[\\]]{1,100}\\]|${OTHERS})`;
const ANY_LIKE = new RegExp(PLACEHOLDER_LIKE, 'g');

/** A text without the placeholders in it. One of ours counts if its rule exists. */
export function withoutPlaceholders(text: string): string {
  if (!text.includes('[')) return text;
  const left = ownPlaceholders(text).reduce((rest, [placeholder]) => rest.replace(placeholder, ''), text);
  return left.replace(OTHER, '');
}

/** A text without all that looks like a placeholder, whoever made it. */
export function withoutPlaceholderLike(text: string): string {
  return text.includes('[') ? text.replace(ANY_LIKE, '') : text;
}

const NAMED: readonly NamedKind['id'][] = ['password', 'token', 'key'];
const PERSONAL: readonly PiiKind[] = ['email', 'phone', 'card', 'iban', 'ip'];
const NAMES: ReadonlySet<string> = new Set([...RULES.map(({ id }) => id), ...NAMED, ...PERSONAL, 'seen']);
