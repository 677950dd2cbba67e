import { Stop } from '@hooks/core';
import { BlockedError, type RunEnd, type RunStop } from '@hooks/core/adapter';
import type { RunOptions } from '../agent.ts';
import { isStreaming, type Streaming } from '../internals.ts';
import type { NativeStop } from '../native.ts';
import { forgetRun, keepPaused, type MastraRun } from './agent-run.ts';
import { rememberResults } from './client-results.ts';

type OnIterationComplete = NonNullable<RunOptions['onIterationComplete']>;
type IterationContext = Parameters<OnIterationComplete>[0];

/**
 * Ends the run if a hook wants that. Fires `Stop` when the model has finished, or reports the limit. Keeps the user's
 * own callback.
 */
export function afterIteration(run: MastraRun, theirs: OnIterationComplete | undefined): OnIterationComplete {
  return async (context) => {
    // Mastra works on, and its own callbacks are called when they would be without hooks.
    const settling = run.approvals.settle();
    if (settling !== undefined) await settling;
    const answer = await theirs?.(context);
    if (run.stop !== undefined) return { continue: false }; // with feedback Mastra would call the model once more
    if (!context.isFinal || answer?.continue === true) return answer;
    if (isAtLimit(run, context)) {
      const { iteration } = context;
      await run.reachLimit(iteration, `The agent reached its limit of ${iteration} iterations.`);
      await run.endTurn('continue');
    }
    // `isFinal` is also true for an abort, an error and a tripwire.
    if (context.finishReason !== 'stop') return answer;
    run.object = newestObject(context);
    const next = await run.finished(context.text, { context } satisfies NativeStop);
    if (next.kind === 'blocked') {
      run.answerStands = true;
      return { continue: false };
    }
    if (next.kind === 'over') return answer;
    run.steer = next.prompt;
    return { ...answer, continue: true };
  };
}

/** Whether it is the limit that ends the run, after tool calls that the model was to read the results of. */
function isAtLimit({ limit, signal }: MastraRun, { finishReason, iteration }: IterationContext): boolean {
  return finishReason === 'tool-calls' && limit !== undefined && iteration >= limit && !signal?.aborted;
}

/**
 * The object of the answer that has just come, if it has one. With structured output Mastra gives that of the first answer as
 * that of a run, also where the run goes on.
 */
function newestObject({ messages }: IterationContext): unknown {
  return messages.findLast(({ role }) => role === 'assistant')?.content.metadata?.['structuredOutput'];
}

interface Output {
  readonly status?: unknown;
  readonly finishReason?: unknown;
  readonly error?: unknown;
  readonly tripwire?: { readonly reason?: string } | undefined;
  readonly text?: unknown;
}

/** How a run ended: what Mastra threw, or its output. */
export type Ended = { readonly error: unknown } | { readonly output: unknown };

/** Tells hooks how the run ended, on every way out, and closes it unless it waits for a person. */
export async function endRun(run: MastraRun, ended: Ended): Promise<void> {
  const output: Output = 'output' in ended ? { ...Object(ended.output) } : {};
  await run.approvals.settle();
  if (output.finishReason === 'suspended' || output.status === 'suspended') {
    if (run.stop === undefined) {
      await run.storeOwner();
      keepPaused(run);
      await run.pause();
      return rememberResults(run);
    }
    await run.pending.cancel(run.stop.reason);
  }
  await run.end(endOf(run, 'error' in ended ? ended.error : output.error, output));
  forgetRun(run);
  // What stays of a run that is over says nothing but whose it was.
  await run.removeOwner().catch(() => {});
  // Not before: whoever has read the stream is told at once how it ended.
  await rememberResults(run);
}

function endOf({ signal }: MastraRun, error: unknown, { tripwire, text }: Output): RunEnd {
  if (signal?.aborted) return { kind: 'canceled' };
  if (error !== undefined) return { kind: 'error', error };
  // A processor of the user's has ended it.
  if (tripwire !== undefined) return { kind: 'error', error: new BlockedError({ reason: tripwire.reason }) };
  return { kind: 'done', ...(typeof text === 'string' && { response: text }) };
}

/** The same of a streamed run, when somebody has read it. */
export async function endStreamed(run: MastraRun, output: Streaming): Promise<void> {
  try {
    await output._waitUntilFinished();
    const { status, error, tripwire } = output;
    const [finishReason, text] = await Promise.all(
      [output.finishReason, output.text].map((one) => Promise.resolve(one).catch(() => undefined)),
    );
    await endRun(run, { output: { status, error, tripwire, finishReason, text } });
  } catch (error) {
    // Nobody waits for this: the user reads the stream.
    run.warnOnce(`@hooks/mastra could not tell how the stream ended: ${String(error)}`);
  }
}

/**
 * Lets the result of a run that a hook has ended carry the reason: as its text, and where Mastra puts that of a processor
 * that ends a run, in `tripwire`. A processor could end it, too, but Mastra would then forget the calls that were answered.
 * Where Stop hooks have made the run go on, its `object` is that of the last answer.
 *
 * @throws BlockedError if the run throws refusals. Of a stream, what is read of it fails.
 */
export function resultOf(output: unknown, run: MastraRun): unknown {
  if (typeof output !== 'object' || output === null) return output;
  run.hooked.throwRejection(run);
  if (!isStreaming(output)) return withStop(withLastObject(output, run), run);
  return new Proxy(output, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (property === 'tripwire') return run.stop ? tripwireOf(run.stop) : value;
      if (property === 'object' && run.decides(Stop)) return lastObject(target, value, run);
      if (property === 'text') return textOf(target, value, run);
      // One that is taken before any hook is registered is Mastra's own: in another, its parts come at other times.
      const mayEnd = run.parent === undefined && (run.stop !== undefined || run.hooked.decidesAnything);
      if (property === 'textStream' && mayEnd) return withText(value as ReadableStream<string>, run);
      if (property === 'fullStream' && mayEnd) return withRefusal(value as ReadableStream<Chunk>, run);
      if (typeof value !== 'function') return value;
      const method: (...given: readonly unknown[]) => unknown = value.bind(target);
      return property === 'getFullOutput' ? async () => resultOf(await method(), run) : method;
    },
  });
}

/** The result, or what a callback is told of it, with the object of the last answer. */
export function withLastObject<T>(result: T, { continuations, object }: MastraRun): T {
  const goneOn = continuations > 0 && typeof result === 'object' && result !== null && 'object' in result;
  return goneOn && object !== undefined ? { ...result, object } : result;
}

async function lastObject(output: Streaming, given: unknown, run: MastraRun): Promise<unknown> {
  const first = await given;
  await output._waitUntilFinished();
  return run.continuations === 0 ? first : run.object;
}

function withStop(result: object, run: MastraRun): object {
  const text = textInstead(result, run);
  return {
    ...result,
    ...(text !== undefined && { text }),
    ...(run.stop && { tripwire: tripwireOf(run.stop) }),
  };
}

/** The text of a run: where a hook has ended it, why. */
async function textOf(output: object, text: unknown, run: MastraRun): Promise<unknown> {
  const answer = await text;
  run.hooked.throwRejection(run);
  return textInstead(output, run) ?? answer;
}

/**
 * What is read in the place of the run's text: why a hook has ended it. The agent that called a sub-agent reads that of a
 * processor, too.
 */
function textInstead({ tripwire }: Output, { parent, stop, answerStands }: MastraRun): string | undefined {
  if (parent !== undefined) return stop?.reason ?? tripwire?.reason;
  return answerStands ? undefined : stop?.reason;
}

function tripwireOf({ reason }: RunStop): { readonly reason: string } {
  return { reason };
}

/** What {@link textOf} gives, as a stream. */
function withText(stream: ReadableStream<string>, run: MastraRun): ReadableStream<string> {
  return stream.pipeThrough(
    new TransformStream<string, string>({
      flush(controller) {
        run.hooked.throwRejection(run);
        const text = textInstead({}, run);
        if (text !== undefined) controller.enqueue(text);
      },
    }),
  );
}

interface Chunk {
  readonly type: string;
  readonly payload?: object;
}

/**
 * The stream of a run with the reason for which a hook has ended it, as a text and as the tripwire that a workflow looks
 * for which has the agent as a step.
 */
function withRefusal(stream: ReadableStream<Chunk>, run: MastraRun): ReadableStream<Chunk> {
  let isEnding = false;
  return stream.pipeThrough(
    new TransformStream<Chunk, Chunk>({
      transform(chunk, controller) {
        const isTripwire = chunk.type === 'tripwire';
        if (run.stop !== undefined && !isEnding && (isTripwire || chunk.type === 'finish')) {
          isEnding = true;
          run.hooked.throwRejection(run);
          const added = textChunks(textInstead({}, run));
          if (!isTripwire) added.push({ type: 'tripwire', payload: tripwireOf(run.stop) });
          for (const part of added) controller.enqueue({ ...chunk, ...part });
        }
        controller.enqueue(chunk);
      },
    }),
  );
}

function textChunks(text: string | undefined): Chunk[] {
  const id = 'hooks';
  if (text === undefined) return [];
  return [
    { type: 'text-start', payload: { id } },
    { type: 'text-delta', payload: { id, text } },
    { type: 'text-end', payload: { id } },
  ];
}
