import { DIALECTS, readStdin } from '@hooks/config/protocol';
import {
  type Agent,
  type AgentEvent,
  eventsIn,
  eventsOf,
  isGate,
  type Outcome,
  type Reply,
} from './agent.ts';
import type { Capabilities } from './carries.ts';
import { settle } from './decisions.ts';

const capabilities: Capabilities = {
  title: 'ai4j',
  carries: {
    call: {
      block: 'yes',
      'block, stop': 'in part',
      'modify.input': 'yes',
      'modify.toolName': 'refused',
      'modify.execute': 'refused',
      'modify.context': 'left out',
      'require approval': 'refused',
      'grant approval': 'left out',
    },
    result: {
      block: 'yes',
      'block, stop': 'in part',
      'modify.output': 'refused',
      'modify.context': 'left out',
      retry: 'refused',
    },
    prompt: {
      block: 'yes',
      'block, stop': 'in part',
      'modify.prompt': 'yes',
      'modify.context': 'left out',
    },
    start: { 'modify.context': 'left out' },
    stop: { block: 'left out', retry: 'left out' },
    compaction: { block: 'left out', 'modify.summary': 'left out', 'modify.context': 'left out' },
  },
};

/** ai4j: exit code 2 refuses, and `{"decision": "modify"}` changes. It cannot ask, so a required approval refuses. */
export const ai4j: Agent = {
  ...capabilities,
  events: eventsIn(DIALECTS.ai4j),
  read: (json) => {
    const { wireEvent: name, event: data } = readStdin(DIALECTS.ai4j, json);
    return { name, data, as: eventsOf(data.type), gate: isGate(data.type) };
  },
  write,
};

function write(event: AgentEvent, outcome: Outcome): Reply {
  const { block, patch, warning } = settle(capabilities, event, outcome);
  const { input, prompt } = patch;
  if (block) return { exitCode: event.gate ? 2 : 0, stderr: block.reason };
  const told = warning === undefined ? {} : { stderr: warning };
  if (prompt !== undefined) return { ...told, exitCode: 0, stdout: { decision: 'modify', input: prompt } };
  if (input === undefined) return { ...told, exitCode: 0 };
  const call = { name: event.data.fields['toolName'], arguments: JSON.stringify(input) };
  return { ...told, exitCode: 0, stdout: { decision: 'modify', ...call } };
}
