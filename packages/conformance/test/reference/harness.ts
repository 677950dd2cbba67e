import { randomUUID } from 'node:crypto';
import { type Hooks, type Session, UserPromptSubmit } from '@hooks/core';
import { attachAdapter } from '@hooks/core/adapter';
import type {
  AdapterHarness,
  AgentSpec,
  HarnessAgent,
  RunOptions,
  RunResult,
  Seen,
} from '../../src/index.ts';
import { dispatch } from './events.ts';
import type { Fault } from './faults.ts';
import { loop } from './loop.ts';
import type { Message } from './model.ts';
import { type Run, Stopped } from './run.ts';
import { supports } from './supports.ts';
import { hookedCall, Refused, unwrap } from './tools.ts';

/** The harness of the reference adapter, whole or with faults. */
export function referenceHarness(...broken: readonly Fault[]): AdapterHarness {
  const faults = new Set(broken);
  return {
    supports,
    displacements: ['hooks'],
    agent: (spec) => createAgent(spec, faults),
    callTool: async (tool, input, { hooks, attach, signal }) => {
      const attached = faults.has('leaves a bare tool unhooked') ? [] : outermostFirst(hooks, faults);
      for (const registry of attached) attachAdapter(registry, { supports, tools: [tool.name], ...attach });
      const id = randomUUID();
      const spec = { name: 'bare', instructions: '', modelUrl: '', tools: [tool], hooks, attach };
      const run = await openRun(spec, id, { stream: false, ...(signal && { signal }) }, attached, [], faults);
      try {
        return {
          output: unwrap(run, await hookedCall(run, run.gates, tool, input, undefined)),
          blockReason: undefined,
        };
      } catch (error) {
        return { error, blockReason: error instanceof Refused ? error.message : undefined };
      } finally {
        await closeRun(run, true);
      }
    },
  };
}

function createAgent(spec: AgentSpec, faults: ReadonlySet<Fault>): HarnessAgent {
  const memory = new Map<string, readonly Message[]>();
  const concerned = spec.hooks.filter(
    (hooks) => !faults.has('ignores hooks that come after attaching') || hooks.list().length > 0,
  );
  const attached = outermostFirst(concerned, faults);
  for (const hooks of attached) {
    attachAdapter(hooks, { supports, tools: spec.tools.map(({ name }) => name), ...spec.attach });
  }
  const run = async (prompt: string, options: RunOptions): Promise<RunResult> => {
    const id = randomUUID();
    const session = options.session ?? id;
    const seen: Seen[] = [];
    const displaced = options.displace !== undefined && faults.has('lets a run option displace the hooks');
    const deaf = displaced || (options.stream && faults.has('asks no hooks in a stream'));
    const history = [...(memory.get(session) ?? [])];
    const run = await openRun(spec, session, options, deaf ? [] : attached, history, faults, {
      id,
      show: (kind, value) => void seen.push({ kind, value }),
    });
    const ended = { pending: [], seen };
    if (faults.has('adds an event where no hook is registered') && attached.length > 0)
      run.show('hooked', {});
    try {
      await submit(run, prompt);
      const text = await loop(run);
      memory.set(session, history);
      const { toolCalls = false } = { toolCalls: history.at(-2)?.role === 'tool' && history.at(-2)?.content };
      const blocked =
        faults.has('takes every block for the result') && toolCalls ? String(toolCalls) : undefined;
      return { ...ended, text, blockReason: blocked };
    } catch (error) {
      if (!(error instanceof Stopped)) return { ...ended, text: '', error, blockReason: undefined };
      memory.set(session, history);
      return { ...ended, text: '', blockReason: error.reason };
    } finally {
      await closeRun(run, options.session === undefined);
    }
  };
  return {
    run,
    pending: () => Promise.resolve([]),
    resume: () => Promise.reject(new Error('The reference framework does not pause yet.')),
    stored: (session) => Promise.resolve(memory.get(session)),
  };
}

/** Asks about the prompt, and puts what is left of it into the history. */
async function submit(run: Run, prompt: string): Promise<void> {
  const { history, faults } = run;
  const decision = await dispatch(run, UserPromptSubmit, { prompt });
  if (faults.has('keeps the original of a rewritten prompt'))
    history.push({ role: 'system', content: prompt });
  const patch: { readonly prompt?: string } = decision.kind === 'modify' ? decision.patch : {};
  if (decision.kind !== 'block') history.push({ role: 'user', content: patch.prompt ?? prompt });
  else if (!faults.has('asks the model about a blocked prompt')) {
    if (faults.has('keeps a blocked prompt')) history.push({ role: 'user', content: prompt });
    throw new Stopped(decision.reason);
  }
}

function outermostFirst(hooks: readonly Hooks[], faults: ReadonlySet<Fault>): readonly Hooks[] {
  const once = faults.has('asks twice where attached twice') ? hooks : [...new Set(hooks)];
  return faults.has('attaches the later registry inside') ? once : once.toReversed();
}

async function openRun(
  spec: AgentSpec,
  sessionId: string,
  options: RunOptions,
  attached: readonly Hooks[],
  history: Message[],
  faults: ReadonlySet<Fault>,
  { id = sessionId, show = () => {} }: Partial<Pick<Run, 'id' | 'show'>> = {},
): Promise<Run> {
  const named = faults.has('shares one context among sessions') ? 'shared' : sessionId;
  const own = faults.has('starts a session for each run') ? id : named;
  const gates = attached.map((hooks) => ({ hooks, session: hooks.session(own) }));
  for (const { session } of gates) await session.open();
  return { id, spec, options, gates, history, show, faults };
}

async function closeRun(run: Run, minted: boolean): Promise<void> {
  const close = ({ session }: { readonly session: Session }) => {
    session.endRun(run.id);
    return minted && !run.faults.has('never ends a session') ? session.close() : undefined;
  };
  await Promise.all(run.gates.map(close));
}
