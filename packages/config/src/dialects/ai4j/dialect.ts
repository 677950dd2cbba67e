import type { EventData } from '../../events.ts';
import type { Answer } from '../../protocol/answer.ts';
import type { Dialect } from '../dialect.ts';
import { exact } from '../matcher.ts';
import { checked, refuseMisplaced } from '../output.ts';
import { ai4jEvents } from './events.ts';

/** ai4j's workspace configuration. */
export const ai4j: Dialect = {
  name: 'ai4j',
  events: ai4jEvents,
  neverFire: [],
  stdin,
  matches: exact,
  readOutput,
  jsonOutranksExitCode: false,
  sequential: true,
  tools: {
    families: {
      shell: { name: 'bash', fields: { command: 'command' } },
      read: { name: 'read_file', fields: { path: 'path' } },
      write: { name: 'write_file', fields: { path: 'path', content: 'content' } },
    },
    mcp: (server, tool) => `mcp__${server}__${tool}`,
  },
  alwaysClosed: () => false,
  originalFailure: () => 'proceed',
  env: (own) => own,
};

/** The call; `{ call, output }` after it; `{ input }` for a prompt. Arguments are JSON text. */
function stdin(_: EventData, wireEvent: string, fields: Readonly<Record<string, unknown>>): unknown {
  const call = {
    callId: fields['tool_use_id'],
    name: fields['tool_name'],
    arguments: JSON.stringify(fields['tool_input'] ?? {}),
  };
  if (wireEvent === 'preToolUse') return call;
  if (wireEvent === 'postToolUse') return { call, output: fields['output'] };
  return fields;
}

/** ai4j itself only reads `modify`, and blocks by exit code 2. Here `decision: block` blocks as well. */
function readOutput(json: unknown): Answer {
  refuseMisplaced(output, json);
  const { decision } = checked({ decision: 'string' }, json);
  if (decision === 'block') {
    const { reason } = checked({ reason: 'string' }, json);
    return { permission: 'deny', ...(reason && { reason }) };
  }
  if (decision !== 'modify') return {};
  const said = checked({ name: 'string', arguments: 'string', input: 'string' }, json);
  return {
    ...(said.name !== undefined && { toolName: said.name }),
    ...(said.arguments !== undefined && { input: argumentsOf(said.arguments) }),
    ...(said.input !== undefined && { prompt: said.input }),
  };
}

const output = { decision: 'any', reason: 'any', name: 'any', arguments: 'any', input: 'any' } as const;

/** @throws Error without any of the text, which may hold a secret */
export function argumentsOf(text: string): Record<string, unknown> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Error('arguments: expected a JSON object as text');
  }
  return { ...checked({ arguments: 'record' }, { arguments: json }).arguments };
}
