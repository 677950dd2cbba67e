import { askModel } from './model.ts';
import { modelOf, type Running } from './run.ts';

const figures = {
  inputTokens: 0,
  outputTokens: 0,
  contextLimit: 0,
  reason: 'threshold',
  source: 'auto',
} as const;

/** Replaces a history that is too long by a summary. */
export async function compact({ run, history, spec, options: { signal } }: Running): Promise<void> {
  if (spec.compactAfter === undefined || history.length <= spec.compactAfter) return;
  const answer = await run.compact(figures);
  if (answer.kind === 'vetoed') return;
  const said = history.map(({ role, content }) => `${role}: ${String(content)}`).join('\n');
  const content = ['Summarize:', said, ...answer.context].join('\n');
  const silent = { stream: false, signal, onText: () => {} };
  const question = { ...modelOf(run), messages: [{ role: 'user' as const, content }], tools: [] };
  const summary = answer.summary ?? (await askModel(spec.modelUrl, question, silent)).text;
  history.splice(0, history.length, { role: 'user', content: summary });
  await run.compacted(figures, summary);
}
