import { DIALECTS } from '../dialects/all.ts';
import type { DialectName } from '../dialects/dialect.ts';

/** Which dialect a file is in, by its shape: its top-level keys, and the names of the events that only one dialect has. */
export function detectDialect(value: Readonly<Record<string, unknown>>): DialectName {
  if (value['agents'] !== undefined || value['settings'] !== undefined) return 'docker-agent';
  const { hooks } = value;
  if (typeof hooks !== 'object' || hooks === null) return 'hooks';
  const names = Object.keys(hooks);
  const [best] = (Object.keys(DIALECTS) as DialectName[])
    .map((dialect) => ({ dialect, score: names.filter((name) => has(dialect, name)).length }))
    .sort((a, b) => b.score - a.score);
  return best && best.score > 0 ? best.dialect : byCase(names);
}

function has(dialect: DialectName, name: string): boolean {
  const { events, neverFire } = DIALECTS[dialect];
  return Object.hasOwn(events, name) || neverFire.includes(name);
}

/** When no event is known, so that the error speaks of the dialect that was meant. */
function byCase([name = '']: readonly string[]): DialectName {
  if (/^[A-Z]/.test(name)) return 'claude-code';
  return /[A-Z]/.test(name) ? 'ai4j' : 'hooks';
}
