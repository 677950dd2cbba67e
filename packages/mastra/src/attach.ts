import { isIdle } from '@hooks/core/adapter';
import { replaceMethod } from './internals.ts';
import type { HookedOptions } from './options.ts';
import type { AnyAgent } from './agent.ts';
import { hookedMemory, watchesCompaction } from './run/compaction.ts';
import { hookedRun, type Start } from './run/hooked-run.ts';
import { guardNetwork } from './run/network.ts';
import { asGiven } from './run/options.ts';
import type { Attachment } from './run/run.ts';
import { guardLegacy } from './run/unasked.ts';
import { gateAssembly } from './tool/assembly.ts';
import type { ToolBelt } from './tool/belt.ts';
import { gateIn } from './tool/compose-hooks.ts';

/** What is known of the agent that hooks are attached to. */
export interface AgentAttachment extends Attachment {
  readonly settings: HookedOptions;
  /** The agent's hooked tools, as far as they were listed. */
  readonly tools: ToolBelt;
  /** Each run has its own, which the agent lists for it: a function gives them, or the agent was made by somebody else. */
  readonly listsTools: boolean;
}

/** All other ways to start or go on with a run come down to these. */
const STARTS = ['generate', 'stream', 'resumeGenerate', 'resumeStream'] as const;

const attached: WeakMap<object, readonly AgentAttachment[]> = new WeakMap();

/** The hooks that are attached to this very agent, first to last. */
export function attachmentsOf(agent: object): readonly AgentAttachment[] {
  return attached.get(agent) ?? [];
}

/**
 * Puts hooks around the runs of an agent that is ours to change. Only where a run starts can what it is given
 * (`hooks`, `inputProcessors`, `toolsets`) be merged with ours instead of displacing it.
 */
export function attachTo(agent: AnyAgent, attachment: AgentAttachment): void {
  const { hooks } = attachment;
  attached.set(agent, [...attachmentsOf(agent), attachment]);
  for (const method of STARTS) {
    const inner: unknown = Reflect.get(agent, method);
    if (typeof inner !== 'function') continue;
    const start: Start = inner.bind(agent);
    const resumes = method.startsWith('resume');
    const hookedStart: Start = (first, options = {}) => {
      const { run } = gateIn(hooks, options.hooks) ?? {};
      // Nobody to ask, or started from inside a run that is hooked already (`untilIdle`).
      if (isIdle(hooks) || (run !== undefined && run.id === options.runId)) return start(first, options);
      const own = run?.given === undefined ? options : asGiven(options, run.given);
      return hookedRun({ agent, attachment, options: own, resumes }, first, start);
    };
    Object.defineProperty(agent, method, { value: hookedStart, configurable: true, writable: true });
  }
  const getMemory = agent.getMemory.bind(agent);
  replaceMethod(agent, 'getMemory', (context) =>
    watchesCompaction(hooks)
      ? getMemory(context).then((memory) => memory && hookedMemory(memory, agent, hooks))
      : getMemory(context),
  );
  gateAssembly(agent, attachment);
  guardNetwork(agent, attachment);
  guardLegacy(agent, attachment);
}
