import { AfterModelCall, BeforeModelCall, BeforeRun, UserPromptSubmit } from '@hooks/core';
import type { AnyAgent, Context, RunOptions } from '../agent.ts';
import { replaceMethod } from '../internals.ts';
import type { HookedAgent } from './agent-run.ts';
import { callerOf } from './subagents.ts';

const MODEL = [BeforeModelCall, AfterModelCall];
const PROMPT = [UserPromptSubmit, BeforeRun];
const INSTEAD = 'use generate() or stream()';

/** `generateLegacy` and `streamLegacy` only fire tool events. */
export function guardLegacy({ agent, registries }: HookedAgent): void {
  for (const method of ['generateLegacy', 'streamLegacy'] as const)
    guard(agent, method, (options) => {
      // Nobody submits a prompt to a sub-agent.
      const isChild = callerOf(agent, options?.requestContext) !== undefined;
      const points = isChild ? MODEL : [...PROMPT, ...MODEL];
      registries.refuseUnasked(
        { points, agent: agent.name },
        `${method} of the agent "${agent.name}"`,
        INSTEAD,
      );
    });
}

/**
 * `network` of an agent, which Mastra is giving up, runs a loop of its own: the agent's tools, and what its sub-agents do,
 * are hooked in it, but not prompts, model calls, the tools of memory and of the client that it calls itself, nor whether it
 * may start a sub-agent or a workflow.
 */
export function guardNetwork({ agent, registries }: HookedAgent): void {
  for (const method of ['network', 'resumeNetwork'] as const)
    guard(agent, method, async (options = {}) => {
      const toolNames = await networkTools(agent, options);
      const unfired = { points: [...PROMPT, ...MODEL], toolNames, agent: agent.name };
      registries.refuseUnasked(unfired, `a network of the agent "${agent.name}"`, INSTEAD);
    });
}

type OtherStart = 'generateLegacy' | 'streamLegacy' | 'network' | 'resumeNetwork';

function guard(
  agent: AnyAgent,
  method: OtherStart,
  check: (options?: Context) => void | Promise<void>,
): void {
  const start = agent[method].bind(agent);
  replaceMethod(agent, method, async (first, options) => {
    await check(options);
    return start(first, options);
  });
}

/** The names of what a network starts itself, as the model of a run knows it. */
async function networkTools(agent: AnyAgent, { requestContext }: Context): Promise<readonly string[]> {
  const context = requestContext === undefined ? {} : { requestContext };
  const agents = Object.keys(await agent.listAgents(context)).map((name) => `agent-${name}`);
  const workflows = Object.keys(await agent.listWorkflows(context)).map((name) => `workflow-${name}`);
  const memory: { listTools?(): object } | undefined = await agent.getMemory(context);
  const { clientTools = {} } = await agent.getDefaultOptions(context);
  return [...agents, ...workflows, ...Object.keys(memory?.listTools?.() ?? {}), ...Object.keys(clientTools)];
}

/**
 * A `structuredOutput` with a `model` of its own: Mastra makes an agent of it that writes the object, whose model calls hooks
 * do not see. With `useAgent` and a thread the hooked agent writes it itself.
 */
export function refuseStructuring(
  { agent: { name: agent }, registries }: HookedAgent,
  structured: RunOptions['structuredOutput'],
  thread: string | undefined,
): void {
  if (structured?.model === undefined || (structured.useAgent === true && thread !== undefined)) return;
  const where = `the model that structuredOutput of the agent "${agent}" has for itself`;
  registries.refuseUnasked({ points: MODEL, agent }, where, 'leave its `model` out');
}
