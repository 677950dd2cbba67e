import * as z from 'zod';
import { whyNoFolder, whyNoStore } from '../builtins/store.ts';
import type { Handler, HandlerCommon } from '../entry.ts';
import type { Path } from './document.ts';
import type { FileReader } from './reader.ts';
import { misspelt, suggest } from './suggest.ts';

/** Default timeout of a hook, in seconds. */
const DEFAULT_TIMEOUT_SECONDS = 60;

/** Seconds in a file. */
export const seconds: z.ZodNumber = z
  .number()
  .positive()
  .max(24 * 60 * 60);

/** A text that the system takes: of a command, a folder or a file. */
export const systemText: z.ZodString = z.string().regex(/^[^\0]*$/, 'it must not contain a NUL character');

/** A line for the shell, or a program. Not blank: a blank line succeeds, which would open every gate. */
export const commandText: z.ZodString = systemText.regex(/\S/, 'expected a command');

/** The path of a folder. */
export const folderText: z.ZodString = pathText(whyNoFolder);

/** The path of a store in a file. */
export const storeText: z.ZodString = pathText(whyNoStore);

function pathText(whyNot: (path: string) => string | undefined): z.ZodString {
  return z.string().superRefine((path, context) => {
    const message = whyNot(path);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });
}

const NO_VARIABLE = 'expected the name of an environment variable, such as AGENT_USER';

/** The name of an environment variable. A file never holds the value. */
export const variableName: z.ZodString = z.string(NO_VARIABLE).regex(/^[A-Za-z_]\w*$/, NO_VARIABLE);

/** Those that Node's client sets itself or refuses. */
const OF_CLIENT = new Set(['content-length', 'expect', 'keep-alive', 'transfer-encoding', 'upgrade']);

/** Headers of a request, whose values may have variables. */
export const headers: z.ZodType<Record<string, string>> = z
  .record(
    z
      .string()
      .regex(/^[\w!#$%&'*+.^`|~-]+$/, 'expected the name of a header')
      .refine((name) => !OF_CLIENT.has(name.toLowerCase()), 'a header that hooks cannot set'),
    z.string(),
  )
  .superRefine((given, context) => {
    const names = Object.keys(given).map((name) => name.toLowerCase());
    for (const [index, value] of Object.values(given).entries()) {
      const wrong = (message: string): void =>
        context.addIssue({ code: 'custom', message: `header ${index + 1} ${message}` });
      if (!/^[\t -~\x80-\xff]*$/.test(value.replaceAll(/^[\t\n\r ]+|[\t\n\r ]+$/g, '')))
        wrong('has characters that cannot be sent, such as a line break');
      if (names.indexOf(names[index] ?? '') !== index) wrong('is given twice');
    }
  });

/** The address of an HTTP hook or a model. */
export const address: z.ZodURL = z
  .url({ protocol: /^https?$/, error: 'expected an http or https address' })
  .refine(
    (url) => !/^\w+:\/\/[^/?#]*@/.test(url),
    'an address must not contain a user or password; send them in a header',
  );

/** Environment variables in a file. Numbers and booleans become text. */
export const environment: z.ZodType<Record<string, string>> = z.record(
  z.string().regex(/^[^=\0]+$/, 'expected the name of a variable'),
  z
    .union([z.string(), z.number().transform(String), z.boolean().transform(String)], 'expected text')
    .refine((text) => !text.includes('\0'), 'a variable must not contain a NUL character'),
);

/** The effect of a failed hook. */
export const onError: z.ZodType<'warn' | 'ignore' | 'block'> = z.enum(['warn', 'ignore', 'block']);

/** A hook type of a dialect: its fields, and the handler made from them. */
export interface HookType {
  readonly schema: z.ZodType;
  readonly read: (value: unknown, reader: FileReader, path: Path) => ReadHook | undefined;
}

/** A parsed hook, without its event and matcher. */
export interface ReadHook {
  readonly handler: Handler;
  readonly label: string;
  readonly name?: string;
}

/** Makes a hook type from its schema and a function that makes the handler. */
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

/**
 * Reads a hook. Its `type` selects the schema, so an error names the wrong field instead of every type that does not
 * fit.
 */
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
      typeof type === 'string'
        ? `unknown hook type ${JSON.stringify(type)}; ${suggest(type, known)}`
        : `expected one of: ${known.join(', ')}`,
    );
    return undefined;
  }
  refuseIgnored(found.schema, map, reader, path);
  return found.read({ ...map, type }, reader, path);
}

/** Whether a field is for people, and no program reads it. */
export function isForPeople(field: string): boolean {
  return /^(?:[$_#]|\/\/|x-|(?:comment|description|statusMessage)$)/.test(field);
}

/** Fields that have an effect in some dialect. */
const EFFECTIVE: ReadonlySet<string> = new Set([
  ...['matcher', 'match', 'on_error', 'failClosed', 'onFailure', 'if', 'working_dir', 'cwd', 'env', 'args'],
  ...['timeout', 'timeoutSec', 'loop_limit', 'async', 'asyncRewake', 'agents', 'except_agents', 'sequential'],
  ...['strict_output', 'preempt_yolo', 'shell', 'allowedEnvVars', 'allowed_env_vars'],
]);

/** Rejects fields that have an effect in another place or another dialect, and reports the others that the schema ignores. */
export function refuseIgnored(
  schema: z.ZodType,
  value: Readonly<Record<string, unknown>>,
  reader: FileReader,
  path: Path,
): void {
  // A strict schema reports them itself, and a loose one belongs to a hook that always fails.
  if (!(schema instanceof z.ZodObject) || schema.def.catchall !== undefined) return;
  const known = Object.keys(schema.shape);
  for (const field of Object.keys(value)) {
    if (known.includes(field) || isForPeople(field)) continue;
    const expected = known.filter((one) => one !== 'type').join(', ');
    if (EFFECTIVE.has(field))
      reader.issue([...path, field], `it would have no effect here; expected one of: ${expected}`, 'key');
    else reader.ignored([...path, field], 'unknown field', suggest(field, known));
  }
}

/** Rejects misspelt names among the settings of another program, of which only some count here. */
export function refuseMisspelt(
  known: readonly string[],
  value: Readonly<Record<string, unknown>>,
  reader: FileReader,
  path: Path,
): void {
  for (const key of Object.keys(value)) {
    const meant = known.includes(key) ? undefined : misspelt(key, known);
    if (meant !== undefined) reader.issue([...path, key], `unknown field; did you mean "${meant}"?`, 'key');
  }
}

/** The common fields of handlers, from those of the file. */
export function common(value: {
  readonly timeout?: number | undefined;
  readonly on_error?: HandlerCommon['onError'] | undefined;
}): HandlerCommon {
  return {
    timeoutMs: (value.timeout ?? DEFAULT_TIMEOUT_SECONDS) * 1000,
    ...(value.on_error && { onError: value.on_error }),
  };
}

/** An address as a label, without a password or query. */
export function placeOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

/** A command as a label: its first line, shortened. */
export function shortly(text: string): string {
  const [line = ''] = text.trim().split('\n');
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
