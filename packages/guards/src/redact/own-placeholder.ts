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

const NAMED: readonly NamedKind['id'][] = ['password', 'token', 'key'];
const PERSONAL: readonly PiiKind[] = ['email', 'phone', 'card', 'iban', 'ip'];
const NAMES: ReadonlySet<string> = new Set([...RULES.map(({ id }) => id), ...NAMED, ...PERSONAL, 'seen']);
