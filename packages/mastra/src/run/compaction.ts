import { AfterCompaction, BeforeCompaction, type HookDecision } from '@hooks/core';
import { type CompactionAnswer, type CompactionFigures, standIn } from '@hooks/core/adapter';
import {
  type Engine,
  isObservational,
  type ListProcessors,
  mayObserve,
  type ObservationRecord,
  type Observer,
  type ObservingMemory,
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

function hookedMemory<M extends ObservingMemory>(memory: M, hooked: HookedAgent): M {
  const hook = (list: ListProcessors): ListProcessors => {
    return async (...given) => {
      const processors = await list.call(memory, ...given);
      return processors.map((one) =>
        isObservational(one) ? withOwn(one, { engine: hookedEngine(one.engine, hooked) }) : one,
      );
    };
  };
  const { getInputProcessors, getOutputProcessors } = memory;
  return standIn(memory, {
    getInputProcessors: hook(getInputProcessors),
    getOutputProcessors: hook(getOutputProcessors),
  });
}

function hookedEngine(engine: Engine, hooked: HookedAgent): Engine {
  /** The engine that may compact, and writes as hooks want it. */
  const ask = async (stretch: Stretch) => {
    const status = await engine.getStatus(stretch);
    const run = runOf(stretch, hooked);
    const native: NativeCompaction = { messages: stretch.messages ?? [] };
    const figures = { ...figuresOf(stretch, status.pendingTokens, 0), native };
    const answer = await run.compact(figures, { refuse: (decision) => refused(decision, engine) });
    const writer = answer.kind === 'compact' && withOwn(engine, { observer: toldObserver(engine, answer) });
    return { status, run, writer };
  };
  const tell = (run: HookedRun, stretch: Stretch, record: ObservationRecord, inputTokens: number) => {
    const { activeObservations: summary = '', observationTokenCount = 0 } = record;
    return run.compacted(figuresOf(stretch, inputTokens, observationTokenCount), summary);
  };
  return withOwn(engine, {
    observe: async (stretch: Stretch) => {
      const { writer, run, status } = await ask(stretch);
      if (!writer) return { observed: false, reflected: false, record: status.record };
      const result = await engine.observe.call(writer, stretch);
      if (result.observed) await tell(run, stretch, result.record, status.pendingTokens);
      return result;
    },
    buffer: async (stretch: Stretch) => {
      const { writer, status } = await ask(stretch);
      return writer ? engine.buffer.call(writer, stretch) : { buffered: false, record: status.record };
    },
    activate: async (stretch: Stretch) => {
      const { pendingTokens } = await engine.getStatus(stretch);
      const result = await engine.activate(stretch);
      if (result.activated) await tell(runOf(stretch, hooked), stretch, result.record, pendingTokens);
      return result;
    },
  });
}

/** The run in progress in the thread. Memory may also be compacted outside of a run. */
function runOf({ threadId }: Stretch, { agent, registries, runs }: HookedAgent): HookedRun {
  const going = [...runs.values()].find(({ session }) => session.id === threadId);
  return going ?? new HookedRun(registries, { sessionId: threadId, agent: agent.name });
}

function figuresOf({ trigger }: Stretch, inputTokens: number, outputTokens: number): CompactionFigures {
  return { inputTokens, outputTokens, source: trigger === 'manual' ? trigger : 'auto' };
}

/** The writer of observations. It gets the guidance of hooks, or is not called if a hook supplied the summary. */
function toldObserver(
  engine: Engine,
  { summary, context }: Extract<CompactionAnswer, { readonly kind: 'compact' }>,
): Observer {
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
