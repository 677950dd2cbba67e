import type { ModelMessage } from '@hooks/core';
import { joinParts, ResultNames, spreadParts, spreadText } from '@hooks/core/adapter';
import { isStored, type Metadata, withoutIds } from './metadata.ts';

/** A message of a prompt, as far as all versions of the protocol agree. */
export interface PromptMessage {
  readonly role: ModelMessage['role'];
  readonly content: string | readonly PromptPart[];
  readonly providerOptions?: Metadata | undefined;
}

interface PromptPart {
  readonly type: string;
  readonly text?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly providerExecuted?: boolean | undefined;
  readonly output?: unknown;
  readonly providerOptions?: Metadata | undefined;
}

/** The output in a tool's result. */
interface Output {
  readonly type: string;
  readonly value?: unknown;
  readonly reason?: string;
}

/** The changes of hooks to a prompt. */
export interface ChangedPrompt {
  readonly instructions?: string | undefined;
  readonly messages?: readonly ModelMessage[] | undefined;
  readonly context?: readonly string[];
}

/** The system messages of a prompt, as hooks see them. */
export function instructionsOf(prompt: readonly PromptMessage[]): string {
  return systemTexts(prompt).join(PARAGRAPH);
}

/**
 * The messages of a prompt, as hooks see them. The results of parallel calls are separate messages, so that hooks can
 * change each.
 */
export function messagesOf(prompt: readonly PromptMessage[]): ModelMessage[] {
  const names = new ResultNames();
  return prompt.flatMap((message) => {
    const { role, content } = message;
    if (role === 'system') return [];
    if (role !== 'tool' || typeof content === 'string') {
      const called = partsOf(message).flatMap(({ type, toolCallId: callId, toolName, providerExecuted }) =>
        type === 'tool-call' && callId !== undefined && toolName !== undefined
          ? [{ callId, toolName, providerExecuted }]
          : [],
      );
      names.called(called);
      // The result of what a provider runs is a part of the answer.
      const calls = called.flatMap(({ callId, toolName, providerExecuted }) =>
        providerExecuted === true ? [] : [{ callId, toolName }],
      );
      return [{ ...messageOf(message), ...(calls.length > 0 && { calls }) }];
    }
    return content.map((part) => {
      const one = { ...message, content: [part] };
      wholeOf.set(one, message);
      return { ...messageOf(one), ...names.of(part.toolCallId, part.toolName) };
    });
  });
}

/**
 * A prompt as hooks left it. What they did not change stays: untouched messages, and in a changed message the parts,
 * options and metadata beside the changed text.
 */
export function changedPrompt<M extends PromptMessage>(
  prompt: readonly M[],
  { instructions, messages, context = [] }: ChangedPrompt,
): M[] {
  const told = instructions === undefined ? prompt : withInstructions(prompt, instructions);
  const behind = told.findIndex(({ role }) => role !== 'system');
  const at = behind === -1 ? told.length : behind;
  // Some providers accept system messages only at the beginning.
  const changed = [
    ...told.slice(0, at),
    ...context.map(systemMessage),
    ...(messages === undefined ? told.slice(at) : withMessages(told.slice(at), messages)),
  ];
  return changed as M[]; // these are the forms that every version has
}

const PARAGRAPH = '\n\n';
const LINE = '\n';

/** The message that a single result was taken out of. */
const wholeOf: WeakMap<PromptMessage, PromptMessage> = new WeakMap();

function systemTexts(prompt: readonly PromptMessage[]): string[] {
  return prompt.flatMap(({ role, content }) =>
    role === 'system' && typeof content === 'string' && content !== '' ? [content] : [],
  );
}

function systemMessage(content: string): PromptMessage {
  return { role: 'system', content };
}

function withInstructions(prompt: readonly PromptMessage[], instructions: string): readonly PromptMessage[] {
  const texts = systemTexts(prompt);
  if (texts.length === 0) return [systemMessage(instructions), ...prompt];
  const left = [...spreadText(texts, PARAGRAPH, instructions)];
  return prompt.flatMap((message) => {
    if (message.role !== 'system' || message.content === '') return [message];
    const content = left.shift();
    if (content === message.content) return [message];
    return content === undefined ? [] : [{ ...message, content }];
  });
}

/** The messages that hooks gave, with the system messages among them where they were. */
function withMessages(
  prompt: readonly PromptMessage[],
  messages: readonly ModelMessage[],
): readonly PromptMessage[] {
  const systems = [...prompt.entries()].filter(([, { role }]) => role === 'system');
  const written: Written[] = [];
  for (const message of messages) {
    const native = nativeOf(message);
    const original = native && (wholeOf.get(native) ?? native);
    const at = original === undefined ? -1 : prompt.indexOf(original);
    const ahead = systems.filter(([index]) => index < at);
    for (const [, system] of systems.splice(0, ahead.length)) written.push({ message: system });
    written.push({ message: writtenMessage(message, native), ...(original && { original }) });
  }
  for (const [, system] of systems) written.push({ message: system });
  return joined(written);
}

interface Written {
  readonly message: PromptMessage;
  /** The message of the prompt that it comes from. */
  readonly original?: PromptMessage;
}

/** Puts the results of one message together again. */
function joined(written: readonly Written[]): readonly PromptMessage[] {
  const messages: PromptMessage[] = [];
  let last: PromptMessage | undefined;
  for (const { message, original } of written) {
    const before = messages.at(-1);
    const isNext = message.role === 'tool' && original !== undefined && original === last;
    last = original;
    if (!isNext || before === undefined) {
      messages.push(message);
      continue;
    }
    messages.splice(-1, 1, { ...before, content: [...partsOf(before), ...partsOf(message)] });
  }
  return messages;
}

function partsOf({ content }: PromptMessage): readonly PromptPart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

function messageOf(native: PromptMessage): ModelMessage {
  return { role: native.role, text: textOf(native), native };
}

function textOf({ content }: PromptMessage): string {
  return typeof content === 'string' ? content : joinParts(content, LINE, { textOf: partText });
}

function partText({ type, text = '', output }: PromptPart): string {
  if (type === 'text') return text;
  return type === 'tool-result' && isOutput(output) ? outputText(output) : '';
}

function outputText({ type, value, reason = '' }: Output): string {
  if (value === undefined) return reason;
  if (type === 'content' && Array.isArray(value)) return textOf({ role: 'tool', content: value });
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The message of the framework that a hook's message stands for. */
function nativeOf({ role, native }: ModelMessage): PromptMessage | undefined {
  return isMessage(native) && native.role === role ? native : undefined;
}

function writtenMessage(
  { role, text, callId, toolName }: ModelMessage,
  native: PromptMessage | undefined,
): PromptMessage {
  if (native !== undefined) return textOf(native) === text ? native : withText(native, text);
  if (role === 'system') return systemMessage(text);
  if (role === 'tool' && callId !== undefined && toolName !== undefined) {
    const output = { type: 'text', value: text };
    return { role, content: [{ type: 'tool-result', toolCallId: callId, toolName, output }] };
  }
  // A result of no call would be refused by providers.
  return { role: role === 'assistant' ? role : 'user', content: [{ type: 'text', text }] };
}

function withText<M extends PromptMessage>(message: M, text: string): M {
  const { content } = message;
  if (typeof content === 'string') return { ...message, content: text };
  const changed = withTextParts(content, text, message.role);
  const written = message.role === 'assistant' ? changed.flatMap(withoutStored) : changed;
  return { ...message, content: written.length > 0 ? written : [{ type: 'text', text }] };
}

/** A part of an answer that is no longer the one that the provider has stored. */
function withoutStored(part: PromptPart): readonly PromptPart[] {
  const { providerOptions } = part;
  if (providerOptions === undefined || !isStored(providerOptions)) return [part];
  return part.type.startsWith('reasoning') ? [] : [{ ...part, providerOptions: withoutIds(providerOptions) }];
}

/** The parts with another text. Parts whose text is untouched, and those without text, stay. */
function withTextParts(
  parts: readonly PromptPart[],
  text: string,
  role: PromptMessage['role'],
): readonly PromptPart[] {
  if (parts.every((part) => partText(part) === '')) return withNewText(parts, text, role);
  return spreadParts(parts, text, LINE, {
    textOf: partText,
    write: (written, part = { type: 'text' }) =>
      part.type === 'tool-result' ? withOutput(part, written) : { ...part, text: written },
    stays: ({ type }) => type === 'tool-result',
  });
}

/** A message without text gets one: a result in its output, others in front, but behind the model's reasoning. */
function withNewText(
  parts: readonly PromptPart[],
  text: string,
  role: PromptMessage['role'],
): readonly PromptPart[] {
  if (role === 'tool')
    return parts.map((part) => (part.type === 'tool-result' ? withOutput(part, text) : part));
  const at = parts.findIndex(({ type }) => !type.startsWith('reasoning'));
  return parts.toSpliced(at === -1 ? parts.length : at, 0, { type: 'text', text });
}

function withOutput(part: PromptPart, text: string): PromptPart {
  return isOutput(part.output) ? { ...part, output: writtenOutput(part.output, text) } : part;
}

function writtenOutput(output: Output, text: string): Output {
  const { type, value } = output;
  if (type === 'execution-denied') return { ...output, reason: text };
  if (type === 'content' && Array.isArray(value))
    return { ...output, value: withTextParts(value, text, 'user') };
  if (typeof value === 'string') return { ...output, value: text };
  const changed = parsedJson(text);
  return changed === undefined
    ? { ...output, type: type.startsWith('error') ? 'error-text' : 'text', value: text }
    : { ...output, value: changed };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isOutput(value: unknown): value is Output {
  return typeof value === 'object' && value !== null && 'type' in value;
}

function isMessage(value: unknown): value is PromptMessage {
  return typeof value === 'object' && value !== null && 'role' in value && 'content' in value;
}
