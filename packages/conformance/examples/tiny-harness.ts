import type { AdapterHarness, Seen, ToolSpec } from '@hooks/conformance';
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
  agent({ modelUrl: url, instructions, tools, hooks, attach: spec }) {
    const options = { ...spec, principal };
    const bare: Agent = {
      url,
      instructions,
      tools: tools.map((tool) => toolOf(tool, options)),
      layers: [],
      threads: new Map(),
    };
    const agent = hooks.reduce(
      (inner, each) => attach(inner, each, options),
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
  async callTool(tool, input, { hooks, attach, signal, user }) {
    const hooked = toolOf({ ...tool, hooks }, { ...attach, principal });
    try {
      return { output: await hooked.execute(input as never, { signal, user }) };
    } catch (error) {
      return { error };
    }
  },
};

function principal({ user }: RunOptions) {
  return user === undefined ? undefined : { id: user };
}

function toolOf(
  { hooks = [], attach: own, ...tool }: ToolSpec,
  options: Options,
): Tool {
  return hooks.reduce(
    (inner: Tool, each) =>
      hookTool(inner, each, own ? { ...own, principal } : options),
    tool,
  );
}
