import { HooksError } from '@hooks/core';
import { askingAsNoted, asksByItself } from '../approval/own-approval.ts';
import { assembles, type CoreTools, replaceMethod } from '../internals.ts';
import type { AnyAgent, Tools } from '../run/any-agent.ts';
import type { Attachment } from '../run/run.ts';
import type { ToolBelt } from './belt.ts';
import { composeHooks, gateIn, gatesIn } from './compose-hooks.ts';
import { gated } from './gated-tool.ts';
import { toolCallsOf } from './hook-tool.ts';
import type { Gate } from './native-hooks.ts';

const gatedExecutes: WeakSet<object> = new WeakSet();

/** What stands here already for hooks of other registries: all gates go around a tool in one place, which knows their order. */
const assemblies: WeakSet<object> = new WeakSet();

/** Whether a tool of a run has passed through {@link gateAssembly}. */
export function isGated(tool: object): boolean {
  const { execute }: { readonly execute?: unknown } = tool;
  return typeof execute === 'function' && gatedExecutes.has(execute);
}

/**
 * Stands where Mastra puts the tools of a run together, so that none runs unasked whatever has started the run: a run
 * that Mastra starts itself (a durable agent, legacy models) gets the gate there, also where it is given native hooks
 * of its own, and a tool that takes the name of a hooked one (memory, workspace, skills, a browser) is told from it.
 *
 * @param tools the hooked tools of the agent, as far as they were listed
 */
export function gateAssembly(
  agent: AnyAgent,
  { hooks, options, tools }: Attachment & { readonly tools: ToolBelt },
): void {
  if (!assembles(agent)) {
    const what = `hooked: the agent "${agent.name}" puts its tools together in a way that is not known here, so that some could run unhooked`;
    throw new HooksError(
      'CONFIG_INVALID',
      `${what}: use a version of @mastra/core that the peer range of @hooks/mastra allows.`,
    );
  }
  const gate = { hooks, options, tools: tools.extended() };
  /** What Mastra has made of tools that are hooked at their function. */
  const made = new WeakSet<object>();
  const note = (all: CoreTools, isHooked: (name: string) => boolean): CoreTools => {
    for (const [name, tool] of Object.entries(all)) if (isHooked(name)) made.add(tool);
    return all;
  };
  const listAssignedTools = agent.listAssignedTools.bind(agent);
  const listToolsets = agent.listToolsets.bind(agent);
  const isInnermost = !assemblies.has(agent.wrapToolsWithHooks);
  const wrapToolsWithHooks = agent.wrapToolsWithHooks.bind(agent);
  replaceMethod(agent, 'listAssignedTools', async (given) =>
    note(await listAssignedTools(given), () => true),
  );
  replaceMethod(agent, 'listToolsets', async (given) => {
    const sources: Tools = Object.assign({}, ...Object.values(given.toolsets ?? {}));
    return note(await listToolsets(given), (name) => toolCallsOf(sources[name] ?? {}, hooks) !== undefined);
  });
  replaceMethod(agent, 'wrapToolsWithHooks', (all, given) => {
    const known = gateIn(hooks, given)?.tools;
    const hooked = known ?? gate.tools;
    hooked.noteIds(all);
    const tools = Object.entries(all).map(([name, tool]) => {
      if (made.has(tool)) return [name, tool];
      hooked.displace(name);
      if (!asksByItself(tool)) return [name, tool];
      hooked.noteAsking(name, tool);
      return [name, askingAsNoted(tool)];
    });
    const native = known ? given : composeHooks(gate, given ?? {});
    const named: CoreTools = Object.fromEntries(tools);
    const wrapped = wrapToolsWithHooks(isInnermost ? gatedTools(named, gatesIn(native)) : named, native);
    for (const { execute } of Object.values(wrapped)) if (execute !== undefined) gatedExecutes.add(execute);
    return wrapped;
  });
  assemblies.add(agent.wrapToolsWithHooks);
}

function gatedTools(tools: CoreTools, gates: readonly Gate[]): CoreTools {
  return Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, gated(tool, gates)]));
}
