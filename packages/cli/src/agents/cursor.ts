import { DIALECTS } from '@hooks/config/protocol';
import type { ToolDescriptor } from '@hooks/core';
import {
  type Agent,
  type AgentEvent,
  eventName,
  eventsIn,
  newCallId,
  type Outcome,
  type Reply,
  readEvent,
} from './agent.ts';
import type { Capabilities } from './carries.ts';
import { settle } from './decisions.ts';
import { fromJson, refuseUnreadable, textOf } from './text.ts';

const capabilities: Capabilities = {
  title: 'Cursor',
  carries: {
    call: {
      block: 'yes',
      'block, stop': 'in part',
      'modify.input': 'yes',
      'modify.toolName': 'refused',
      'modify.execute': 'refused',
      'modify.context': 'left out',
      'require approval': 'yes',
      'grant approval': 'left out',
    },
    // Cursor shows the model a result, whatever hooks answer. The results of MCP tools are the exception, see below.
    result: {
      block: 'no',
      'block, stop': 'no',
      'modify.output': 'no',
      'modify.context': 'yes',
      retry: 'left out',
    },
    'failed result': {
      block: 'no',
      'block, stop': 'no',
      'modify.errorMessage': 'no',
      'modify.context': 'left out',
      retry: 'left out',
    },
    prompt: { block: 'yes', 'block, stop': 'yes', 'modify.prompt': 'refused', 'modify.context': 'left out' },
    start: { 'modify.context': 'yes' },
    stop: { block: 'yes', retry: 'yes' },
    compaction: { block: 'left out', 'modify.summary': 'left out', 'modify.context': 'left out' },
  },
};

/** Of an MCP tool, a hook of `postToolUse` replaces the result. */
const ofMcp: Capabilities = {
  ...capabilities,
  carries: {
    ...capabilities.carries,
    result: {
      block: 'yes',
      'block, stop': 'in part',
      'modify.output': 'yes',
      'modify.context': 'yes',
      retry: 'left out',
    },
  },
};

/** Cursor. It is an editor that cannot be run in a test, so this follows its documentation. */
export const cursor: Agent = {
  ...capabilities,
  events: eventsIn(DIALECTS.cursor),
  // Cursor's own timeout depends on the platform unless `timeout` says otherwise.
  limit: 25,
  read,
  write,
};

type Fields = Readonly<Record<string, unknown>>;

/** The decisions that only some of the events before a call accept. */
const LACKS: Readonly<Record<string, readonly string[]>> = {
  // Cursor takes "ask" here, and runs the tool.
  preToolUse: ['require approval'],
  beforeShellExecution: ['modify.input'],
  beforeMCPExecution: ['modify.input'],
  beforeReadFile: ['modify.input', 'require approval'],
  afterShellExecution: ['modify.context'],
  afterMCPExecution: ['modify.context'],
  afterFileEdit: ['modify.context'],
};

/** The field without which no rule could tell what an event is about. */
const NEEDS: Readonly<Record<string, string>> = {
  beforeShellExecution: 'command',
  beforeReadFile: 'file_path',
};

/** The call of events that do not have it in the fields of a tool. */
const CALLS: Readonly<Record<string, (given: Fields) => Fields>> = {
  beforeShellExecution: shellCall,
  afterShellExecution: shellCall,
  beforeMCPExecution: mcpCall,
  afterMCPExecution: mcpCall,
  beforeReadFile: (given) => ({ tool_name: 'Read', tool_input: { file_path: given['file_path'] } }),
  afterFileEdit: (given) => ({
    tool_name: 'Write',
    tool_input: { file_path: given['file_path'], edits: given['edits'] },
  }),
};

/** The events of Cursor's completion, and those of its agent as which they are judged. */
const OF_COMPLETION: ReadonlyMap<string, string> = new Map([
  ['beforeTabFileRead', 'beforeReadFile'],
  ['afterTabFileEdit', 'afterFileEdit'],
]);

function shellCall({ command, cwd }: Fields): Fields {
  return { tool_name: 'Shell', tool_input: { command, ...(cwd ? { working_directory: cwd } : {}) } };
}

function mcpCall({ tool_name, tool_input }: Fields): Fields {
  return {
    ...(typeof tool_name === 'string' && { tool_name: `MCP:${tool_name}` }),
    tool_input: fromJson(tool_input),
  };
}

function read(json: unknown): AgentEvent | string | undefined {
  const sent = eventName(json);
  const name = OF_COMPLETION.get(sent) ?? sent;
  const given: Fields = { ...Object(json), hook_event_name: name };
  const { conversation_id: sessionId, workspace_roots: roots } = given;
  const callIn = Object.hasOwn(CALLS, name) ? CALLS[name] : undefined;
  const call = { ...given, ...callIn?.(given) };
  const normal = {
    ...call,
    tool_input: fromJson(call['tool_input']),
    tool_use_id: given['tool_use_id'] ?? newCallId(),
    sessionId,
    cwd: given['cwd'] || (Array.isArray(roots) ? roots[0] : undefined),
    output: fromJson(given['tool_output'] ?? given['result_json'] ?? given['output']),
    ...(name === 'postToolUseFailure' && { error: given['error_message'] ?? 'it failed' }),
  };
  if (/^(?:preToolUse|beforeMCPExecution)$/.test(name)) refuseUnreadable(normal.tool_input);
  const event = readEvent(DIALECTS.cursor, capabilities.title, normal);
  if (typeof event !== 'object') return event;
  const { data } = event;
  const fields = name === 'stop' ? { ...data.fields, continuations: given['loop_count'] ?? 0 } : data.fields;
  return {
    ...event,
    data: { ...data, fields: { ...fields, ...(callIn && toolOf(name, normal)) } },
    lacks: LACKS[name] ?? [],
  };
}

/** What a call of the shell or an MCP server is, stands in fields of their own: no hook may miss it. */
function toolOf(name: string, call: Fields): Fields {
  const { tool_name: toolName, tool_input: input, tool_use_id: callId } = call;
  if (typeof toolName !== 'string') throw new Error(`${name} has no tool_name`);
  const needs = NEEDS[name];
  if (needs !== undefined && typeof call[needs] !== 'string' && !Array.isArray(call[needs]))
    throw new Error(`${name} has no ${needs}`);
  // Cursor does not say whose tool it is, so a rule about any server may mean it.
  const tool = { kind: 'mcp' } satisfies ToolDescriptor;
  return { callId, toolName, input, ...(toolName.startsWith('MCP:') && { tool }) };
}

function write(event: AgentEvent, outcome: Outcome): Reply {
  const isOfMcp = event.name === 'postToolUse' && String(event.data.fields['toolName']).startsWith('MCP:');
  const { block, retry, patch, warning } = settle(isOfMcp ? ofMcp : capabilities, event, outcome);
  const told = warning === undefined ? {} : { stderr: warning };
  const { input, output, approval, context = [] } = patch;
  const reason = block?.reason;
  if (reason !== undefined) return { exitCode: 0, ...refuse(event, reason, isOfMcp), ...told };
  const stdout = {
    ...(approval?.kind === 'required' && { permission: 'ask', user_message: approval.reason }),
    ...(input !== undefined && { permission: 'allow', updated_input: input }),
    ...(output !== undefined && { updated_mcp_tool_output: { result: textOf(output) } }),
    ...(context.length > 0 && { additional_context: context.join('\n\n') }),
    ...(retry !== undefined && { followup_message: retry }),
  };
  return { ...told, exitCode: 0, ...(Object.keys(stdout).length > 0 && { stdout }) };
}

/** Exit code 2 refuses, too, but Cursor would not read the reason. */
function refuse({ name, data }: AgentEvent, reason: string, isOfMcp: boolean): Partial<Reply> {
  if (data.type === 'before_tool_call')
    return { stdout: { permission: 'deny', user_message: reason, agent_message: reason } };
  if (name === 'beforeSubmitPrompt') return { stdout: { continue: false, user_message: reason } };
  if (isOfMcp) return { stdout: { updated_mcp_tool_output: { result: reason } } };
  return { stderr: reason };
}
