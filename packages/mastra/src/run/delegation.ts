import { AgentSwitch, type Hooks, SubagentStart, SubagentStop } from '@hooks/core';
import { decidesResult } from '@hooks/core/adapter';
import type { DelegationConfig } from '@mastra/core/agent';
import type { NativeDelegation } from '../native.ts';
import type { AgentRun } from './agent-run.ts';
import type { AnyAgent, Context, RunOptions } from '../agent.ts';
import { turnOf } from './run.ts';

type RequestContext = NonNullable<RunOptions['requestContext']>;

interface Delegation {
  readonly parent: AgentRun;
  /** The id of the sub-agent. */
  readonly subagent: string;
  /** The call of it. */
  readonly callId: string;
  /** Tells hooks once that the sub-agent begins. */
  readonly announce: (session?: string) => Promise<void>;
}

const delegations: WeakMap<Hooks, WeakMap<RequestContext, Delegation>> = new WeakMap();

/**
 * The run that has started this agent as its sub-agent, whose run is given this request context. What a tool of the
 * sub-agent starts with the same one is no sub-agent.
 */
export function delegatedFrom(
  hooks: Hooks,
  { id }: AnyAgent,
  context: RequestContext | undefined,
): Pick<Delegation, 'parent' | 'callId'> | undefined {
  const delegation = context && delegations.get(hooks)?.get(context);
  return delegation?.subagent === id ? delegation : undefined;
}

/** Tells hooks that a sub-agent begins, where the run that has opened is one. */
export async function announceDelegated(
  hooks: Hooks,
  { id }: AnyAgent,
  context: RequestContext | undefined,
  session: string,
): Promise<void> {
  const delegation = context && delegations.get(hooks)?.get(context);
  if (delegation?.subagent === id) await delegation.announce(session);
}

/** Whether it is what hooks had the model told in its last call: that is no business of a sub-agent's model. */
function isTold(
  { role, content }: { readonly role: string; readonly content: unknown },
  run: AgentRun,
): boolean {
  return role === 'system' && content === run.told?.text;
}

/**
 * What a run is given for its sub-agents, without references to their results where hooks may refuse or change one: Mastra
 * would hand it to another sub-agent as it was.
 */
export async function hookedReferences(
  agent: AnyAgent,
  hooks: Hooks,
  context: Context,
  given: Partial<DelegationConfig>,
): Promise<Partial<DelegationConfig>> {
  if (given.enableResultReferences !== true) return given;
  const names = Object.keys(await agent.listAgents(context));
  const judged = names.some((name) => decidesResult(hooks, `agent-${name}`));
  return judged ? { ...given, enableResultReferences: false } : given;
}

/** Tells hooks of the sub-agents of a run, and the sub-agents' runs of their parent; the user's own callbacks are kept. */
export function delegationHooks(
  hooks: Hooks,
  run: AgentRun,
  theirs: DelegationConfig | undefined,
): DelegationConfig {
  const common = () => {
    const turn = turnOf(run);
    return { session: run.session, agent: run.agent, run: run.id, ...(turn !== undefined && { turn }) };
  };
  // By tool call.
  const unannounced = new Map<string, () => Promise<void>>();
  const sessions = new Map<string, string>();
  return {
    ...theirs,
    messageFilter: async (context) => {
      const messages = context.messages.filter((message) => !isTold(message, run));
      return (await theirs?.messageFilter?.({ ...context, messages })) ?? messages;
    },
    onDelegationStart: async (context) => {
      const answer = await theirs?.onDelegationStart?.(context);
      const { primitiveType, primitiveId: subagent, requestContext, toolCallId } = context;
      if (primitiveType !== 'agent' || answer?.proceed === false) return answer;
      const byContext = delegations.get(hooks) ?? new WeakMap<RequestContext, Delegation>();
      let announced = false;
      const announce = async (session?: string) => {
        if (announced) return;
        announced = true;
        unannounced.delete(toolCallId);
        if (session !== undefined) sessions.set(toolCallId, session);
        const native: NativeDelegation = { context };
        const about = { subagent, ...(session !== undefined && { subagentSession: session }) };
        await hooks.dispatch(SubagentStart, { ...common(), ...about, native });
        await hooks.dispatch(AgentSwitch, {
          ...common(),
          from: run.agent,
          to: subagent,
          switchKind: 'transfer_task',
          models: [],
          native,
        });
      };
      unannounced.set(toolCallId, announce);
      delegations.set(
        hooks,
        byContext.set(requestContext, { parent: run, subagent, callId: toolCallId, announce }),
      );
      return answer;
    },
    onDelegationComplete: async (context) => {
      const { primitiveType, primitiveId: subagent, prompt, result, toolCallId } = context;
      if (primitiveType === 'agent') {
        await unannounced.get(toolCallId)?.(); // its run was not hooked
        const session = sessions.get(toolCallId) ?? result.subAgentThreadId;
        const native: NativeDelegation = { context };
        const response = result.text;
        await hooks.dispatch(SubagentStop, {
          ...common(),
          subagent,
          ...(session !== undefined && { subagentSession: session }),
          response,
          lastUserMessage: prompt,
          native,
        });
        await hooks.dispatch(AgentSwitch, {
          ...common(),
          from: subagent,
          to: run.agent,
          switchKind: 'transfer_task_return',
          models: [],
          native,
        });
      }
      return theirs?.onDelegationComplete?.(context);
    },
  };
}
