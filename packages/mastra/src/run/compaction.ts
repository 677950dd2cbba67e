import { AfterCompaction, BeforeCompaction, type HookDecision, type Hooks } from '@hooks/core';
import { hears } from '@hooks/core/adapter';
import type { NativeCompaction } from '../native.ts';
import type { AnyAgent } from '../agent.ts';
import {
  type Engine,
  isObservational,
  type ObservationRecord,
  type Observer,
  type Status,
  type Stretch,
} from './observational-memory.ts';

/**
 * Observational memory, which writes summaries ("observations") of older messages in their place: what the run of an
 * agent gets of its memory then asks the hooks. The user's own memory stays as it is.
 */
export function hookedMemory<M extends object>(memory: M, agent: AnyAgent, hooks: Hooks): M {
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
          isObservational(one) ? withOwn(one, { engine: hookedEngine(one.engine, agent, hooks) }) : one,
        );
      };
    },
  });
}

/** Whether hooks want to know of compactions. */
export function watchesCompaction(hooks: Hooks): boolean {
  return hears(hooks, BeforeCompaction) || hears(hooks, AfterCompaction);
}

function hookedEngine(engine: Engine, agent: AnyAgent, hooks: Hooks): Engine {
  const event = ({ threadId, trigger }: Stretch, inputTokens: number, outputTokens: number) =>
    ({
      session: hooks.session(threadId),
      agent: agent.name,
      inputTokens,
      outputTokens,
      contextLimit: 0,
      reason: trigger === 'manual' ? 'manual' : 'threshold',
      source: trigger === 'manual' ? 'manual' : 'auto',
    }) as const;
  const ask = async (stretch: Stretch): Promise<{ readonly writer?: Engine; readonly status: Status }> => {
    const status = await engine.getStatus(stretch);
    const decision = await hooks.dispatch(
      BeforeCompaction,
      {
        ...event(stretch, status.pendingTokens, 0),
        native: { messages: stretch.messages ?? [] } satisfies NativeCompaction,
      },
      { refuse: (answer) => refused(answer, engine) },
    );
    if (decision.kind === 'block') return { status };
    const { summary, context = [] } = decision.kind === 'modify' ? decision.patch : {};
    return { status, writer: withOwn(engine, { observer: toldObserver(engine, summary, context) }) };
  };
  const tell = async (stretch: Stretch, record: ObservationRecord, inputTokens: number): Promise<void> => {
    const { activeObservations: summary = '', observationTokenCount = 0 } = record;
    await hooks.dispatch(AfterCompaction, { ...event(stretch, inputTokens, observationTokenCount), summary });
  };
  return withOwn(engine, {
    observe: async (stretch: Stretch) => {
      const { writer, status } = await ask(stretch);
      if (writer === undefined) return { observed: false, reflected: false, record: status.record };
      const result = await engine.observe.call(writer, stretch);
      if (result.observed) await tell(stretch, result.record, status.pendingTokens);
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
      if (result.activated) await tell(stretch, result.record, pendingTokens);
      return result;
    },
  });
}

/** What writes the observations: it is told what hooks have to say, or not asked where they have the summary. */
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

/** The same object but for these fields: it is the user's, and stays as it is. */
function withOwn<T extends object>(object: T, fields: object): T {
  return Object.create(object, Object.getOwnPropertyDescriptors(fields));
}
