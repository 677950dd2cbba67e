import {
  type Approval,
  block,
  type EventPayload,
  type EventSpec,
  type HookDecision,
  modify,
  proceed,
  retry,
  Stop,
} from '@hooks/core';
import type { Answer } from '../protocol/answer.ts';
import type { WireTool } from '../protocol/tools.ts';

/** An answer as core's decision on this event, whose token determines what is permitted. */
export function toDecision(
  spec: EventSpec,
  event: EventPayload,
  answer: Answer,
  tool?: WireTool,
): HookDecision {
  const reason = answer.reason?.trim() ? answer.reason : 'a hook refused';
  if (answer.permission === 'deny' || answer.stop) {
    // In every dialect, denying a stop keeps the agent working.
    if (spec.type === Stop.type) return answer.stop ? proceed() : retry(reason);
    if (spec.permits.includes('block')) return block(reason, answer.stop ? { stop: true } : {});
  }
  if (answer.retry !== undefined && spec.permits.includes('retry')) return retry(answer.retry);

  const patch = patchOf(event, answer, tool);
  const kept = Object.entries(patch).filter(([field]) => spec.modifies.includes(field));
  return kept.length === 0 ? proceed() : modify(Object.fromEntries(kept));
}

/** Context that the event itself cannot take, and that goes into the next model call. */
export function lateContext(spec: EventSpec, answer: Answer): readonly string[] {
  return spec.modifies.includes('context') ? [] : (answer.context ?? []);
}

/**
 * Puts context into the next model call. Where a run stops, that may be the first one of the session's next run.
 */
export function contributeLate(event: EventPayload, texts: readonly string[]): void {
  const run = event.type === Stop.type ? undefined : event.run;
  event.session.contributed.push({ run, scope: 'call', texts });
}

function patchOf(event: EventPayload, answer: Answer, tool?: WireTool): Record<string, unknown> {
  const { input, toolName, output, prompt, summary, context, patch = {} } = answer;
  const approval = approvalOf(answer);
  // ai4j's answers repeat the name of the tool.
  const renamed = toolName === undefined ? undefined : (tool?.nameBack(toolName) ?? toolName);
  return {
    ...withResponse(event, patch),
    ...(input && { input: tool ? tool.inputBack(input) : input }),
    ...(renamed !== undefined && renamed !== Object(event).toolName && { toolName: renamed }),
    ...(approval && { approval }),
    ...(output && outputPatch(event, output.value)),
    ...(prompt !== undefined && { prompt }),
    ...(summary !== undefined && { summary }),
    ...(context && { context }),
  };
}

function approvalOf({ permission, reason = 'a hook from a file' }: Answer): Approval | undefined {
  if (permission === 'ask') return { kind: 'required', reason };
  return permission === 'allow' ? { kind: 'granted', reason } : undefined;
}

/** Before a call, an output answers it. After a failed call, it is the error text. */
function outputPatch(event: EventPayload, value: unknown): Record<string, unknown> {
  if (event.type === 'before_tool_call') return { execute: () => value };
  const failed = 'status' in event && event.status === 'error';
  return failed && typeof value === 'string' ? { errorMessage: value } : { output: value };
}

/** A hook replaces the text of a response and keeps the rest. */
function withResponse(
  event: EventPayload,
  patch: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (typeof patch['response'] !== 'string') return patch;
  const response = 'response' in event ? event.response : {};
  return { ...patch, response: { ...Object(response), text: patch['response'] } };
}
