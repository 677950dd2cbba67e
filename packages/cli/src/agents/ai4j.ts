import { readFileSync } from 'node:fs';
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
    const { wireEvent: name, event } = readStdin(DIALECTS.ai4j, json);
    const { session_id: id, sessionId = id } = Object(json);
    const says = typeof sessionId === 'string';
    const data = says ? event : { ...event, sessionId: `ai4j-${processGroup()}` };
    return { name, data, as: eventsOf(data.type), gate: isGate(data.type) };
  },
  write,
};

/**
 * Identifies the program in which the agent runs: its process group, which the hooks that it starts are in too. ai4j names no session
 * with its calls and prompts, and two programs must not share a budget.
 */
function processGroup(): string {
  const group = statOf('self')?.[2] ?? ps('pgid', process.pid);
  if (group === undefined)
    throw new Error('ai4j names no session, and the process group of the agent cannot be read here');
  // A later group may have the same number. The process that began it may have ended, as a script that starts a server does.
  const began = statOf(group)?.[19] ?? ps('lstart', group);
  return began === undefined ? group : `${group}-${began}`;
}

/** The fields of a process on Linux, from its state on. */
function statOf(pid: string): readonly string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in front of it may have blanks and parentheses.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/** A column of `ps`, where there is no `/proc`. */
function ps(column: string, pid: string | number): string | undefined {
  try {
    const args = ['-o', `${column}=`, '-p', String(pid)];
    // Every agent's hook would load it with an import.
    const { execFileSync } = process.getBuiltinModule('node:child_process');
    return execFileSync('/bin/ps', args, { encoding: 'utf8', stdio: 'pipe' }).trim() || undefined;
  } catch {
    return undefined;
  }
}

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
