import type { RunEvent } from '../../src/api.ts';
import type { Mark, TraceNode } from './node.ts';

/** The decisions in a node itself, without those in its children. */
export function marksOf(node: Pick<TraceNode, 'events' | 'kind'>): readonly Mark[] {
  const marks = node.events.flatMap((event) => marksOfEvent(event));
  const { status } = node.events.findLast(({ record }) => record.status !== undefined)?.record ?? {};
  if (node.kind === 'tool' || node.kind === 'attempt') {
    if (status === 'error') marks.push({ text: 'Error', tone: 'bad' });
    if (status === 'denied') marks.push({ text: 'Denied', tone: 'bad' });
  }
  return marks.filter(({ text }, index) => marks.findIndex((mark) => mark.text === text) === index);
}

function marksOfEvent({ record }: RunEvent): Mark[] {
  const { type, decision, hooks = [], approval } = record;
  const marks: Mark[] = [];
  if (hooks.some(({ error }) => error !== undefined)) marks.push({ text: 'Hook failed', tone: 'bad' });
  if (type === 'hooks.tool_approval_decision' && approval && !isByHook(approval.source))
    marks.push(
      approval.decision === 'allow' ? { text: 'Allowed', tone: 'ok' } : { text: 'Denied', tone: 'bad' },
    );
  if (type === 'hooks.agent_error') marks.push({ text: 'Error', tone: 'bad' });
  switch (decision?.kind) {
    case 'block':
      marks.push({ text: 'Blocked', tone: 'bad' });
      break;
    case 'retry':
      marks.push({ text: type === 'hooks.stop' ? 'Continues' : 'Retried', tone: 'retry' });
      break;
    case 'modify':
      marks.push(...changes(decision.fields ?? [], decision.approval?.kind));
      break;
  }
  return marks;
}

function changes(fields: readonly string[], approval: 'required' | 'granted' | undefined): Mark[] {
  const marks: Mark[] = [];
  if (approval === 'required') marks.push({ text: 'Asked', tone: 'ask' });
  if (approval === 'granted') marks.push({ text: 'Granted', tone: 'ok' });
  if (fields.includes('execute')) marks.push({ text: 'Rerouted', tone: 'change' });
  if (fields.some((field) => CHANGES.has(field))) marks.push({ text: 'Changed', tone: 'change' });
  if (fields.includes('context')) marks.push({ text: 'Context', tone: 'quiet' });
  return marks;
}

const CHANGES: ReadonlySet<string> = new Set([
  'input',
  'output',
  'errorMessage',
  'toolName',
  'prompt',
  'response',
  'messages',
  'instructions',
  'tools',
  'settings',
  'model',
  'summary',
]);

/** Whether a hook denied the call. The hook's Block is already shown. */
export function isByHook(source: string): boolean {
  return source.startsWith('pre_tool_use_hook');
}
