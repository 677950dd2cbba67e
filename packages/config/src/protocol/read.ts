import type { Dialect, HookOutput, Taken, WireEvent } from '../dialects/dialect.ts';
import { messageOf } from '../error-message.ts';
import { type Answer, type Failure, type HookResult, isFailure } from './answer.ts';
import { wireEventOf } from './stdin.ts';

/** Reads a hook's answer from its output, for a dialect and an event. */
export function readOutput(dialect: Dialect, wireEvent: string, output: HookOutput): HookResult {
  const result = read(dialect, wireEvent, output);
  const { maxText } = dialect;
  return maxText === undefined || isFailure(result) ? result : shortened(result, maxText);
}

/** Shortens texts for people and models, but not the parts of a call. */
function shortened({ reason, context, messages, ...rest }: Answer, max: number): Answer {
  const cut = (text: string): string =>
    text.length > max ? `${text.slice(0, max)}… (${text.length - max} characters left out)` : text;
  return {
    ...rest,
    ...(reason !== undefined && { reason: cut(reason) }),
    ...(context && { context: context.map(cut) }),
    ...(messages && { messages: messages.map(cut) }),
  };
}

function read(dialect: Dialect, wireEvent: string, output: HookOutput): HookResult {
  const row = wireEventOf(dialect, wireEvent);
  const printed = printedBy(dialect, wireEvent, output.stdout);
  const refuses = output.exitCode === 2 && row.exit2 !== 'ignored';

  if (refuses && row.exit2 !== undefined) return remark(row, row.exit2, output, printed);
  if (refuses && row.takes.includes('deny')) return refusal(row, output, printed);
  if (output.exitCode !== 0 && !(dialect.jsonOutranksExitCode && printed.kind === 'answer' && !refuses)) {
    return exitFailure(output);
  }
  switch (printed.kind) {
    case 'nothing':
      return {};
    case 'answer':
      return answerTo(wireEvent, row, printed.answer);
    case 'text':
      if (decides(row) && looksLikeAnswer(printed.text, row)) return { failed: notJson };
      return row.takes.includes('text') ? { context: [printed.text] } : {};
    case 'broken':
      return { failed: printed.why };
    default:
      return printed satisfies never;
  }
}

/** Drops fields that the event does not take, and gives a refusal the event's form. */
function keepTaken(row: WireEvent, answer: Answer): Answer {
  const takes = (what: Taken): boolean => row.takes.includes(what);
  const kept: Answer = {
    ...(answer.stop && takes('stop') && { stop: true }),
    ...(answer.input && takes('input') && { input: answer.input }),
    ...(answer.toolName !== undefined && takes('toolName') && { toolName: answer.toolName }),
    ...(answer.output && takes('output') && { output: answer.output }),
    ...(answer.route && takes('route') && { route: answer.route }),
    ...(answer.prompt !== undefined && takes('prompt') && { prompt: answer.prompt }),
    ...(answer.summary && takes('summary') && { summary: answer.summary }),
    ...(answer.retry !== undefined && takes('retry') && { retry: answer.retry }),
    ...(answer.context && takes('context') && { context: answer.context }),
    ...(answer.patch && takes('patch') && { patch: answer.patch }),
    ...(answer.messages && { messages: answer.messages }),
    ...(answer.reason && { reason: answer.reason }),
  };
  const { permission } = answer;
  const asks = permission === 'ask' && takes('ask');
  if (permission === undefined || !(asks || takes(permission === 'deny' ? 'deny' : 'approval'))) return kept;
  if (permission === 'deny' && row.refusal === 'context') {
    return { ...kept, context: [...(kept.context ?? []), answer.reason ?? noReason] };
  }
  return { ...kept, permission, ...(permission === 'deny' && row.refusal === 'stops' && { stop: true }) };
}

/** Keeps what the event takes, and tells the user of a refusal that it does not take. */
export function answerTo(wireEvent: string, row: WireEvent, answer: Answer): Answer {
  const ignored = [
    ...(answer.permission === 'deny' && !row.takes.includes('deny') ? ['decision'] : []),
    ...(answer.stop && !row.takes.includes('stop') ? ['continue'] : []),
  ].map((field) => `A ${wireEvent} hook answered ${field}, which has no effect here.`);
  const messages = [...new Set([...(answer.messages ?? []), ...ignored])];
  return keepTaken(row, messages.length === 0 ? answer : { ...answer, messages });
}

/** Whether an unreadable answer may have been a refusal or a redaction. */
function decides({ takes }: WireEvent): boolean {
  return takes.includes('deny') || takes.includes('stop') || takes.includes('output');
}

/** Incomplete JSON, or JSON after other text. If text is context, a line may well begin with a brace. */
function looksLikeAnswer(text: string, row: WireEvent): boolean {
  return row.takes.includes('text') ? text.startsWith('{') : /^\s*\{/m.test(text) || ANSWER.test(text);
}

/** Finds JSON after an unfinished line. The event, which some hooks print, has none of these fields. */
const ANSWER = /\{\s*"(?:decision|continue|hook_?specific_?output|permission_?decision)"/i;

const notJson = 'it printed something that looks like an answer but is not JSON';
const noReason = 'blocked by a hook that gave no reason';

type Printed =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'broken'; readonly why: string };

/** Output that begins with a brace and parses is JSON; anything else is plain text. */
function printedBy(dialect: Dialect, wireEvent: string, stdout: string): Printed {
  const text = stdout.trim();
  if (text === '') return { kind: 'nothing' };
  if (!text.startsWith('{')) return { kind: 'text', text };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { kind: 'text', text };
  }
  try {
    return { kind: 'answer', answer: dialect.readOutput(json, wireEvent) };
  } catch (error) {
    return {
      kind: 'broken',
      why: `its answer is not valid in the dialect ${dialect.name}: ${messageOf(error)}`,
    };
  }
}

/** Exit code 2: the answer on stdout cannot lift the refusal, but its reason and messages count. */
function refusal(row: WireEvent, output: HookOutput, printed: Printed): Answer {
  const said = printed.kind === 'answer' ? printed.answer : {};
  const plain = printed.kind === 'text' ? printed.text : '';
  const saidWhy = said.permission === 'allow' || said.permission === 'ask' ? undefined : said.reason;
  const reason = saidWhy ?? (output.stderr.trim() || plain || noReason);
  return keepTaken(row, {
    permission: 'deny',
    reason,
    ...(said.stop && { stop: true }),
    ...(said.context && { context: said.context }),
    ...(said.messages && { messages: said.messages }),
  });
}

/** Exit code 2 on an event that cannot be refused: stderr is still reported. */
function remark(row: WireEvent, told: 'context' | 'messages', output: HookOutput, printed: Printed): Answer {
  const said = printed.kind === 'answer' ? printed.answer : {};
  const stderr = output.stderr.trim();
  return keepTaken(row, stderr === '' ? said : { ...said, [told]: [...(said[told] ?? []), stderr] });
}

function exitFailure({ exitCode, stderr }: HookOutput): Failure {
  const known = exitCode === 126 ? ' (not executable)' : exitCode === 127 ? ' (command not found)' : '';
  const detail = stderr.trim();
  return { failed: `it ended with exit code ${exitCode}${known}`, ...(detail && { detail }) };
}
