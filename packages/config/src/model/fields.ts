import { dockerAgentEvents } from '../dialects/docker-agent/events.ts';
import { hooksEvents } from '../dialects/hooks/events.ts';
import { suggest } from '../file/suggest.ts';
import { parseTemplate, type Template } from './template.ts';

/** The fields of stdin by their names in Go templates: `tool_use_id` is `ToolUseID`. */
export function goFields(fields: unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(Object(fields)).map(([name, value]) => [goName(name), value]));
}

/**
 * Parses a template over the fields of stdin.
 *
 * @throws SyntaxError also for a field that no event has
 */
export function parseOverFields(source: string): Template {
  const known = knownGoFields();
  return parseTemplate(source, (field) =>
    known.includes(field) ? undefined : `it names an unknown field (${suggest(field, known)})`,
  );
}

/** All names that a template may use, for all events. */
function knownGoFields(): readonly string[] {
  const rows = [...Object.values(dockerAgentEvents), ...Object.values(hooksEvents)];
  const names = new Set(['session_id', 'cwd', 'hook_event_name', 'agent_name']);
  for (const { stdin } of rows) for (const name of Object.keys(stdin)) names.add(name);
  return [...names].map(goName);
}

function goName(name: string): string {
  return name
    .split('_')
    .map((word) => (word === 'id' ? 'ID' : word.slice(0, 1).toUpperCase() + word.slice(1)))
    .join('');
}
