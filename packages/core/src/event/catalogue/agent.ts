import type { EventPayload, EventToken } from '../event.ts';
import { makeEvent } from '../token.ts';
import { AgentEvent } from './groups.ts';

/**
 * A sub-agent or agent-as-tool starts. Fires in the parent's session.
 *
 * Can only be observed.
 */
export interface SubagentStart extends EventPayload {
  /** The sub-agent's name; `agent` is the parent's. */
  readonly subagent: string;
  /** The sub-agent's own session. */
  readonly subagentSession?: string;
}
export const SubagentStart: EventToken<SubagentStart> = /* @__PURE__ */ makeEvent<SubagentStart>()({
  type: 'subagent_start',
  extends: AgentEvent,
});

/**
 * A sub-agent or agent-as-tool ended. Fires in the parent's session.
 *
 * Can only be observed.
 */
export interface SubagentStop extends EventPayload {
  readonly subagent: string;
  readonly subagentSession?: string;
  /** Its final text. */
  readonly response: string;
  readonly lastUserMessage?: string;
}
export const SubagentStop: EventToken<SubagentStop> = /* @__PURE__ */ makeEvent<SubagentStop>()({
  type: 'subagent_stop',
  extends: AgentEvent,
});

/** A model that an agent uses. */
export interface AgentModel {
  readonly provider?: string;
  readonly model: string;
}

/**
 * Control passes to another agent.
 *
 * Can only be observed.
 */
export interface AgentSwitch extends EventPayload {
  readonly from: string;
  readonly to: string;
  readonly switchKind: 'transfer_task' | 'transfer_task_return' | 'handoff';
  /** The departing agent's models, for example to unload them. */
  readonly models: readonly AgentModel[];
}
export const AgentSwitch: EventToken<AgentSwitch> = /* @__PURE__ */ makeEvent<AgentSwitch>()({
  type: 'agent_switch',
  extends: AgentEvent,
});

/**
 * The agent reports an error or a warning to its user.
 *
 * Can only be observed.
 */
export interface Notification extends EventPayload {
  readonly level: 'error' | 'warning';
  readonly message: string;
}
export const Notification: EventToken<Notification> = /* @__PURE__ */ makeEvent<Notification>()({
  type: 'notification',
  extends: AgentEvent,
});

/**
 * An error in a turn. A {@link Notification} fires, too.
 *
 * Can only be observed.
 */
export interface AgentError extends EventPayload {
  readonly error: unknown;
  readonly message: string;
}
export const AgentError: EventToken<AgentError> = /* @__PURE__ */ makeEvent<AgentError>()({
  type: 'agent_error',
  extends: AgentEvent,
});

/**
 * The limit of iterations is reached. A {@link Notification} fires, too.
 *
 * Can only be observed.
 */
export interface MaxIterations extends EventPayload {
  readonly maxIterations: number;
  readonly message: string;
}
export const MaxIterations: EventToken<MaxIterations> = /* @__PURE__ */ makeEvent<MaxIterations>()({
  type: 'max_iterations',
  extends: AgentEvent,
});
