import { AfterCompaction, BeforeCompaction } from '@hooks/core';
import { dispatch, patchOf } from './events.ts';
import { askModel } from './model.ts';
import type { Run } from './run.ts';

const numbers = {
  inputTokens: 0,
  outputTokens: 0,
  contextLimit: 0,
  reason: 'threshold',
  source: 'auto',
} as const;

/** Puts a summary in the place of a history that is too long. */
export async function compact(run: Run): Promise<void> {
  const { history, spec } = run;
  if (spec.compactAfter === undefined || history.length <= spec.compactAfter) return;
  const decision = await dispatch(run, BeforeCompaction, numbers);
  if (decision.kind === 'block') return;
  const { summary: own, context = [] } = patchOf<BeforeCompaction>(decision);
  const said = history.map(({ role, content }) => `${role}: ${String(content)}`).join('\n');
  const content = ['Summarize:', said, ...context].join('\n');
  const silent = { stream: false, signal: run.options.signal, onText: () => {} };
  const question = { model: run.model, messages: [{ role: 'user' as const, content }], tools: [] };
  const summary = own ?? (await askModel(spec.modelUrl, question, silent)).text;
  history.splice(0, history.length, { role: 'user', content: summary });
  await dispatch(run, AfterCompaction, { ...numbers, summary });
}
