import { DIALECTS, readStdin } from '@hooks/config/protocol';
import {
  type Agent,
  type AgentEvent,
  eventName,
  isGate,
  type Outcome,
  type Reply,
  unknownEvent,
} from './agent.ts';
import type { Capabilities } from './carries.ts';
import { settle } from './decisions.ts';
import { textOf } from './text.ts';

const capabilities: Capabilities = {
  title: 'docker-agent',
  carries: {
    call: {
      block: 'yes',
      'block, stop': 'yes',
      'modify.input': 'yes',
      'modify.toolName': 'refused',
      'modify.execute': 'refused',
      'modify.context': 'left out',
      'require approval': 'yes',
      'grant approval': 'yes',
    },
    approval: { block: 'yes', 'block, stop': 'yes', 'modify.input': 'yes', 'grant approval': 'yes' },
    result: {
      block: 'yes',
      'block, stop': 'yes',
      'modify.output': 'yes',
      'modify.context': 'yes',
      retry: 'left out',
    },
    'failed result': {
      block: 'yes',
      'block, stop': 'yes',
      'modify.errorMessage': 'yes',
      'modify.context': 'yes',
      retry: 'left out',
    },
    prompt: { block: 'yes', 'block, stop': 'yes', 'modify.prompt': 'refused', 'modify.context': 'yes' },
    start: { 'modify.context': 'yes' },
    turn: { 'modify.context': 'yes' },
    compaction: { block: 'yes', 'modify.summary': 'yes', 'modify.context': 'yes' },
  },
};

/** docker-agent. It has its own transform event before post_tool_use, so each event corresponds to one of ours. */
export const dockerAgent: Agent = {
  ...capabilities,
  events: new Set(Object.values(DIALECTS['docker-agent'].events).map(({ event }) => event)),
  read: (json) => {
    const name = eventName(json);
    const { events, neverFire } = DIALECTS['docker-agent'];
    if (neverFire.includes(name)) return undefined;
    if (!Object.hasOwn(events, name)) return unknownEvent('docker-agent', name);
    const { event: data } = readStdin(DIALECTS['docker-agent'], json);
    const gate = isGate(data.type) || data.type === 'permission_request';
    const reported = { ...data, fields: { ...data.fields, reportedAs: name } };
    return { name, data: reported, as: [data.type], gate, lacks: lacking[name] ?? [] };
  },
  write,
};

/** If two events belong to one moment, the decisions that each of them lacks. */
const lacking: Readonly<Record<string, readonly string[]>> = {
  tool_response_transform: ['modify.context'],
  post_tool_use: ['modify.output', 'modify.errorMessage'],
  pre_compact: ['modify.summary'],
  before_compaction: ['modify.context'],
};

function write(event: AgentEvent, outcome: Outcome): Reply {
  const { name } = event;
  const { block, patch, warning } = settle(capabilities, event, outcome);
  if (block) {
    const ends = block.stop ? { continue: false, stop_reason: block.reason } : {};
    return {
      exitCode: 2,
      stderr: block.reason,
      stdout: { ...ends, decision: 'block', reason: block.reason },
    };
  }
  const { input, approval, output, errorMessage, context, summary } = patch;
  const told = warning === undefined ? {} : { system_message: warning };
  const response = output ?? errorMessage;
  const specific = {
    ...(approval && {
      permission_decision: approval.kind === 'granted' ? 'allow' : 'ask',
      permission_decision_reason: approval.reason,
    }),
    ...(input !== undefined && { updated_input: input }),
    ...(response !== undefined && {
      updated_tool_response: textOf(response),
    }),
    ...(context && context.length > 0 && { additional_context: context.join('\n\n') }),
    ...(summary !== undefined && { summary }),
  };
  const hook_specific_output = { hook_event_name: name, ...specific };
  const stdout = { ...told, ...(Object.keys(specific).length > 0 && { hook_specific_output }) };
  return Object.keys(stdout).length === 0 ? { exitCode: 0 } : { exitCode: 0, stdout };
}
