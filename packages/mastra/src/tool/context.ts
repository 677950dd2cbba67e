import type { RequestContext } from '@mastra/core/request-context';

/**
 * What Mastra gives to a tool beside its input, as far as this adapter reads it. An agent nests its part, a
 * workflow step too; an AI SDK tool and the native hooks get it flat.
 */
export interface CallContext {
  readonly requestContext?: RequestContext;
  readonly agent?: AgentPart;
  readonly workflow?: WorkflowPart;
  readonly toolCallId?: string;
  readonly messages?: object;
  readonly abortSignal?: AbortSignal;
  readonly writer?: object;
  background?: Background;
  outputWriter?: Write;
  suspend?: Suspend;
}

/** What a tool that runs in the background hands over, to be its result when it is done. */
export interface Operation {
  readonly completion: unknown;
  readonly cancel?: ((reason?: unknown) => unknown) | undefined;
}

/** How a tool that runs in the background hands an operation over. */
export interface Background {
  adopt(operation: Operation): void;
}

/** Puts a chunk into the stream of a run. */
export type Write = (chunk: unknown) => unknown;

type Suspend = (payload: unknown, options?: unknown) => unknown;

interface AgentPart {
  readonly agentId?: string;
  readonly toolCallId?: string;
  readonly messages?: object;
  readonly threadId?: string;
  outputWriter?: Write;
  suspend?: Suspend;
}

interface WorkflowPart {
  readonly runId?: string;
  readonly suspend?: Suspend;
}

/** What a native hook is given beside the input, which Mastra's types leave open. */
export function contextOf(given: unknown): CallContext | undefined {
  return typeof given === 'object' && given !== null ? given : undefined;
}

/** The model's id of the call, where there is one. */
export function callIdOf(context: CallContext | undefined): string | undefined {
  return context?.agent?.toolCallId ?? context?.toolCallId;
}

/** The object that Mastra's native hooks and the tool of one call share, also after a resume. */
export function sharedObject(context: CallContext | undefined): object | undefined {
  return context?.agent?.messages ?? context?.messages ?? context;
}

/**
 * The context with a `suspend` that tells when the tool pauses. What an agent gives belongs to this very call and is
 * changed in place, because Mastra recognises the context object of a call whose input it has validated.
 */
export function watchSuspend(context: CallContext | undefined, paused: () => void): CallContext | undefined {
  const watch =
    (suspend: Suspend): Suspend =>
    (payload, options) => {
      paused();
      return suspend(payload, options);
    };
  if (context?.suspend !== undefined) context.suspend = watch(context.suspend);
  else if (context?.agent?.suspend !== undefined) context.agent.suspend = watch(context.agent.suspend);
  else if (context?.workflow?.suspend !== undefined)
    return { ...context, workflow: { ...context.workflow, suspend: watch(context.workflow.suspend) } };
  return context;
}
