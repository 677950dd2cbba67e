import type { Dialect, HookOutput, Taken, WireEvent } from '../dialects/dialect.ts';
import { messageOf } from '../error-message.ts';
import { type Answer, type Failure, type HookResult, isFailure } from './answer.ts';
import { wireEventOf } from './stdin.ts';

/** What a hook that ended with this output has answered, in a dialect, on one of its events. */
export function readOutput(dialect: Dialect, wireEvent: string, output: HookOutput): HookResult {
  const result = read(dialect, wireEvent, output);
  const { maxText } = dialect;
  return maxText === undefined || isFailure(result) ? result : shortened(result, maxText);
}

/** What people and models read is cut off, what a call is made of is not. */
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
      return keepTaken(row, printed.answer);
    case 'text':
      if (decides(row) && looksLikeAnswer(printed.text, row)) return { failed: notJson };
      return row.takes.includes('text') ? { context: [printed.text] } : {};
    case 'broken':
      return { failed: printed.why };
    default:
      return printed satisfies never;
  }
}

/** Drops what the event does not take; a refusal takes the form that the event gives it. */
export function keepTaken(row: WireEvent, answer: Answer): Answer {
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

/** Whether an answer that could not be read might have been a refusal, or a result with something taken out. */
function decides({ takes }: WireEvent): boolean {
  return takes.includes('deny') || takes.includes('stop') || takes.includes('output');
}

/** Half a JSON, or JSON after other text. Where text is context, a line of it may well begin with a brace. */
function looksLikeAnswer(text: string, row: WireEvent): boolean {
  return row.takes.includes('text') ? text.startsWith('{') : /^\s*\{/m.test(text) || ANSWER.test(text);
}

/** Behind what was printed without an end of the line. The event, which some print, has none of these fields. */
const ANSWER = /\{\s*"(?:decision|continue|hook_?specific_?output|permission_?decision)"/i;

const notJson = 'it printed something that looks like an answer and is not JSON';
const noReason = 'blocked by a hook that gave no reason';

type Printed =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'broken'; readonly why: string };

/** Output is JSON if it begins with a brace and parses, and else plain text. */
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
    return { kind: 'broken', why: `its answer is not one of ${dialect.name}: ${messageOf(error)}` };
  }
}

/** Exit code 2: no answer can lift it, but its reason and its messages count. */
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

/** Exit code 2 where nothing can be refused: stderr is told all the same. */
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
