import type { EventSpec, EventSupport, SupportTable } from '@hooks/core';
import * as core from '@hooks/core';

const emulated = { level: 'emulated', note: 'the reference loop is the adapter' } as const;

const asksNobody = { level: 'none', note: 'the reference loop asks nobody' } as const;

/** What the reference loop, which calls tools and nothing else, cannot fire. */
const missing: ReadonlySet<string> = new Set([
  'before_run',
  'turn_start',
  'before_model_call',
  'after_model_call',
  'turn_end',
  'stop',
  'permission_request',
  'tool_approval_decision',
  'subagent_start',
  'subagent_stop',
  'agent_switch',
  'before_compaction',
  'after_compaction',
  'user_input_required',
  'notification',
  'agent_error',
  'max_iterations',
  'session_resume',
]);

/** The reference adapter can do everything, but for some events. */
export const supports: SupportTable = {
  adapter: 'reference',
  events: Object.fromEntries(specs().map((spec) => [spec.type, supportOf(spec)])),
};

function supportOf({ type, permits, modifies, lineage }: EventSpec): EventSupport {
  if (missing.has(type))
    return { fires: { level: 'none', note: 'the reference loop calls tools and nothing else' } };
  const decisions = [
    ...permits.filter((decision) => decision !== 'modify'),
    ...modifies.map((field) => `modify.${field}`),
  ];
  const none = { level: 'none', note: 'the reference framework has function tools only' } as const;
  return {
    fires: emulated,
    decisions: Object.fromEntries(
      decisions.map((decision) => [decision, decision === 'modify.approval' ? asksNobody : emulated]),
    ),
    ...(lineage.includes('tool_event') && {
      tools: { function: emulated, mcp: none, agent: none, framework: none, hosted: none },
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
