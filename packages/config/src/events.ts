/** The `type` of an event that a file can hook, which is also its name in our own dialect. */
export type EventType =
  | 'session_start'
  | 'user_prompt_submit'
  | 'before_run'
  | 'turn_start'
  | 'before_model_call'
  | 'after_model_call'
  | 'before_tool_call'
  | 'permission_request'
  | 'tool_approval_decision'
  | 'transform_tool_result'
  | 'after_tool_call'
  | 'turn_end'
  | 'stop'
  | 'subagent_start'
  | 'subagent_stop'
  | 'agent_switch'
  | 'before_compaction'
  | 'after_compaction'
  | 'user_input_required'
  | 'notification'
  | 'agent_error'
  | 'max_iterations'
  | 'session_resume'
  | 'session_end';

/** The fields of an event as plain data: a payload of core's catalogue, and its context. */
export interface EventData {
  readonly type: EventType;
  readonly sessionId: string;
  readonly cwd: string;
  /** The payload's own fields, by core's names. */
  readonly fields: Readonly<Record<string, unknown>>;
}
