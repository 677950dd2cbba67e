import type { RequestContext } from '@mastra/core/request-context';

/**
 * What Mastra passes to a tool besides its input, as far as this adapter reads it. Agents and workflow steps nest
 * their part; AI SDK tools and the native hooks get it flat.
 */
export interface CallContext {
  readonly requestContext?: RequestContext;
  readonly agent?: AgentPart;
  readonly workflow?: WorkflowPart;
  readonly toolCallId?: string;
  readonly messages?: object;
  readonly abortSignal?: AbortSignal;
  readonly writer?: object;
  /** What the call is resumed with. */
  resumeData?: unknown;
  background?: Background;
  outputWriter?: Write;
  suspend?: Suspend;
}

/** An operation that a background tool hands over. Its result becomes the tool's result. */
export interface Operation {
  readonly completion: unknown;
  readonly cancel?: ((reason?: unknown) => unknown) | undefined;
}

/** How a background tool hands an operation over. */
export interface Background {
  adopt(operation: Operation): void;
}

/** Writes a chunk to the stream of a run. */
export type Write = (chunk: unknown) => unknown;

type Suspend = (payload: unknown, options?: unknown) => unknown;

interface AgentPart {
  readonly agentId?: string;
  readonly toolCallId?: string;
  readonly messages?: object;
  readonly threadId?: string;
  outputWriter?: Write;
  suspend?: Suspend;
  /** What the call is resumed with. */
  readonly resumeData?: unknown;
}

interface WorkflowPart {
  readonly runId?: string;
  readonly suspend?: Suspend;
}

/** The model's id of the call, if there is one. */
export function callIdOf(context: CallContext | undefined): string | undefined {
  return context?.agent?.toolCallId ?? context?.toolCallId;
}

/** The object that Mastra's native hooks and the tool of one call share, also after a resume. */
export function sharedObject(context: CallContext | undefined): object | undefined {
  return context?.agent?.messages ?? context?.messages ?? context;
}

/**
 * The context with a `suspend` that reports when the tool pauses. A context from an agent belongs to this call and is
 * changed in place, because Mastra identifies a call with validated input by its context object.
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
