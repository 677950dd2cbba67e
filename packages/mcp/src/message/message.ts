import { isUtf8 } from 'node:buffer';
import { repeatedKey } from './repeated-key.ts';

/** A JSON object. */
export interface Fields {
  readonly [field: string]: unknown;
}

/** The id of a request. */
export type Id = string | number;

/** A JSON-RPC error, as a response carries it. */
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

/** A message, and the JSON text that it came as. One that has changed has no text yet. */
export interface Message {
  readonly json: RpcMessage;
  readonly raw?: Uint8Array | string | undefined;
  /** The id of the event that it came as, on a stream over HTTP. */
  readonly eventId?: string;
}

/** A message of our own. */
export function message(json: RpcMessage): Message {
  return { json: { jsonrpc: '2.0', ...json } };
}

/** What goes over the wire: the text that came, byte for byte, unless the message has changed. */
export function wireForm({ json, raw }: Message): Uint8Array | string {
  return raw ?? JSON.stringify(json);
}

/** Whether a value is a JSON object. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The names that mean something in a message; other parsers may know them in capitals, too. */
const RESERVED: ReadonlySet<string> = new Set(['id', 'method', 'params', 'result', 'error']);

/**
 * Reads a message. What another parser could read differently is refused, since hooks would judge one message and the
 * other side obey another.
 *
 * @throws SyntaxError that says what is wrong, and repeats nothing of the text
 */
export function parseMessage(raw: Uint8Array | string): Message {
  if (typeof raw !== 'string' && !isUtf8(raw)) throw new SyntaxError('it is not UTF-8');
  const text = typeof raw === 'string' ? raw : Buffer.from(raw.buffer, raw.byteOffset, raw.length).toString();
  const json = parse(text);
  if (Array.isArray(json))
    throw new SyntaxError('it is a batch, which MCP has given up: send messages one by one');
  if (!isRpcMessage(json)) throw new SyntaxError('it is no JSON-RPC message');
  const repeated = repeatedKey(text);
  if (repeated !== undefined) throw new SyntaxError('an object in it has the same key twice');
  return { json, raw };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SyntaxError('it is not JSON');
  }
}

function isRpcMessage(json: unknown): json is RpcMessage {
  if (!isFields(json)) return false;
  const { id, method, params, result, error } = json;
  const isResponse = method === undefined;
  return (
    (id === undefined ? !isResponse : isId(id) || (id === null && isResponse)) &&
    (isResponse ? (result === undefined) !== (error === undefined) : typeof method === 'string') &&
    [params, result, error].every((part) => part === undefined || isFields(part)) &&
    !Object.keys(json).some((key) => isDisguised(key, RESERVED))
  );
}

function isId(id: unknown): id is Id {
  return typeof id === 'string' || typeof id === 'number';
}

/** Whether a key is another spelling of one of these: Go's parser takes `Method`, and even `ſ` for `s`. */
export function isDisguised(key: string, names: ReadonlySet<string>): boolean {
  return !names.has(key) && names.has(key.toUpperCase().toLowerCase());
}

/** Ids `1` and `"1"` are two. */
export function keyOf(id: unknown): string {
  return JSON.stringify(id);
}

/** The version that a request of the modern era (2026-07-28) says it has. Such requests stand for themselves, without `initialize`. */
const VERSION = 'io.modelcontextprotocol/protocolVersion';

/** What the client says about itself in each request of the modern era. */
export const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';
export const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

/** The `_meta` of a request. */
export function metaOf(params: Fields | undefined): Fields {
  const meta = params?.['_meta'];
  return isFields(meta) ? meta : {};
}

/** Whether a request is one of the modern era. */
export function isModern({ params }: RpcMessage): boolean {
  return metaOf(params)[VERSION] !== undefined;
}

/** Codes of errors that a proxy answers with. */
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const PARSE_ERROR = -32700;
/** What the SDKs take for a server that cannot be reached; here also for what hooks refuse where a result cannot say so. */
export const SERVER_ERROR = -32000;

/** The answer that something failed. */
export function errorResponse(id: Id | null, code: number, text: string): Message {
  return message({ id, error: { code, message: text } });
}
