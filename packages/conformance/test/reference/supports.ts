import type { EventSpec, EventSupport, SupportTable } from '@hooks/core';
import * as core from '@hooks/core';

const emulated = { level: 'emulated', note: 'the reference loop is the adapter' } as const;

/** The reference adapter supports everything for which it has a step or a tool. */
export const supports: SupportTable = {
  adapter: 'reference',
  refused: { return: emulated, throw: emulated },
  events: Object.fromEntries(specs().map((spec) => [spec.type, supportOf(spec)])),
};

function supportOf({ type, permits, modifies, lineage }: EventSpec): EventSupport {
  if (type === 'session_resume') return { fires: { level: 'none', note: 'its limit ends a run for good' } };
  const decisions = [
    ...permits.filter((decision) => decision !== 'modify'),
    ...modifies.map((field) => `modify.${field}`),
  ];
  const hosted = { level: 'none', note: 'the provider runs them' } as const;
  return {
    fires: emulated,
    decisions: Object.fromEntries(decisions.map((decision) => [decision, emulated])),
    ...(lineage.includes('tool_event') && {
      tools: { function: emulated, mcp: emulated, agent: emulated, framework: emulated, hosted },
    }),
  };
}

/** The events of the catalogue. */
function specs(): readonly EventSpec[] {
  return Object.values(core).flatMap((value) =>
    typeof value === 'object' && value !== null && 'spec' in value && value.spec.kind === 'event'
      ? [value.spec]
      : [],
  );
}
