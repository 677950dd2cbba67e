import { expandNames } from '../../protocol/tool-names.ts';
import type { Dialect } from '../dialect.ts';
import { anchored } from '../matcher.ts';
import { hooksEvents } from './events.ts';
import { readHooksOutput } from './output.ts';

/** Our own `hooks.yaml`. */
export const hooks: Dialect = {
  name: 'hooks',
  events: hooksEvents,
  neverFire: [],
  stdin: (event, wireEvent, fields) => ({
    session_id: event.sessionId,
    cwd: event.cwd,
    hook_event_name: wireEvent,
    agent_name: event.fields['agent'],
    principal: event.fields['principal'],
    ...fields,
  }),
  matches: (matcher, name) => anchored(expandNames(matcher), name),
  readOutput: readHooksOutput,
  jsonOutranksExitCode: false,
  sequential: false,
  // Tools keep the names and arguments of the agent that calls them.
  tools: { families: {}, mcp: (server, tool) => `mcp__${server}__${tool}`, keepsNames: true },
  alwaysClosed: () => false,
  originalFailure: (event) => (closing.has(event) ? 'block' : 'proceed'),
  env: (own) => own,
};

const closing = new Set([
  'before_tool_call',
  'user_prompt_submit',
  'before_run',
  'before_model_call',
  'after_model_call',
  'transform_tool_result',
  'after_tool_call',
]);
