import type { PiiKind } from '../pii/kinds.ts';
import type { NamedKind } from './name.ts';
import { RULES } from './rules/index.ts';

/** What looks like a placeholder of a redacted value, each with its rule. */
export const PLACEHOLDERS: RegExp = /\[REDACTED:([\w-]{1,60})#(?:[\da-f]{8}){1,2}\]/g;

/** The placeholders in a text whose rule exists. Any text could stand in the place of one that does not. */
export function ownPlaceholders(text: string): readonly RegExpExecArray[] {
  return [...text.matchAll(PLACEHOLDERS)].filter(([, rule = '']) => NAMES.has(rule));
}

const NAMED: readonly NamedKind['id'][] = ['password', 'token', 'key'];
const PERSONAL: readonly PiiKind[] = ['email', 'phone', 'card', 'iban', 'ip'];
const NAMES: ReadonlySet<string> = new Set([...RULES.map(({ id }) => id), ...NAMED, ...PERSONAL, 'seen']);
