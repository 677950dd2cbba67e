import { DIALECTS } from '@hooks/config/protocol';
import {
  type Agent,
  type AgentEvent,
  described,
  eventsIn,
  newCallId,
  type Outcome,
  type Reply,
  readEvent,
  separatedBy,
  unknownEvent,
} from './agent.ts';
import type { Capabilities } from './carries.ts';
import { settle } from './decisions.ts';
import { fromJson, refuseUnreadable, textOf } from './text.ts';

const capabilities: Capabilities = {
  title: 'Copilot',
  carries: {
    call: {
      block: 'yes',
      'block, stop': 'in part',
      'modify.input': 'yes',
      'modify.toolName': 'refused',
      'modify.execute': 'refused',
      'modify.context': 'yes',
      'require approval': 'yes',
      'grant approval': 'yes',
    },
    approval: { block: 'yes', 'block, stop': 'yes', 'modify.input': 'refused', 'grant approval': 'yes' },
    result: {
      block: 'yes',
      'block, stop': 'in part',
      'modify.output': 'yes',
      'modify.context': 'yes',
      retry: 'refused',
    },
    // Copilot shows the model the text of a failed call, whatever hooks of `postToolUseFailure` answer.
    'failed result': {
      block: 'no',
      'block, stop': 'no',
      'modify.errorMessage': 'no',
      'modify.context': 'yes',
      retry: 'left out',
    },
    prompt: { block: 'yes', 'block, stop': 'yes', 'modify.prompt': 'yes', 'modify.context': 'yes' },
    start: { 'modify.context': 'yes' },
    stop: { block: 'yes', retry: 'yes' },
    compaction: { block: 'left out', 'modify.summary': 'left out', 'modify.context': 'left out' },
  },
};

/** `server-tool`. Its own tools have no hyphen. */
const describe = separatedBy('-');

/**
 * Copilot's CLI. It sends an event in one of two forms, by the case of the event's name in its settings: `preToolUse` has no
 * name and fields as `toolName`, `PreToolUse` has a name and fields as `tool_name`. Tried with 1.0.102.
 */
export const copilot: Agent = {
  ...capabilities,
  events: eventsIn(DIALECTS.copilot),
  // Its own timeout is 30 seconds unless `timeoutSec` says otherwise, and then it runs the tool.
  limit: 25,
  describe,
  read,
  write,
};

type Fields = Readonly<Record<string, unknown>>;

/** The names in the other case that differ in more than their first letter. */
const RENAMED: Readonly<Record<string, string>> = {
  UserPromptSubmit: 'userPromptSubmitted',
  Stop: 'agentStop',
};

/** The fields of a call in each of the two forms. */
const CAMEL: readonly string[] = ['toolName', 'toolArgs', 'toolInput', 'toolResult'];
const SNAKE: readonly string[] = ['tool_name', 'tool_input', 'tool_result'];

function read(json: unknown): AgentEvent | string | undefined {
  const given: Fields = Object(json);
  // Only one of the forms could be judged.
  const [camel, snake] = [CAMEL, SNAKE].map((fields) => fields.find((field) => given[field] !== undefined));
  if (camel !== undefined && snake !== undefined)
    throw new Error(`the event on stdin has both ${camel} and ${snake}`);
  const named = given['hook_event_name'];
  const name = typeof named === 'string' ? camelName(named) : nameByShape(given);
  if (name === undefined) {
    if (typeof named === 'string') return unknownEvent(capabilities.title, named);
    throw new Error('the event on stdin has the fields of no event of Copilot');
  }
  const event: Fields = { ...normalized(given), hook_event_name: name };
  if (name === 'preToolUse') refuseUnreadable(event['toolArgs']);
  if (name === 'permissionRequest') refuseUnreadable(event['toolInput']);
  return described(readEvent(DIALECTS.copilot, capabilities.title, event), describe);
}

function camelName(name: string): string | undefined {
  const camel = RENAMED[name] ?? `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
  return Object.hasOwn(DIALECTS.copilot.events, camel) ? camel : undefined;
}

/** The event of an object without a name. The order matters: later shapes are contained in earlier ones. */
function nameByShape(given: Fields): string | undefined {
  const has = (...fields: readonly string[]): boolean => fields.every((field) => Object.hasOwn(given, field));
  const shapes: readonly (readonly [name: string, isShape: boolean])[] = [
    ['permissionRequest', given['hookName'] === 'permissionRequest' || has('toolName', 'toolInput')],
    ['postToolUse', has('toolName', 'toolResult')],
    ['postToolUseFailure', has('toolName', 'error')],
    ['preToolUse', has('toolName', 'toolArgs')],
    ['userPromptTransformed', has('transformedPrompt')],
    ['userPromptSubmitted', has('prompt')],
    ['subagentStop', has('agentName', 'stopReason')],
    ['agentStop', has('stopReason')],
    ['subagentStart', has('agentName')],
    ['errorOccurred', has('error', 'errorContext')],
    ['preCompact', has('trigger')],
    ['sessionStart', has('source')],
    ['sessionEnd', has('reason')],
  ];
  return shapes.find(([, isShape]) => isShape)?.[0];
}

/** Both forms with the fields of the camelCase one. */
function normalized(given: Fields): Fields {
  const { tool_name, tool_input, tool_result, session_id } = given;
  const result = Object(given['toolResult'] ?? tool_result);
  const isPascal = tool_name !== undefined;
  return {
    ...given,
    ...(session_id !== undefined && { sessionId: session_id }),
    ...(isPascal && { toolName: tool_name }),
    // Copilot's documentation has JSON text here, and version 1.0.102 sends the object.
    toolArgs: fromJson(isPascal ? tool_input : given['toolArgs']),
    toolInput: fromJson(isPascal ? tool_input : given['toolInput']),
    ...(Object.keys(result).length > 0 && { output: result.textResultForLlm ?? result.text_result_for_llm }),
    tool_use_id: newCallId(),
  };
}

function write(event: AgentEvent, outcome: Outcome): Reply {
  const { block, retry, patch, warning } = settle(capabilities, event, outcome);
  const told = warning === undefined ? {} : { stderr: warning };
  const reason = block?.reason ?? retry;
  if (reason !== undefined) return { ...refuse(event, reason, block), ...told };
  const { input, output, approval: given, context = [], prompt } = patch;
  const approval = given?.kind === 'granted' && isOfUnknownServer(event) ? undefined : given;
  const stdout = {
    ...(approval && answerTo(event.name, approval.kind === 'granted' ? 'allow' : 'ask', approval.reason)),
    ...(input !== undefined && { modifiedArgs: input }),
    ...(output !== undefined && {
      modifiedResult: { resultType: 'success', textResultForLlm: textOf(output) },
    }),
    ...(prompt !== undefined && { [promptField(event.name)]: prompt }),
    ...(context.length > 0 && { additionalContext: context.join('\n\n') }),
  };
  return { ...told, exitCode: 0, ...(Object.keys(stdout).length > 0 && { stdout }) };
}

/** A hook that grants the tools of one server may have been meant by a tool of another. Then a person decides. */
function isOfUnknownServer({ data }: AgentEvent): boolean {
  const { kind, server } = Object(data.fields['tool']);
  return kind === 'mcp' && server === undefined;
}

function promptField(name: string): string {
  return name === 'userPromptTransformed' ? 'modifiedTransformedPrompt' : 'modifiedPrompt';
}

function answerTo(name: string, decision: 'allow' | 'ask' | 'deny', reason: string): object {
  return name === 'permissionRequest'
    ? { behavior: decision, message: reason }
    : { permissionDecision: decision, permissionDecisionReason: reason };
}

/** Exit code 2 refuses a call even where the answer is not read. Of a result or a prompt, it would only show the reason. */
function refuse({ name }: AgentEvent, reason: string, block: Outcome['block']): Reply {
  if (name === 'preToolUse') return { exitCode: 2, stdout: answerTo(name, 'deny', reason) };
  if (name === 'permissionRequest') {
    const stdout = { ...answerTo(name, 'deny', reason), ...(block?.stop && { interrupt: true }) };
    return { exitCode: 2, stdout };
  }
  // A block of a stop ends the run, which is what Copilot does without an answer. Its own "block" is one more turn.
  if (name === 'agentStop' && block) return { exitCode: 0, stderr: reason };
  return { exitCode: 0, stdout: { decision: 'block', reason } };
}
