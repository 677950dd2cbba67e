import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type HookProvider, HooksError } from '@hooks/core';
import type { Builtin, BuiltinOptions } from '../builtins/builtin.ts';
import { GUARDS } from '../builtins/guards.ts';
import { inNamesOfFiles } from '../builtins/names-of-files.ts';
import type { BuiltinHandler, HookEntry, ModuleHandler, Origin, PartHandler } from '../entry.ts';
import { messageOf } from '../error-message.ts';
import { formatIssue } from '../file/error.ts';
import { importModule } from '../import-module.ts';
import { PARTS } from '../parts/all.ts';
import type { Part } from '../parts/part.ts';
import { unrecorded } from '../parts/unrecorded.ts';
import { missingEvents, unlisted, whyForgotten, whyIdle } from './idle.ts';
import type { NativeHooks } from './native.ts';
import { hookKey, whyContradicting } from './same-hook.ts';

/**
 * The providers for a file's built-ins and modules. Each is created once per list of arguments.
 * @throws HooksError `CONFIG_INVALID` with the position in the file
 */
export async function resolveNatives(
  entries: readonly HookEntry[],
  cwd: string,
  options: Making,
): Promise<readonly NativeHooks[]> {
  const [missing] = missingEvents(entries);
  if (missing) throw wrong(missing.entry.origin, missing.message);
  const natives = new Map<string, Resolved>();
  try {
    for (const entry of entries) await resolveNative(entry, cwd, options, natives);
    for (const native of natives.values()) checkEvents(native, entries);
  } catch (error) {
    await closeParts([...natives.values()]);
    throw error;
  }
  return [...natives.values()];
}

interface Resolved extends NativeHooks {
  readonly entries: HookEntry[];
}

async function resolveNative(
  entry: HookEntry,
  cwd: string,
  options: Making,
  natives: Map<string, Resolved>,
): Promise<void> {
  const { handler, origin } = entry;
  if (handler.type !== 'builtin' && handler.type !== 'part' && handler.type !== 'module') return;
  const isOwn = handler.type === 'builtin' && Object.hasOwn(options.builtins ?? {}, handler.name);
  const forgotten = options.counters === undefined || isOwn ? undefined : whyForgotten(entry);
  if (forgotten !== undefined) throw wrong(origin, forgotten);
  const key = hookKey(handler);
  const native: Resolved = natives.get(key) ?? {
    provider:
      handler.type === 'module'
        ? await moduleAt(handler, origin, cwd)
        : await builtinAt(handler, origin, cwd, options),
    entries: [],
  };
  natives.set(key, native);
  native.entries.push(entry);
}

/** Every entry needs an effect, and a module has to stand under every event on which it decides. */
function checkEvents({ provider, entries: own }: NativeHooks, entries: readonly HookEntry[]): void {
  for (const entry of own) {
    const contradiction = whyContradicting(entry, own);
    if (contradiction !== undefined) throw wrong(entry.origin, contradiction);
    const idle = whyIdle(provider, entry, own);
    if (idle !== undefined) throw wrong(entry.origin, idle);
    if (entry.handler.type !== 'module') continue;
    const { path, export: name } = entry.handler;
    const same = entries.filter(
      ({ handler }) => handler.type === 'module' && handler.path === path && handler.export === name,
    );
    const missing = unlisted(provider, same);
    if (missing !== undefined) throw wrong(entry.origin, missing);
  }
}

/** Closes the parts of a file, such as its journal. */
export async function closeParts(natives: readonly NativeHooks[]): Promise<void> {
  const parts = natives.filter(({ entries: [first] }) => first?.handler.type === 'part');
  await Promise.all(parts.map(({ provider }) => provider.close?.()));
}

/** What built-ins are made with. */
export interface Making extends Omit<BuiltinOptions, 'cwd' | 'storesIn'> {
  /** Where stores and journals are. Default: the working directory. */
  readonly storesIn?: string;
  /** Built-ins of the program's own. They take precedence. */
  readonly builtins?: Readonly<Record<string, Builtin>>;
}

/**
 * The provider of a built-in hook or a part.
 * @throws Error if the built-in is unknown or its arguments are invalid
 */
export async function makeBuiltin(
  handler: BuiltinHandler | PartHandler,
  cwd: string,
  { builtins: own = {}, ...options }: Making,
): Promise<Part> {
  const { type, name, args } = handler;
  const replaced = Object.keys(own).find((one) => Object.hasOwn(PARTS, one) && !isUnrecorded(own, one));
  if (replaced !== undefined)
    throw new Error(
      `the option builtins has "${replaced}", which is the name of a part of files; choose another name`,
    );
  const table = type === 'part' ? PARTS : GUARDS;
  const make = Object.hasOwn(own, name) ? own[name] : Object.hasOwn(table, name) && table[name]?.make;
  if (!make) {
    const { suggest } = await import('../file/suggest.ts');
    throw new Error(`unknown builtin "${name}"; ${suggest(name, Object.keys({ ...table, ...own }))}`);
  }
  try {
    const at = resolve(cwd, (type === 'builtin' && handler.workingDir) || '.');
    return await make(args, { ...options, cwd: at, storesIn: options.storesIn ?? at });
  } catch (cause) {
    const isOwn = Object.hasOwn(own, name) && !isUnrecorded(own, name);
    const message = isOwn ? messageOf(cause) : inNamesOfFiles(cause, args);
    throw new Error(`${type === 'part' ? name : `builtin "${name}"`}: ${message}`, { cause });
  }
}

/** What `unrecorded` has in the place of a part. */
function isUnrecorded(own: Readonly<Record<string, Builtin>>, name: string): boolean {
  return own[name] === Object.entries(unrecorded).find(([one]) => one === name)?.[1];
}

async function builtinAt(
  handler: BuiltinHandler | PartHandler,
  origin: Origin,
  cwd: string,
  options: Making,
): Promise<Part> {
  try {
    // A program that lives for one event starts where the agent is, and an agent moves with `cd`.
    const besideFile = options.counters !== undefined && { storesIn: dirname(resolve(cwd, origin.file)) };
    return await makeBuiltin(handler, cwd, { ...options, ...besideFile });
  } catch (cause) {
    throw wrong(origin, messageOf(cause), cause);
  }
}

/** A module's path is relative to the file that names it. */
async function moduleAt(handler: ModuleHandler, origin: Origin, cwd: string): Promise<HookProvider> {
  const { href } = pathToFileURL(resolve(dirname(resolve(cwd, origin.file)), handler.path));
  let module: Readonly<Record<string, unknown>>;
  try {
    module = await importModule(href);
  } catch (cause) {
    throw wrong(origin, `module "${handler.path}" could not be loaded: ${whyNotLoaded(cause)}`, cause);
  }
  const provider = module[handler.export];
  if (isProvider(provider)) return provider;
  throw wrong(
    origin,
    `module "${handler.path}": its export "${handler.export}" is not a provider ({ name, register(hooks) })`,
  );
}

/** The words of an error may repeat a value of the module, such as the address that it connects to. */
function whyNotLoaded(cause: unknown): string {
  if (!(cause instanceof Error)) return `it threw a value of type ${typeof cause}`;
  const code = 'code' in cause && /^[A-Z0-9_]+$/.test(String(cause.code)) ? ` (${String(cause.code)})` : '';
  const name = /^[A-Z]\w*$/.exec(cause.constructor.name)?.[0] ?? 'Error';
  return `${name}${code}; import it in a program to see the message`;
}

function isProvider(value: unknown): value is HookProvider {
  return (
    typeof value === 'object' && value !== null && 'register' in value && typeof value.register === 'function'
  );
}

function wrong(origin: Origin, message: string, cause?: unknown): HooksError {
  return new HooksError('CONFIG_INVALID', formatIssue({ ...origin, path: '', message }), { cause });
}
