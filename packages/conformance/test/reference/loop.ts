import { askModel } from './model.ts';
import type { Run } from './run.ts';
import { runCalls } from './tools.ts';

/** Asks the model and runs what it calls, until it only speaks. Returns what it says then. */
export async function loop(run: Run): Promise<string> {
  const { spec, options, history, faults } = run;
  let told: readonly string[] | undefined;
  for (let iteration = 1; iteration <= (spec.maxIterations ?? 20); iteration++) {
    if (!faults.has('ignores an abort')) options.signal?.throwIfAborted();
    const context = run.gates.flatMap(({ session }) => session.takeContext(run.id));
    const tell = told !== undefined && faults.has('tells context once a run') ? [] : context;
    told = context;
    const system = tell.map((content) => ({ role: 'system' as const, content }));
    if (faults.has('keeps context in memory')) history.push(...system);
    const spoken = await askModel(
      spec.modelUrl,
      {
        model: 'scripted',
        messages: [{ role: 'system', content: spec.instructions }, ...system, ...history],
        tools: spec.tools,
      },
      {
        stream: options.stream,
        signal: faults.has('ignores an abort') ? undefined : options.signal,
        onText: (text) => run.show('text', text),
      },
    );
    history.push({
      role: 'assistant',
      content: spoken.text,
      ...(spoken.toolCalls.length > 0 && {
        tool_calls: spoken.toolCalls.map(({ id, ...call }) => ({
          id,
          type: 'function' as const,
          function: call,
        })),
      }),
    });
    if (spoken.toolCalls.length === 0) return spoken.text;
    await runCalls(run, spoken.toolCalls);
  }
  throw new Error('The agent asked the model too often.');
}
