import type { SupportTable } from '@hooks/core';
import { type Forkable, wrappedBy } from '../internals.ts';
import { supports } from '../supports.ts';

/** What this adapter can do for a durable agent, whose runs Mastra starts itself: its tool calls are hooked. */
export const durableSupports: SupportTable = without([
  'user_prompt_submit',
  'before_run',
  'turn_start',
  'before_model_call',
  'after_model_call',
  'stop',
]);

/** The same where it is a sub-agent, to which nobody submits a prompt. */
export const durableSubagentSupports: SupportTable = without(['before_model_call', 'after_model_call']);

/** Whether Mastra starts the runs of an agent itself. */
export function isDurable(agent: Forkable): boolean {
  return Boolean(agent.durable) || wrappedBy(agent) !== agent;
}

function without(types: readonly string[]): SupportTable {
  const fires = { level: 'none', note: 'Mastra starts the runs of a durable agent itself.' } as const;
  const unasked = types.map((type) => [type, { fires }] as const);
  return { ...supports, events: { ...supports.events, ...Object.fromEntries(unasked) } };
}
