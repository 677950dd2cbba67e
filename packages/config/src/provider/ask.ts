import type { BeforeToolCall, EventPayload } from '@hooks/core';
import type { HookEntry } from '../entry.ts';
import { type Answer, type Failure, isFailure } from '../protocol/answer.ts';
import { meetsCondition } from '../protocol/condition.ts';
import { endsSequence, mergeAnswers } from '../protocol/merge.ts';
import { wireEventOf } from '../protocol/stdin.ts';
import type { RunContext } from '../run/context.ts';
import { runHook } from '../run/hook.ts';
import type { WireView } from './event.ts';

/** The result of one hook. */
export interface Asked {
  readonly entry: HookEntry;
  readonly result: Answer | Failure;
}

/** The result of all hooks of an event. */
export interface AskedAll {
  readonly answer: Answer;
  /** In the order of the file. */
  readonly asked: readonly Asked[];
}

/** The entries for this event. */
export function concerned(
  entries: readonly HookEntry[],
  event: EventPayload,
  { data, tool }: WireView,
  { dialect, allows }: Pick<RunContext, 'dialect' | 'allows'>,
): readonly HookEntry[] {
  return entries.filter((entry) => {
    const row = wireEventOf(dialect, entry.wireEvent);
    if (row.fires?.(data) === false) return false;
    if (!isOfAgent(entry, event.agent)) return false;
    if (isJudge(entry) && !entry.preemptsRules && isAllowedByRule(event, allows)) return false;
    const matches = row.matches ?? dialect.matches;
    const { matcher } = entry;
    const matched = row.matched?.(data) ?? '';
    const names = (tool?.name === matched ? tool.namesFor(matcher ?? '') : undefined) ?? [matched];
    if (matcher !== undefined && !names.some((name) => matches(matcher, name))) return false;
    const { condition } = entry.handler;
    return condition === undefined || meetsCondition(condition, data);
  });
}

/** Runs hooks as their dialect does, identical ones once, and merges their answers. */
export async function askHooks(
  entries: readonly HookEntry[],
  view: WireView,
  context: RunContext,
  signal?: AbortSignal,
): Promise<AskedAll> {
  const asked: Asked[] = [];
  const { dialect } = context;
  let { data } = view;
  const ask = async (entry: HookEntry): Promise<Asked> => {
    const result = await runHook(entry, data, context, signal);
    if (!dialect.mergesInput || isFailure(result) || !result.input) return { entry, result };
    return { entry, result: { ...result, input: { ...Object(data.fields['input']), ...result.input } } };
  };
  if (dialect.sequential || entries.some(({ sequential }) => sequential)) {
    for (const entry of distinct(entries)) {
      const one = await ask(entry);
      asked.push(one);
      if (isFailure(one.result)) continue;
      if (dialect.sequential && endsSequence(one.result)) break;
      if (one.result.input) data = { ...data, fields: { ...data.fields, input: one.result.input } };
    }
  } else {
    asked.push(...(await Promise.all(distinct(entries).map(ask))));
  }
  const answers = asked.flatMap(({ result }) => (isFailure(result) ? [] : [result]));
  return { answer: mergeAnswers(answers), asked };
}

/** A model that decides about calls, and whose file has rules that can decide before it. */
function isJudge({ event, handler }: HookEntry): boolean {
  return event === 'before_tool_call' && handler.type === 'model' && handler.schema !== undefined;
}

/**
 * Whether `permissions.allow` has decided already: obvious calls need no model. The rules have to be the file's own, because the
 * grant may be that of another policy, whose author does not know the judge.
 */
function isAllowedByRule(event: EventPayload, allows: RunContext['allows'] = () => false): boolean {
  if (!('approval' in event)) return false;
  const call = event as BeforeToolCall;
  const { kind, source = '' } = Object(call.approval);
  return kind === 'granted' && /_permissions_allow$/.test(source) && allows(call);
}

/** Whether an entry applies to the calls of an agent. */
export function isOfAgent({ agents, exceptAgents }: HookEntry, agent: string | undefined): boolean {
  if (agent === undefined) return true;
  return (agents?.includes(agent) ?? true) && !exceptAgents?.includes(agent);
}

/** A hook that occurs twice, in two groups or two files, runs once. */
function distinct(entries: readonly HookEntry[]): readonly HookEntry[] {
  const seen = new Map<string, HookEntry>();
  for (const entry of entries) {
    const key = JSON.stringify([entry.wireEvent, entry.handler]);
    if (!seen.has(key)) seen.set(key, entry);
  }
  return [...seen.values()];
}
