import { isUtf8 } from 'node:buffer';
import { repeatedKeys } from './repeated-keys.ts';

/** A JSON object. */
export interface Fields {
  readonly [field: string]: unknown;
}

/** The id of a request. */
export type Id = string | number;

/** The JSON-RPC error of a response. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** A JSON-RPC message of MCP: a request, a notification or a response. */
export interface RpcMessage extends Fields {
  readonly id?: Id | null;
  readonly method?: string;
  readonly params?: Fields;
  readonly result?: Fields;
  readonly error?: RpcError;
}

/** A message, and the JSON text that it was parsed from. A changed message has no text yet. */
export interface Message {
  readonly json: RpcMessage;
  readonly raw?: Uint8Array | string | undefined;
  /** The id of its event, in a stream over HTTP. */
  readonly eventId?: string;
}

/** Makes a message of the proxy. */
export function message(json: RpcMessage): Message {
  return { json: { jsonrpc: '2.0', ...json } };
}

/** A message of the other side, with nothing but what hooks saw of it, and for this request. */
export function seen(given: Message, id: Message['json']['id']): Message {
  const { jsonrpc: _, id: was, method, params, result, error, ...more } = given.json;
  if (id === was && Object.keys(more).length === 0) return given;
  const parts = Object.entries({ id, method, params, result, error }).filter(
    ([, part]) => part !== undefined,
  );
  return { ...given, ...message(Object.fromEntries(parts)), raw: undefined };
}

/** The text to send: the original byte for byte, unless the message has changed. */
export function wireForm({ json, raw }: Message): Uint8Array | string {
  return raw ?? JSON.stringify(json);
}

/** Whether a value is a JSON object. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Names with a meaning in a message. Other parsers may ignore their case. */
const RESERVED: ReadonlySet<string> = new Set(['id', 'method', 'params', 'result', 'error']);

/** A text that is no message, or that another parser could read as another message. */
export class UnreadableMessage extends Error {
  override readonly name = 'UnreadableMessage';
  readonly code: number;
  /** The ids of the requests in it. Each of them gets an error. */
  readonly requests: readonly Id[];
  /** The ids of the responses in it. Nothing else will answer their requests. */
  readonly responses: readonly Id[];

  constructor(problem: string, code: number, parts: readonly Fields[] = []) {
    super(problem);
    this.code = code;
    const ids = (of: readonly Fields[]): readonly Id[] =>
      of.flatMap(({ id, ...rest }) => (isId(id) && !Object.keys(rest).some(isDisguisedName) ? [id] : []));
    const isResponse = (part: Fields): boolean => 'result' in part || 'error' in part;
    this.requests = ids(parts.filter((part) => 'method' in part || !isResponse(part)));
    this.responses = ids(parts.filter(isResponse));
  }

  /** The errors for whoever sent it. The id is null where it cannot be told. */
  answers(text: string): readonly Message[] {
    return [...(this.requests.length > 0 ? this.requests : [null])].map((id) =>
      errorResponse(id, this.code, `${text}: ${this.message}.`),
    );
  }
}

/**
 * Parses a message. Rejects a message that another parser could read differently, because hooks would judge one message
 * and the other side would obey another.
 * @throws UnreadableMessage with the problem, and without any of the text
 */
export function parseMessage(raw: Uint8Array | string): Message {
  if (typeof raw !== 'string' && !isUtf8(raw)) throw new UnreadableMessage('it is not UTF-8', PARSE_ERROR);
  const text = typeof raw === 'string' ? raw : Buffer.from(raw.buffer, raw.byteOffset, raw.length).toString();
  const json = parse(text);
  const repeated = repeatedKeys(text);
  const parts = (Array.isArray(json) ? json : [json]).filter((part) => isFields(part) && !repeated.has('id'));
  const unreadable = (problem: string): never => {
    throw new UnreadableMessage(problem, INVALID_REQUEST, parts);
  };
  if (Array.isArray(json))
    return unreadable('it is a batch, which MCP no longer allows: send messages one by one');
  if (repeated.size > 0) return unreadable('an object in it has the same key twice');
  if (!isRpcMessage(json)) return unreadable('it is not a JSON-RPC message');
  return { json, raw };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadableMessage('it is not JSON', PARSE_ERROR);
  }
}

/** Whether this is a request, a notification or a response, and not two of them at once. */
export function isRpcMessage(json: unknown): json is RpcMessage {
  if (!isFields(json)) return false;
  const { jsonrpc, id, method, params, result, error } = json;
  const isResponse = method === undefined;
  return (
    jsonrpc === '2.0' &&
    (id === undefined ? !isResponse : isId(id) || (id === null && isResponse && error !== undefined)) &&
    (isResponse
      ? params === undefined && (result === undefined) !== (error === undefined)
      : typeof method === 'string' && result === undefined && error === undefined) &&
    [params, result, error].every((part) => part === undefined || isFields(part)) &&
    !Object.keys(json).some(isDisguisedName)
  );
}

function isDisguisedName(key: string): boolean {
  return isDisguised(key, RESERVED);
}

/** A number that JavaScript rounds could be the id of two requests. */
function isId(id: unknown): id is Id {
  return typeof id === 'string' || Number.isSafeInteger(id);
}

/** Whether a key is another spelling of one of these: Go's parser accepts `Method`, and even `ſ` for `s`. */
export function isDisguised(key: string, names: ReadonlySet<string>): boolean {
  return !names.has(key) && names.has(fold(key));
}

/** Whether an object has another spelling of one of these names as a key. */
export function hasDisguised(fields: Fields | undefined, names: ReadonlySet<string>): boolean {
  const folded = new Set([...names].map(fold));
  return Object.keys(fields ?? {}).some((key) => !names.has(key) && folded.has(fold(key)));
}

/** A text without its case, as parsers compare that ignore it. */
export function fold(text: string): string {
  return text.toUpperCase().toLowerCase();
}

/** The ids `1` and `"1"` differ. */
export function keyOf(id: unknown): string {
  return JSON.stringify(id);
}

/** The protocol version of a request in the modern protocol (2026-07-28). Such requests need no `initialize`. */
const VERSION = 'io.modelcontextprotocol/protocolVersion';

/** The client's self-description in each modern request. */
export const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';
export const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

/** The `_meta` of a request. */
export function metaOf(params: Fields | undefined): Fields {
  const meta = params?.['_meta'];
  return isFields(meta) ? meta : {};
}

/** Whether a request is of the modern protocol. */
export function isModern({ params }: RpcMessage): boolean {
  return metaOf(params)[VERSION] !== undefined;
}

/** Error codes of the proxy. */
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const PARSE_ERROR = -32700;
/** The code that SDKs use for an unreachable server. Also used for refusals where a result cannot express them. */
export const SERVER_ERROR = -32000;

/** The response for a failure. */
export function errorResponse(id: Id | null, code: number, text: string): Message {
  return message({ id, error: { code, message: text } });
}
