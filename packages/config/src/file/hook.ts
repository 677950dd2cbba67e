import * as z from 'zod';
import type { Handler, HandlerCommon } from '../entry.ts';
import type { Path } from './document.ts';
import { type FileReader, suggest } from './reader.ts';

/** Seconds until a hook has failed, where it does not say. */
const DEFAULT_TIMEOUT_SECONDS = 60;

/** Seconds in a file. */
export const seconds: z.ZodNumber = z
  .number()
  .positive()
  .max(24 * 60 * 60);

/** A line for the shell, or a program. One of blanks would pass every gate. */
export const commandText: z.ZodString = z.string().regex(/\S/, 'expected a command');

/** Where a hook is posted to, or a model asked. */
export const address: z.ZodURL = z
  .url({ protocol: /^https?$/, error: 'expected an http or https address' })
  .refine(
    (url) => !/^\w+:\/\/[^/?#]*@/.test(url),
    'an address holds no user or password; send them in a header',
  );

/** Environment variables in a file: numbers and booleans are taken for their text. */
export const environment: z.ZodType<Record<string, string>> = z.record(
  z.string().regex(/^[^=\0]+$/, 'expected the name of a variable'),
  z
    .union([z.string(), z.number().transform(String), z.boolean().transform(String)], 'expected text')
    .refine((text) => !text.includes('\0'), 'no variable holds a NUL'),
);

/** What becomes of a failed hook. */
export const onError: z.ZodType<'warn' | 'ignore' | 'block'> = z.enum(['warn', 'ignore', 'block']);

/** One hook type of a dialect: the fields that it has, and the handler that they make. */
export interface HookType {
  readonly schema: z.ZodType;
  readonly read: (value: unknown, reader: FileReader, path: Path) => ReadHook | undefined;
}

/** A hook as read, without its event and matcher. */
export interface ReadHook {
  readonly handler: Handler;
  readonly label: string;
}

/** A hook type from its schema and what makes a handler of it. */
export function hookType<Schema extends z.ZodType>(
  schema: Schema,
  make: (value: z.output<Schema>) => ReadHook,
): HookType {
  return {
    schema,
    read: (value, reader, path) => {
      const checked = reader.check(schema, value, path);
      return checked === undefined ? undefined : make(checked);
    },
  };
}

/** Reads one hook, whose `type` picks the schema: so an error names the field that is wrong, not all types that it is not. */
export function readHook(
  types: Readonly<Record<string, HookType>>,
  value: unknown,
  reader: FileReader,
  path: Path,
  defaultType?: string,
): ReadHook | undefined {
  const map = reader.map(value, path);
  if (!map) return undefined;
  const known = Object.keys(types);
  const { type = defaultType } = map;
  if (type === undefined) {
    reader.issue(path, `the hook has no type; expected one of: ${known.join(', ')}`);
    return undefined;
  }
  const found = Object.hasOwn(types, String(type)) ? types[String(type)] : undefined;
  if (!found) {
    reader.issue(
      [...path, 'type'],
      `unknown hook type ${JSON.stringify(type)}; ${suggest(String(type), known)}`,
    );
    return undefined;
  }
  return found.read({ ...map, type }, reader, path);
}

/** The fields that every handler has, from those of the file. */
export function common(value: {
  readonly timeout?: number | undefined;
  readonly on_error?: HandlerCommon['onError'] | undefined;
}): HandlerCommon {
  return {
    timeoutMs: (value.timeout ?? DEFAULT_TIMEOUT_SECONDS) * 1000,
    ...(value.on_error && { onError: value.on_error }),
  };
}

/** An address as a label, without what may be secret in it: a password, the query. */
export function placeOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

/** A command as a label: its first line, not too long. */
export function shortly(text: string): string {
  const [line = ''] = text.trim().split('\n');
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
