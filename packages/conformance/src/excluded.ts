import {
  addContext,
  BeforeToolCall,
  block,
  type EventPayload,
  type HookDecision,
  isHooksError,
  modify,
  PermissionRequest,
  type Point,
  proceed,
  requireApproval,
  retry,
} from '@hooks/core';
import { expect } from 'vitest';
import type { DeclaredEvent } from './catalogue.ts';
import type { AdapterHarness } from './harness.ts';
import { playLong } from './scenarios/compaction.ts';
import { askWeather } from './scenarios/script.ts';
import { Stage } from './stage.ts';

/** Attaching rejects a hook that may refuse on an event that never fires there, unless it or the event is optional. */
export async function expectRefused(harness: AdapterHarness, spec: DeclaredEvent): Promise<void> {
  await using stage = new Stage(harness, false);
  stage.hooks.on(pointOf(spec), () => proceed());
  await expect(stage.agent([])).rejects.toMatchObject({ code: 'UNSUPPORTED_EVENT', event: spec.type });
  await stage.agent([], { attach: { allowUnsupported: [spec.type] } });
  await using optional = new Stage(harness, false);
  optional.hooks.on(pointOf(spec), () => proceed(), { optional: true });
  await optional.agent([]);
}

/** Attaching accepts a hook on an event that never happens in the framework. */
export async function expectAttached(harness: AdapterHarness, spec: DeclaredEvent): Promise<void> {
  await using stage = new Stage(harness, false);
  stage.hooks.on(pointOf(spec), () => proceed());
  await stage.agent([]);
}

/** A hook that answers with an unsupported decision is reported as failed, or rejected when attached. */
export async function expectFailed(
  harness: AdapterHarness,
  spec: DeclaredEvent,
  decision: string,
): Promise<void> {
  await using stage = new Stage(harness, false);
  stage.hooks.on(pointOf(spec), () => sampleOf(decision), { id: 'excluded' });
  try {
    await fire(stage, spec);
  } catch (error) {
    if (isHooksError(error) && error.code === 'UNSUPPORTED_EVENT') return;
    throw error;
  }
  expect(stage.failures).toEqual(
    expect.arrayContaining([expect.objectContaining({ hook: 'excluded', event: spec.type })]),
  );
}

function pointOf(spec: DeclaredEvent): Point<EventPayload, HookDecision, HookDecision> {
  return { spec };
}

/** Runs the agent so that the event fires. */
async function fire(stage: Stage, { type, lineage }: DeclaredEvent): Promise<void> {
  if (type === PermissionRequest.type)
    stage.hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
  if (lineage.includes('compaction_event')) await playLong(stage);
  else await stage.play(askWeather);
}

function sampleOf(decision: string): HookDecision {
  if (decision === 'block') return block('No.');
  if (decision === 'retry') return retry('Again.');
  const field = decision.replace('modify.', '');
  return field === 'approval' ? requireApproval('Ask.') : modify({ [field]: samples[field] });
}

/** A sample value for each field that hooks may modify. */
const samples: Readonly<Record<string, unknown>> = {
  context: addContext('It is Monday.').patch.context,
  prompt: 'Rain?',
  metadata: { intent: 'weather' },
  model: 'smaller',
  settings: { temperature: 0.25 },
  instructions: 'Be verbose.',
  messages: [{ role: 'user', text: 'Rain?' }],
  tools: [],
  response: { text: 'Rain.', toolCalls: [] },
  toolName: 'forecast',
  input: { city: 'Oslo' },
  execute: () => 'rain',
  output: 'rain',
  errorMessage: 'No rain.',
  summary: 'They talked of rain.',
};
