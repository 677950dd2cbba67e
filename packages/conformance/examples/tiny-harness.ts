import type {
  AdapterHarness,
  AgentSpec,
  AttachSpec,
  Seen,
  ToolSpec,
} from '@hooks/conformance';
import {
  attach,
  blockReason,
  hookTool,
  type Options,
  pendingApprovals,
} from './tiny/adapter.ts';
import { type Agent, type RunOptions, run, type Tool } from './tiny/agent.ts';
import { supports } from './tiny/supports.ts';

export const harness: AdapterHarness = {
  supports,
  blockReason,
  pendingApprovals,
  streams: false,
  agent({ modelUrl: url, instructions, tools, hooks, ...spec }) {
    const bare: Agent = {
      url,
      instructions,
      tools: tools.map((tool) => toolOf(tool, spec.attach)),
      layers: [],
      threads: new Map(),
    };
    const agent = hooks.reduce(
      (inner, each, nth) => attach(inner, each, optionsOf(spec, nth)),
      bare,
    );
    return {
      async run(prompt, { session: thread, signal, user }) {
        const seen: Seen[] = [];
        try {
          const running = run(agent, prompt, { thread, signal, user });
          let step = await running.next();
          for (; !step.done; step = await running.next())
            seen.push({ kind: step.value.role, value: step.value });
          return { text: step.value.text, result: step.value, seen };
        } catch (error) {
          return { text: '', error, seen };
        }
      },
      stored: async (session) => agent.threads.get(session),
      // Runs of this framework cannot pause.
      paused: async () => undefined,
      resume: () =>
        Promise.reject(new Error('Runs of this framework cannot pause.')),
    };
  },
  async callTool(tool, input, { hooks, attach, signal, user, ...spec }) {
    const hooked = toolOf({ ...tool, hooks, ...spec }, attach);
    try {
      return { output: await hooked.execute(input as never, { signal, user }) };
    } catch (error) {
      return { error };
    }
  },
};

/** The options of a registry. */
function optionsOf(
  { attach, attachEach = [] }: Pick<AgentSpec, 'attach' | 'attachEach'>,
  nth: number,
): Options {
  const { principal: id, ...options } = attachEach[nth] ?? attach;
  const principal = ({ user = id }: RunOptions) =>
    user === undefined ? undefined : { id: user };
  return { ...options, principal };
}

function toolOf(
  { hooks = [], attach: own, attachEach = [], ...tool }: ToolSpec,
  attach: AttachSpec,
): Tool {
  const spec = { attach: own ?? attach, attachEach };
  return hooks.reduce(
    (inner: Tool, each, nth) => hookTool(inner, each, optionsOf(spec, nth)),
    tool,
  );
}
