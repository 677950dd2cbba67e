import type { IncomingHttpHeaders } from 'node:http';
import type { Message } from '../message/message.ts';

const PREFIX = 'mcp-param-';

/**
 * The first `Mcp-Param-*` header that says something else than the call's arguments: hooks see the arguments, and a server
 * may obey the header. A header repeats an argument as text. It has the argument's name, or another one that the tool's schema
 * gives it (`x-mcp-header`): then its value has to be that of any argument.
 */
export function deviatingParam({ json }: Message, headers: IncomingHttpHeaders): string | undefined {
  const repeating = Object.entries(headers).filter(([name]) => name.startsWith(PREFIX));
  if (repeating.length === 0) return undefined;
  const fields = json.method === 'tools/call' ? fieldsOf(json.params?.['arguments']) : [];
  return repeating.find(([name, value]) => {
    const own = fields.filter(([field]) => field.toLowerCase() === name.slice(PREFIX.length));
    const said = decoded(String(value));
    return !(own.length > 0 ? own : fields).some(([, text]) => text === said);
  })?.[0];
}

/** The texts, numbers and booleans in a value, as a header has them, each with the name of its field. */
function fieldsOf(value: unknown, name = ''): readonly (readonly [name: string, text: string])[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([field, inner]) => fieldsOf(inner, field));
  return value === null || value === undefined ? [] : [[name, String(value)]];
}

/** The text in a header of MCP, which is in base64 where it is not plain. */
function decoded(value: string): string {
  const [, base64] = /^=\?base64\?(.*)\?=$/.exec(value) ?? [];
  return base64 === undefined ? value : Buffer.from(base64, 'base64').toString();
}

/** The headers without those that repeat another argument than the call has, because a hook has changed it. */
export function withoutDeviatingParams(
  message: Message,
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name, value]) => deviatingParam(message, { [name.toLowerCase()]: value }) === undefined,
    ),
  );
}
