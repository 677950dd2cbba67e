import type { AgentEvent, Outcome, Patch } from './agent.ts';
import type { Capabilities, Carried, Moment } from './carries.ts';

/** The part of an outcome that the agent carries out. */
export interface Settled {
  readonly block?: { readonly reason: string; readonly stop: boolean };
  readonly retry?: string;
  readonly patch: Patch;
  /** A warning for the user about the rest. */
  readonly warning?: string;
}

/** Reduces an outcome to what the agent can carry out. Refuses the rest if possible, else leaves it out. */
export function settle(agent: Capabilities, event: AgentEvent, outcome: Outcome): Settled {
  const moment = momentOf(event);
  const levels: { readonly [decision: string]: Carried } = (moment && agent.carries[moment]) ?? {};
  const levelOf = (decision: string): Carried => {
    const level = event.lacks?.includes(decision) ? undefined : levels[decision];
    return level ?? (event.gate ? 'refused' : 'left out');
  };
  const { block, retry } = outcome;
  // A Block of a stop ends the run. Agents keep working after their own "block" of a stop, which is a retry here.
  if (block) return refused({ ...block, stop: block.stop || moment === 'stop' }, levels, agent.title);
  if (retry !== undefined && levelOf('retry') === 'yes') return { retry, patch: {} };
  if (retry !== undefined && levelOf('retry') === 'refused')
    return { block: { reason: retry, stop: false }, patch: {} };

  const patch: Record<string, unknown> = {};
  const leftOut = retry === undefined ? [] : ['a retry'];
  for (const [field, value] of Object.entries(outcome.patch)) {
    const level = levelOf(decisionOf(field, outcome.patch));
    if (level === 'refused')
      return { block: { reason: why(field, outcome, agent.title), stop: false }, patch };
    if (level === 'yes') patch[field] = value;
    else leftOut.push(`a change of ${field}`);
  }
  if (leftOut.length === 0) return { patch };
  return {
    patch,
    warning: `${agent.title} cannot carry out ${leftOut.join(' and ')} here, so it has no effect`,
  };
}

function refused(
  { reason: given, stop }: { readonly reason: string; readonly stop: boolean },
  levels: { readonly [decision: string]: Carried },
  title: string,
): Settled {
  const reason = given || 'refused by a hook';
  const block = { reason, stop };
  if (levels['block'] === 'left out')
    return { patch: {}, warning: `${title} does not let a hook refuse this: ${reason}` };
  if (levels['block'] === 'no')
    return {
      block,
      patch: {},
      warning: `${title} shows the model this result although a hook blocked it: ${reason}`,
    };
  if (!stop || levels['block, stop'] !== 'in part') return { block, patch: {} };
  const goesOn = `${reason} (a hook ended the run here, which ${title} cannot carry out: stop now)`;
  return { block: { reason: goesOn, stop: false }, patch: {} };
}

function why(field: string, { patch }: Outcome, title: string): string {
  if (field === 'approval' && patch.approval?.kind === 'required') return patch.approval.reason;
  return `a hook changed ${field} here, which ${title} cannot carry out`;
}

function decisionOf(field: string, { approval }: Patch): string {
  if (field !== 'approval') return `modify.${field}`;
  return approval?.kind === 'granted' ? 'grant approval' : 'require approval';
}

function momentOf({ data }: AgentEvent): Moment | undefined {
  switch (data.type) {
    case 'before_tool_call':
      return 'call';
    case 'permission_request':
      return 'approval';
    case 'transform_tool_result':
    case 'after_tool_call':
      return data.fields['status'] === 'error' ? 'failed result' : 'result';
    case 'user_prompt_submit':
      return 'prompt';
    case 'session_start':
      return 'start';
    case 'turn_start':
      return 'turn';
    case 'stop':
      return 'stop';
    case 'before_compaction':
      return 'compaction';
    default:
      return undefined;
  }
}
