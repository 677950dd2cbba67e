import type { DelegationConfig } from '@mastra/core/agent';
import type { AnyAgent, Context, RunOptions } from '../agent.ts';
import type { NativeDelegation } from '../native.ts';
import type { Caller, MastraRun } from './agent-run.ts';

type RequestContext = NonNullable<RunOptions['requestContext']>;

interface Delegation extends Caller {
  /** The id of the sub-agent. */
  readonly subagent: string;
  readonly native: NativeDelegation;
  /** Whether its run is hooked and reports its own start and end. */
  isHooked: boolean;
  /** Settles when hooks know of its end. Mastra does not wait for that in a streamed run. */
  ended?: Promise<void>;
}

const delegations: WeakMap<RequestContext, Delegation> = new WeakMap();

/**
 * The caller of this agent as a sub-agent, identified by the request context of its run. What a tool of the sub-agent
 * starts with the same context is not a sub-agent.
 */
export function callerOf({ id }: AnyAgent, context: RequestContext | undefined): Delegation | undefined {
  const delegation = context && delegations.get(context);
  return delegation?.subagent === id ? delegation : undefined;
}

/** The run of a sub-agent has started or resumed. */
export async function announce(delegation: Delegation, isNew: boolean): Promise<void> {
  const { parent, subagent, native } = delegation;
  delegation.isHooked = true;
  if (isNew) await parent.switchAgent(subagent, { switchKind: 'transfer_task', native });
}

/**
 * The options of a run for its sub-agents. Without references to their results if hooks may refuse or change one,
 * because Mastra would pass the original to another sub-agent.
 */
export async function hookedReferences(
  run: MastraRun,
  context: Context,
  given: Partial<DelegationConfig>,
): Promise<Partial<DelegationConfig>> {
  if (given.enableResultReferences !== true) return given;
  const names = Object.keys(await run.by.agent.listAgents(context));
  const judged = names.some((name) => run.hooked.decidesResult(`agent-${name}`));
  return judged ? { ...given, enableResultReferences: false } : given;
}

/**
 * Reports the sub-agents of a run to hooks, and the parent to the runs of sub-agents. Keeps the user's own callbacks.
 */
export function delegationHooks(run: MastraRun, theirs: DelegationConfig | undefined): DelegationConfig {
  const byCall = new Map<string, Delegation>();
  return {
    ...theirs,
    messageFilter: async (context) => {
      // The context of this run's last model call is not for a sub-agent's model.
      const messages = context.messages.filter(
        ({ role, content }: { readonly role: string; readonly content: unknown }) =>
          role !== 'system' || content !== run.told,
      );
      return (await theirs?.messageFilter?.({ ...context, messages })) ?? messages;
    },
    onDelegationStart: async (context) => {
      const answer = await theirs?.onDelegationStart?.(context);
      const { primitiveType, primitiveId: subagent, requestContext, toolCallId: callId } = context;
      if (primitiveType !== 'agent' || answer?.proceed === false) return answer;
      const delegation: Delegation = { parent: run, subagent, callId, native: { context }, isHooked: false };
      byCall.set(callId, delegation);
      delegations.set(requestContext, delegation);
      return answer;
    },
    onDelegationComplete: async (context) => {
      const { primitiveType, primitiveId: from, prompt, result, toolCallId } = context;
      const delegation = byCall.get(toolCallId);
      if (primitiveType === 'agent') {
        await delegation?.ended;
        if (delegation?.isHooked !== true) {
          const child = run.openChild({
            agent: from,
            sessionId: result.subAgentThreadId,
            parentCallId: toolCallId,
          });
          child.lastUserMessage = prompt;
          await child.begin();
          await run.switchAgent(from, { switchKind: 'transfer_task', native: { context } });
          await child.end({ kind: 'done', response: result.text });
        }
        const native: NativeDelegation = { context };
        await run.switchAgent(run.agent ?? '', { switchKind: 'transfer_task_return', from, native });
      }
      return theirs?.onDelegationComplete?.(context);
    },
  };
}
