import type { AgentRun } from './agent-run.ts';

/**
 * Lets the result of a run that a hook has ended carry the reason, where Mastra puts that of a processor that ends a
 * run: in `tripwire`. A processor could end it, too, but Mastra would then forget the calls that were answered.
 */
export function withStop(output: unknown, run: AgentRun): unknown {
  if (typeof output !== 'object' || output === null) return output;
  if (!('getFullOutput' in output)) {
    const reason = reasonOf(output, run);
    if (run.delegated && reason !== undefined) return { ...output, tripwire: { reason }, text: reason };
    return run.stop === undefined ? output : { ...output, tripwire: tripwireOf(run) };
  }
  return new Proxy(output, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (property === 'text' && run.delegated) return answerOf(value, target, run);
      if (property === 'tripwire') return tripwireOf(run) ?? value;
      if (property === 'fullStream' && !run.delegated)
        return withTripwire(value as ReadableStream<Chunk>, run);
      if (typeof value !== 'function') return value;
      const method: (...given: readonly unknown[]) => unknown = value.bind(target);
      return property === 'getFullOutput' ? async () => withStop(await method(), run) : method;
    },
  });
}

interface Chunk {
  readonly type: string;
}

/** The same in the stream, where a workflow that has the agent as a step looks for it. */
function withTripwire(stream: ReadableStream<Chunk>, run: AgentRun): ReadableStream<Chunk> {
  const told = new TransformStream<Chunk, Chunk>({
    transform(chunk, controller) {
      const payload = tripwireOf(run);
      if (chunk.type === 'finish' && payload !== undefined)
        controller.enqueue({ ...chunk, type: 'tripwire', payload } as Chunk);
      controller.enqueue(chunk);
    },
  });
  return stream.pipeThrough(told);
}

/** What the agent that called a sub-agent reads: where a hook has ended its run, why. */
async function answerOf(text: unknown, output: object, run: AgentRun): Promise<unknown> {
  const said = await text;
  return reasonOf(output, run) ?? said;
}

/** Why a hook, or a processor, has ended the run. */
function reasonOf(output: object, { stop }: AgentRun): string | undefined {
  const { tripwire }: { readonly tripwire?: { readonly reason?: string } | undefined } = output;
  return stop ?? tripwire?.reason;
}

function tripwireOf({ stop }: AgentRun): { readonly reason: string } | undefined {
  return stop === undefined ? undefined : { reason: stop };
}
