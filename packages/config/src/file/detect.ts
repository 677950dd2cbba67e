import { DIALECTS } from '../dialects/all.ts';
import type { DialectName } from '../dialects/dialect.ts';

/**
 * Detects a file's dialect by its top-level keys, its event names and the fields of its hooks. If all of these fit both
 * Cursor and Copilot, the folder decides.
 */
export function detectDialect(value: Readonly<Record<string, unknown>>, file = ''): DialectName {
  // Only our own files have it. In another's it would be passed over.
  if ('flow' in value) return 'hooks';
  if (value['agents'] !== undefined || value['settings'] !== undefined) return 'docker-agent';
  const { hooks } = value;
  if (typeof hooks !== 'object' || hooks === null) return 'hooks';
  const names = Object.keys(hooks);
  const scores = (Object.keys(DIALECTS) as DialectName[]).map((dialect) => ({
    dialect,
    score: names.filter((name) => has(dialect, name)).length,
  }));
  const top = Math.max(...scores.map(({ score }) => score));
  const best = scores.filter(({ score }) => score === top).map(({ dialect }) => dialect);
  // Cursor and Copilot share event names with other dialects, but only their files have a version.
  const versioned = best.filter((dialect) => dialect === 'cursor' || dialect === 'copilot');
  if (value['version'] !== undefined && versioned.length > 0) return byFields(hooks, versioned, file);
  return top === 0 ? byCase(names) : byFields(hooks, best, file);
}

function has(dialect: DialectName, name: string): boolean {
  const { events, neverFire } = DIALECTS[dialect];
  return Object.hasOwn(events, name) || neverFire.includes(name);
}

/** Fields that distinguish a dialect from those after it in the list. */
const ownFields: Partial<Record<DialectName, readonly string[]>> = {
  ai4j: ['match'],
  copilot: ['bash', 'powershell', 'exec', 'timeoutSec', 'url', 'cwd', 'env'],
  cursor: ['failClosed', 'loop_limit', 'matcher'],
};

/** Among dialects with equally many known events, the one whose fields the hooks have; else the first. */
function byFields(hooks: object, best: readonly DialectName[], file: string): DialectName {
  const [first = 'hooks'] = best;
  // In our own dialect, docker-agent and Claude Code, events also hold groups of hooks, with their own fields.
  if (best.length === 1 || !Object.hasOwn(ownFields, first)) return first;
  const fields = new Set(
    Object.values(hooks)
      .flat()
      .flatMap((hook) => Object.keys(Object(hook))),
  );
  const [own] = (Object.keys(ownFields) as DialectName[]).filter(
    (dialect) => best.includes(dialect) && ownFields[dialect]?.some((field) => fields.has(field)),
  );
  return own ?? (best.includes('copilot') && /[/\\]\.github[/\\]/.test(file) ? 'copilot' : first);
}

/** The fallback without a known event, so that the error is about the intended dialect. */
function byCase([name = '']: readonly string[]): DialectName {
  if (/^[A-Z]/.test(name)) return 'claude-code';
  return /[A-Z]/.test(name) ? 'ai4j' : 'hooks';
}
