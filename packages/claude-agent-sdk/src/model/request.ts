import type { ModelMessage, ModelSettings } from '@hooks/core';
import type { ModelRequest, Prepared } from '@hooks/core/adapter';
import {
  changedPrompt,
  instructionsOf,
  messagesOf,
  type PromptMessage,
  toolsOf,
} from '@hooks/language-model';
import { isRecord } from '../sdk.ts';

/*
 * A request of the Messages API, and what hooks make of it. What is not read here passes as it is: cache marks, signatures
 * of thinking, images, tools of the server, blocks that are newer than this package.
 */

/** A block of a message. */
export interface Block {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The body of a request, as far as this package reads it. */
export interface RequestBody {
  readonly model?: unknown;
  readonly system?: string | readonly Block[];
  readonly messages: readonly Message[];
  readonly tools?: readonly Tool[];
  readonly tool_choice?: { readonly type?: unknown; readonly name?: unknown };
  readonly temperature?: number;
  readonly max_tokens?: number;
  readonly thinking?: { readonly type?: unknown; readonly budget_tokens?: number };
  readonly context_management?: { readonly edits?: readonly Block[] };
  readonly output_config?: object;
  readonly stream?: boolean;
}

interface Message {
  readonly role: 'user' | 'assistant' | 'system';
  readonly content: string | readonly Block[];
}

interface Tool {
  readonly name: string;
  readonly description?: string;
}

/** A message in the form that adapters share, with where it comes from: the place of its message in the body. */
interface Piece extends PromptMessage {
  readonly content: string | readonly Part[];
  /** Undefined for instructions, and for messages of hooks. */
  readonly at?: number;
  /** The block of an instruction. */
  readonly block?: Block;
  /** Whether it is Claude Code's own words, which hooks see as those of the system. */
  readonly isReminder?: boolean;
}

interface Part {
  readonly type: string;
  readonly text?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly input?: unknown;
  readonly output?: { readonly type: string; readonly value?: unknown };
  /** The block that it was made of, and the output that was made of that. */
  readonly block?: Block;
  readonly original?: unknown;
  /** The field of the block around it that it was made of. */
  readonly field?: Field;
}

/** A field of a document or a search result that a model reads. The body is all of its content. */
type Field = 'title' | 'context' | 'source' | 'body';

/** A request that hooks let through, with their changes. */
export type Send = Extract<Prepared, { readonly kind: 'send' }>;

/** Whether a value has everything that this package reads of a request. */
export function isRequestBody(value: unknown): value is RequestBody {
  if (!isRecord(value) || !Array.isArray(value['messages'])) return false;
  const { system = [], tools = [], messages } = value;
  const hasBlocks = (content: unknown) =>
    typeof content === 'string' || (Array.isArray(content) && content.every(isBlock));
  return (
    hasBlocks(system) &&
    Array.isArray(tools) &&
    tools.every(isRecord) &&
    messages.every((message) => isRecord(message) && hasBlocks(message['content']))
  );
}

/** A request, as hooks see it. */
export function requestOf(body: RequestBody): ModelRequest {
  const prompt = promptOf(body);
  return {
    instructions: instructionsOf(prompt),
    messages: messagesOf(prompt).map((one) => (isReminder(one) ? { ...one, role: 'system' } : one)),
    tools: toolsOf(body.tools ?? []),
    settings: { temperature: body.temperature, maxTokens: body.max_tokens },
    native: body,
  };
}

/** The request as hooks left it, with their context in a reminder at its end. */
export function changedBody(body: RequestBody, { patch, context }: Send): RequestBody {
  const { instructions, tools, settings } = patch;
  const messages = patch.messages?.map((one) => (isReminder(one) ? { ...one, role: 'user' as const } : one));
  let changed = body;
  if (instructions !== undefined || messages !== undefined)
    changed = withPrompt(body, changedPrompt(promptOf(body), { instructions, messages }));
  if (context.length > 0) changed = withReminder(changed, context);
  if (tools !== undefined) changed = withTools(changed, tools);
  return settings === undefined ? changed : withSettings(changed, settings);
}

/** The request with context from hooks at its end: what is in front of it may come from the API's cache. */
export function withReminder(body: RequestBody, context: readonly string[]): RequestBody {
  const { messages } = body;
  const added = reminder(context.join('\n\n'));
  const last = messages.at(-1);
  if (last?.role !== 'user') return { ...body, messages: [...messages, added] };
  const own = typeof last.content === 'string' ? [{ type: 'text', text: last.content }] : last.content;
  return { ...body, messages: [...messages.slice(0, -1), { ...last, content: [...own, ...added.content] }] };
}

/** A system message among the others, in the words in which Claude Code adds the context of callbacks. */
function reminder(context: string): Message & { readonly content: readonly Block[] } {
  const text = `<system-reminder>\nhook additional context: ${context}\n</system-reminder>`;
  return { role: 'user', content: [{ type: 'text', text }] };
}

/** The pieces of each request: hooks get the same objects that their messages are compared with later. */
const prompts: WeakMap<RequestBody, readonly Piece[]> = new WeakMap();

function promptOf(body: RequestBody): readonly Piece[] {
  const known = prompts.get(body) ?? readPrompt(body);
  prompts.set(body, known);
  return known;
}

function readPrompt({ system = [], messages }: RequestBody): Piece[] {
  const blocks = typeof system === 'string' ? [{ type: 'text', text: system }] : system;
  const instructions = blocks.filter(isInstruction).map((block): Piece => {
    return { role: 'system', content: String(block['text']), block };
  });
  return [...instructions, ...messages.flatMap(piecesOf)];
}

/** Whether a block of the system prompt is one that a model reads. Claude Code's first one is a header. */
function isInstruction({ type, text }: Block): boolean {
  return type === 'text' && typeof text === 'string' && !isHeader(text);
}

/** Whether a text is the header that Claude Code puts in front of the system prompt, and has nobody's words. */
export function isHeader(text: string): boolean {
  return HEADER.test(text);
}

const HEADER =
  /^x-anthropic-billing-header: cc_version=\d{1,3}\.\d{1,3}\.\d{1,3}\.[\da-f]{3}; cc_entrypoint=(?:cli|sdk-(?:cli|py|ts));(?: cch=[\da-f]{5};)?$/;

/** A message, with the results and the reminders in it as messages of their own. */
function piecesOf({ role, content }: Message, at: number): Piece[] {
  if (typeof content === 'string') return [{ ...kindOf(role), content, at }];
  const pieces: (Piece & { readonly content: Part[] })[] = [];
  for (const part of content.map(partOf)) {
    const kind = kindOf(role, part);
    const last = pieces.at(-1);
    if (last?.role === kind.role && last.isReminder === kind.isReminder) last.content.push(part);
    else pieces.push({ ...kind, content: [part], at });
  }
  return pieces;
}

/** Whose words a part of a message is. */
function kindOf(role: Message['role'], part?: Part): Pick<Piece, 'role' | 'isReminder'> {
  if (part?.block?.type === 'tool_result') return { role: 'tool', isReminder: false };
  if (role === 'assistant') return { role, isReminder: false };
  return { role: 'user', isReminder: role === 'system' || isReminderText(part?.text ?? '') };
}

/** Whether a text is nothing but a reminder of Claude Code. */
function isReminderText(text: string): boolean {
  const [start, end] = ['<system-reminder>', '</system-reminder>'];
  const trimmed = text.trim();
  return trimmed.startsWith(start) && trimmed.indexOf(end) === trimmed.length - end.length;
}

function isReminder({ native }: ModelMessage): boolean {
  return isRecord(native) && native['isReminder'] === true;
}

function partOf(block: Block): Part {
  const { type, text, id, name, input, tool_use_id: resultOf, content = '' } = block;
  switch (type) {
    case 'text':
      return { type, text: String(text), block };
    case 'tool_use':
      return { type: 'tool-call', toolCallId: String(id), toolName: String(name), input, block };
    case 'tool_result': {
      const isText = typeof content === 'string' || !Array.isArray(content);
      const output = isText
        ? { type: 'text', value: String(content) }
        : { type: 'content', value: content.filter(isBlock).map(partOf) };
      return { type: 'tool-result', toolCallId: String(resultOf), output, original: output, block };
    }
    case 'document':
    case 'search_result': {
      // It has texts in it, as a result has.
      const output = { type: 'content', value: fieldsOf(block) };
      return { type: 'tool-result', output, original: output, block };
    }
    default:
      // The text of thinking is signed, and that of other blocks unknown.
      return { type: type === 'thinking' || type === 'redacted_thinking' ? 'reasoning' : 'other', block };
  }
}

/** The texts of a document or a search result. A body that is no text, a PDF for example, is like an image. */
function fieldsOf(block: Block): Part[] {
  const heads = (['title', 'context', 'source'] as const).flatMap((field) => partIn(field, block[field]));
  const body = bodyOf(block);
  return [...heads, ...(Array.isArray(body) ? body : [body]).flatMap((one) => partIn('body', one))];
}

function partIn(field: Field, value: unknown): Part[] {
  if (typeof value === 'string') return [{ type: 'text', text: value, field }];
  return field === 'body' && isBlock(value) ? [{ ...partOf(value), field }] : [];
}

/** The texts of a document, or of a search result: one, or blocks. */
function bodyOf({ type, source, content }: Block): unknown {
  if (type === 'search_result') return content;
  if (!isRecord(source)) return undefined;
  return source['type'] === 'text'
    ? source['data']
    : source['type'] === 'content'
      ? source['content']
      : undefined;
}

/** A document or a search result with the texts that hooks left. One without a body is no more than the texts. */
function withFields(block: Block, parts: readonly Part[]): Block[] {
  const body = parts.filter(({ field = 'body' }) => field === 'body');
  const before = bodyOf(block);
  const written =
    typeof before === 'string' ? body.map(({ text = '' }) => text).join('\n') : body.flatMap(blocksOf);
  if (before !== undefined && written.length === 0)
    return parts.flatMap(({ text = '' }) => (text === '' ? [] : [{ type: 'text', text }]));
  const gone = block.type === 'document' ? null : '';
  const heads = (['title', 'context', 'source'] as const)
    .filter((field) => typeof block[field] === 'string')
    .map((field) => [field, parts.find((one) => one.field === field)?.text ?? gone]);
  return [{ ...block, ...Object.fromEntries(heads), ...bodyFields(block, written) }];
}

/** The fields in which a body stands. */
function bodyFields({ type, source }: Block, content: string | readonly Block[]): object {
  if (type === 'search_result') return { content };
  if (!isRecord(source)) return {};
  if (source['type'] === 'text') return { source: { ...source, data: content } };
  return source['type'] === 'content' ? { source: { ...source, content } } : {};
}

function withPrompt(body: RequestBody, prompt: readonly Piece[]): RequestBody {
  const first = prompt.findIndex(({ role }) => role !== 'system');
  const leading = prompt.slice(0, first === -1 ? prompt.length : first);
  const headers = typeof body.system === 'string' ? [] : (body.system ?? []);
  const system = [
    ...headers.filter((block) => !isInstruction(block)),
    ...leading.map(({ content, block }) => {
      const text = String(content);
      return block?.['text'] === text ? block : { ...block, type: 'text', text };
    }),
  ];
  const messages: Message[] = [];
  let last: number | undefined;
  for (const piece of prompt.slice(leading.length)) {
    const message = messageOf(piece, body);
    const before = messages.at(-1);
    const isNext = piece.at !== undefined && piece.at === last && typeof before?.content === 'object';
    last = piece.at;
    if (!isNext || typeof message.content === 'string') messages.push(message);
    else messages.splice(-1, 1, { ...before, content: [...before.content, ...message.content] } as Message);
  }
  return { ...body, system, messages };
}

function messageOf({ role, content, at = -1 }: Piece, body: RequestBody): Message {
  if (role === 'system') return reminder(String(content));
  const own = body.messages[at]?.role ?? (role === 'tool' ? 'user' : role);
  return { role: own, content: typeof content === 'string' ? content : content.flatMap(blocksOf) };
}

function blocksOf({ type, text = '', output, toolCallId, block, original }: Part): Block[] {
  if (type === 'text') return [block?.['text'] === text ? block : { ...withoutCitations(block), type, text }];
  if (type !== 'tool-result' || (block !== undefined && output === original)) return [block ?? { type }];
  const value = output?.value;
  const parts: readonly Part[] | undefined = Array.isArray(value) ? value : undefined;
  if (block !== undefined && block.type !== 'tool_result') return withFields(block, parts ?? []);
  const content = parts?.flatMap(blocksOf) ?? String(value ?? '');
  return [{ type: 'tool_result', tool_use_id: toolCallId, ...block, content }];
}

/** A block without its citations, which are about the original text. */
function withoutCitations({ citations: _, ...block }: Partial<Block> = {}): object {
  return block;
}

function withTools(body: RequestBody, changed: NonNullable<Send['patch']['tools']>): RequestBody {
  const { tool_choice: choice, tools = [], ...rest } = body;
  const kept = tools.flatMap((tool): Tool[] => {
    const own = changed.find(({ name }) => name === tool.name);
    if (own === undefined) return [];
    const { description = tool.description } = own;
    return [description === tool.description ? tool : { ...tool, description: String(description) }];
  });
  // The API refuses a choice of a tool that is not in the list.
  const mayChoose = choice?.type === 'tool' ? kept.some(({ name }) => name === choice.name) : kept.length > 0;
  return { ...rest, tools: kept, ...(choice && mayChoose && { tool_choice: choice }) };
}

/** How many tokens a model may think, where a request has a budget and not an effort. */
const BUDGETS = { low: 4096, medium: 12_288, high: 31_999 } as const;

function withSettings(body: RequestBody, settings: ModelSettings): RequestBody {
  const { temperature, maxTokens, reasoningEffort } = settings;
  const set = {
    ...body,
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
  };
  return withThinking(set, reasoningEffort);
}

function withThinking(body: RequestBody, effort: ModelSettings['reasoningEffort']): RequestBody {
  const { thinking, max_tokens: max = Infinity } = body;
  if (effort === 'off') return withoutThinking(body);
  if (thinking?.budget_tokens === undefined)
    return effort === undefined ? body : { ...body, output_config: { ...body.output_config, effort } };
  const wanted = effort === undefined ? thinking.budget_tokens : BUDGETS[effort];
  // The API wants a budget of at least 1,024 tokens, and less than the answer may have.
  const budget_tokens = Math.min(wanted, max - 1);
  return budget_tokens < 1024 ? withoutThinking(body) : { ...body, thinking: { ...thinking, budget_tokens } };
}

function withoutThinking({ context_management: management, ...body }: RequestBody): RequestBody {
  const edits = management?.edits?.filter(({ type }) => !type.startsWith('clear_thinking')) ?? [];
  const kept = edits.length > 0 && { context_management: { ...management, edits } };
  return { ...body, ...kept, thinking: { type: 'disabled' } };
}

function isBlock(value: unknown): value is Block {
  return isRecord(value) && typeof value['type'] === 'string';
}
