// Names from OpenTelemetry's GenAI semantic conventions if there are any, else our own under `hooks.`. Copied here,
// because the conventions' package marks its GenAI names as incubating, and these may change in any version.

/** The conventions' name of a tool execution, and the prefix of its span's name. */
export const EXECUTE_TOOL = 'execute_tool';

export const GEN_AI = {
  operation: 'gen_ai.operation.name',
  agent: 'gen_ai.agent.name',
  conversation: 'gen_ai.conversation.id',
  tool: 'gen_ai.tool.name',
  toolType: 'gen_ai.tool.type',
  callId: 'gen_ai.tool.call.id',
} as const;

/** The user, as in the conventions. */
export const END_USER = 'enduser.id';

export const HOOKS = {
  event: 'hooks.event',
  decision: 'hooks.decision',
  hook: 'hooks.hook',
  verb: 'hooks.verb',
  reason: 'hooks.reason',
  errorCode: 'hooks.error.code',
  status: 'hooks.tool.status',
  ran: 'hooks.tool.ran',
  attempt: 'hooks.tool.attempt',
} as const;
