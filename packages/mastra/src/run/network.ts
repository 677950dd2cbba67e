import { BeforeToolCall } from '@hooks/core';
import { decides, decidesResult } from '@hooks/core/adapter';
import type { AgentAttachment } from '../attach.ts';
import { replaceMethod } from '../internals.ts';
import type { AnyAgent, Context } from '../agent.ts';
import { refuseUnasked } from './unasked.ts';

/**
 * `network` of an agent, which Mastra is giving up, runs a loop of its own: the agent's tools, and what its sub-agents do,
 * are hooked in it, but nobody is asked about prompts, model calls, the tools of memory and of the client that it calls
 * itself, nor whether it may start a sub-agent or a workflow. It is refused where hooks may want to refuse one of these.
 */
export function guardNetwork(agent: AnyAgent, attachment: AgentAttachment): void {
  const network = agent.network.bind(agent);
  const resumeNetwork = agent.resumeNetwork.bind(agent);
  replaceMethod(agent, 'network', async (messages, options) => {
    await refuse(agent, attachment, options);
    return network(messages, options);
  });
  replaceMethod(agent, 'resumeNetwork', async (data, options) => {
    await refuse(agent, attachment, options);
    return resumeNetwork(data, options);
  });
}

async function refuse(agent: AnyAgent, attachment: AgentAttachment, options: Context = {}): Promise<void> {
  const { hooks } = attachment;
  const judged = (await ownTools(agent, options)).some(
    (name) => decides(hooks, BeforeToolCall, name) || decidesResult(hooks, name),
  );
  refuseUnasked('a network of', agent, attachment, { judged: judged ? [BeforeToolCall.type] : [] });
}

/** The names of what the network starts itself, as the model of a run knows it. */
async function ownTools(agent: AnyAgent, { requestContext }: Context): Promise<readonly string[]> {
  const context = requestContext === undefined ? {} : { requestContext };
  const agents = Object.keys(await agent.listAgents(context)).map((name) => `agent-${name}`);
  const workflows = Object.keys(await agent.listWorkflows(context)).map((name) => `workflow-${name}`);
  const memory: { listTools?(): object } | undefined = await agent.getMemory(context);
  const { clientTools = {} } = await agent.getDefaultOptions(context);
  return [...agents, ...workflows, ...Object.keys(memory?.listTools?.() ?? {}), ...Object.keys(clientTools)];
}
