import { AfterCompaction, BeforeCompaction, type HookDecision } from '@hooks/core';
import type { CompactionFigures } from '@hooks/core/adapter';
import {
  type Engine,
  isObservational,
  mayObserve,
  type Observer,
  replaceMethod,
  type Stretch,
} from '../internals.ts';
import type { NativeCompaction } from '../native.ts';
import type { HookedAgent } from './agent-run.ts';
import { HookedRun } from './run.ts';

/**
 * Makes hooks decide about observational memory, which replaces older messages with summaries ("observations").
 * Applies to the memory that an agent's runs get; the user's own memory object stays unchanged.
 */
export function hookMemory(hooked: HookedAgent): void {
  const { agent, registries } = hooked;
  const getMemory = agent.getMemory.bind(agent);
  replaceMethod(agent, 'getMemory', async (context) => {
    const memory = await getMemory(context);
    const isHeard = registries.hears(BeforeCompaction) || registries.hears(AfterCompaction);
    return memory && isHeard && mayObserve(memory) ? hookedMemory(memory, hooked) : memory;
  });
}

function hookedMemory<M extends object>(memory: M, hooked: HookedAgent): M {
  return new Proxy(memory, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== 'function') return value;
      const method: (...given: readonly unknown[]) => unknown = value.bind(target);
      if (property !== 'getInputProcessors' && property !== 'getOutputProcessors') return method;
      return async (...given: readonly unknown[]): Promise<unknown> => {
        const processors = await method(...given);
        if (!Array.isArray(processors)) return processors;
        return processors.map((one: unknown) =>
          isObservational(one) ? withOwn(one, { engine: hookedEngine(one.engine, hooked) }) : one,
        );
      };
    },
  });
}

function hookedEngine(engine: Engine, hooked: HookedAgent): Engine {
  const ask = async (stretch: Stretch) => {
    const status = await engine.getStatus(stretch);
    const run = runOf(stretch, hooked);
    const native: NativeCompaction = { messages: stretch.messages ?? [] };
    const figures = { ...figuresOf(stretch, status.pendingTokens, 0), native };
    const answer = await run.compact(figures, { refuse: (decision) => refused(decision, engine) });
    const writer =
      answer.kind === 'compact'
        ? withOwn(engine, { observer: toldObserver(engine, answer.summary, answer.context) })
        : undefined;
    return { status, run, writer };
  };
  const tell = (
    run: HookedRun,
    stretch: Stretch,
    { record }: Observed,
    inputTokens: number,
  ): Promise<void> => {
    const { activeObservations: summary = '', observationTokenCount = 0 } = record;
    return run.compacted(figuresOf(stretch, inputTokens, observationTokenCount), summary);
  };
  return withOwn(engine, {
    observe: async (stretch: Stretch) => {
      const { writer, run, status } = await ask(stretch);
      if (writer === undefined) return { observed: false, reflected: false, record: status.record };
      const result = await engine.observe.call(writer, stretch);
      if (result.observed) await tell(run, stretch, result, status.pendingTokens);
      return result;
    },
    buffer: async (stretch: Stretch) => {
      const { writer, status } = await ask(stretch);
      return writer === undefined
        ? { buffered: false, record: status.record }
        : engine.buffer.call(writer, stretch);
    },
    activate: async (stretch: Stretch) => {
      const { pendingTokens } = await engine.getStatus(stretch);
      const result = await engine.activate(stretch);
      if (result.activated) await tell(runOf(stretch, hooked), stretch, result, pendingTokens);
      return result;
    },
  });
}

type Observed = Pick<Awaited<ReturnType<Engine['observe']>>, 'record'>;

/** The run in progress in the thread. Memory may also be compacted outside of a run. */
function runOf({ threadId }: Stretch, { agent, registries, runs }: HookedAgent): HookedRun {
  const going = [...runs.values()].find(({ session }) => session.id === threadId);
  return going ?? new HookedRun(registries, { sessionId: threadId, agent: agent.name });
}

function figuresOf({ trigger }: Stretch, inputTokens: number, outputTokens: number): CompactionFigures {
  return { inputTokens, outputTokens, source: trigger === 'manual' ? trigger : 'auto' };
}

/** The writer of observations. It gets the guidance of hooks, or is not called if a hook supplied the summary. */
function toldObserver(engine: Engine, summary: string | undefined, context: readonly string[]): Observer {
  if (summary !== undefined)
    return withOwn(engine.observer, { call: async () => ({ observations: summary }) });
  if (context.length === 0) return engine.observer;
  const config = engine.getObservationConfig();
  const instruction = [config.instruction ?? '', ...context].filter((text) => text !== '').join('\n\n');
  return withOwn(engine.observer, { observationConfig: { ...config, instruction } });
}

function refused(answer: HookDecision, { scope }: Engine): string | undefined {
  const { summary }: { readonly summary?: string } = answer.kind === 'modify' ? answer.patch : {};
  return summary !== undefined && scope === 'resource'
    ? 'with scope "resource" one observation stands for several threads, so a summary of one cannot take its place'
    : undefined;
}

/** The same object except for these fields. The user's object stays unchanged. */
function withOwn<T extends object>(object: T, fields: object): T {
  return Object.create(object, Object.getOwnPropertyDescriptors(fields));
}
