import { DIALECTS, readStdin } from '@hooks/config/protocol';
import {
  type Agent,
  type AgentEvent,
  cannot,
  eventsOf,
  isGate,
  type Outcome,
  type Patch,
  type Reply,
} from './agent.ts';

/** ai4j: a refusal is exit code 2, a change `{"decision": "modify"}`; it cannot ask, so a required approval refuses. */
export const ai4j: Agent = {
  read: (json) => {
    const { wireEvent: name, event: data } = readStdin(DIALECTS.ai4j, json);
    return { name, data, as: eventsOf(data.type), gate: isGate(data.type) };
  },
  write,
};

const can: Readonly<Record<string, readonly (keyof Patch)[]>> = {
  preToolUse: ['input', 'approval'],
  userPromptSubmit: ['prompt'],
};

function write({ name, data, gate }: AgentEvent, outcome: Outcome): Reply {
  const impossible = cannot('ai4j', outcome, can[name] ?? []);
  const { approval, input, prompt } = outcome.patch;
  const asks = approval?.kind === 'required' ? approval.reason : undefined;
  const reason = outcome.block?.reason ?? outcome.retry ?? asks ?? (gate ? impossible : undefined);
  if (reason !== undefined) return { exitCode: gate ? 2 : 0, stderr: reason };
  if (prompt !== undefined) return { exitCode: 0, stdout: { decision: 'modify', input: prompt } };
  if (input === undefined) return { exitCode: 0 };
  const call = { name: data.fields['toolName'], arguments: JSON.stringify(input) };
  return { exitCode: 0, stdout: { decision: 'modify', ...call } };
}
