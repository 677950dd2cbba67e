import { DIALECTS, readStdin } from '@hooks/config/protocol';
import {
  type Agent,
  type AgentEvent,
  cannot,
  eventName,
  isGate,
  type Outcome,
  type Patch,
  passOver,
  type Reply,
} from './agent.ts';

/** docker-agent: its own transform event comes before post_tool_use, so each event is the one of ours. */
export const dockerAgent: Agent = {
  read: (json) => {
    const name = eventName(json);
    const { events, neverFire } = DIALECTS['docker-agent'];
    if (neverFire.includes(name)) return undefined;
    if (!Object.hasOwn(events, name)) return passOver('docker-agent', name);
    const { event: data } = readStdin(DIALECTS['docker-agent'], json);
    return { name, data, as: [data.type], gate: isGate(data.type) || data.type === 'permission_request' };
  },
  write,
};

const can: Readonly<Record<string, readonly (keyof Patch)[]>> = {
  pre_tool_use: ['input', 'approval'],
  permission_request: ['input', 'approval'],
  tool_response_transform: ['output', 'errorMessage'],
  post_tool_use: ['context'],
  session_start: ['context'],
  user_prompt_submit: ['context'],
  turn_start: ['context'],
  pre_compact: ['context'],
  before_compaction: ['summary'],
};

function write({ name, gate }: AgentEvent, outcome: Outcome): Reply {
  const impossible = cannot('docker-agent', outcome, can[name] ?? []);
  const block = outcome.block ?? (impossible && gate ? { reason: impossible, stop: false } : undefined);
  if (block) {
    const ends = block.stop ? { continue: false, stop_reason: block.reason } : {};
    return {
      exitCode: 2,
      stderr: block.reason,
      stdout: { ...ends, decision: 'block', reason: block.reason },
    };
  }
  const { input, approval, output, errorMessage, context, summary } = outcome.patch;
  const response = output ?? errorMessage;
  const specific = {
    ...(approval && {
      permission_decision: approval.kind === 'granted' ? 'allow' : 'ask',
      permission_decision_reason: approval.reason,
    }),
    ...(input !== undefined && { updated_input: input }),
    ...(response !== undefined && {
      updated_tool_response: typeof response === 'string' ? response : JSON.stringify(response),
    }),
    ...(context && context.length > 0 && { additional_context: context.join('\n\n') }),
    ...(summary !== undefined && { summary }),
  };
  if (Object.keys(specific).length === 0) return { exitCode: 0 };
  return { exitCode: 0, stdout: { hook_specific_output: { hook_event_name: name, ...specific } } };
}
