import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type HookProvider, HooksError } from '@hooks/core';
import type { Builtin } from '../builtins/builtin.ts';
import { GUARDS } from '../builtins/guards.ts';
import type { BuiltinHandler, HookEntry, ModuleHandler, Origin } from '../entry.ts';
import { messageOf } from '../error-message.ts';
import { formatIssue } from '../file/error.ts';
import { importModule } from '../import-module.ts';
import { whyIdle } from './idle.ts';
import type { NativeHooks } from './native.ts';

/**
 * The providers for a file's built-ins and modules. Each is created once per list of arguments.
 * @throws HooksError `CONFIG_INVALID` with the position in the file
 */
export async function resolveNatives(
  entries: readonly HookEntry[],
  cwd: string,
  builtins: Readonly<Record<string, Builtin>>,
  counters?: string,
): Promise<readonly NativeHooks[]> {
  const natives = new Map<string, { provider: HookProvider; entries: HookEntry[] }>();
  for (const entry of entries) {
    const { handler, origin } = entry;
    if (handler.type !== 'builtin' && handler.type !== 'module') continue;
    const key = JSON.stringify(handler);
    const native = natives.get(key) ?? {
      provider:
        handler.type === 'builtin'
          ? await builtinAt(handler, origin, cwd, builtins, counters)
          : await moduleAt(handler, origin, cwd),
      entries: [],
    };
    natives.set(key, native);
    native.entries.push(entry);
    const idle = whyIdle(native.provider, entry);
    if (idle !== undefined) throw wrong(origin, idle);
  }
  return [...natives.values()];
}

/**
 * The provider of a built-in hook.
 * @throws Error if the built-in is unknown or its arguments are invalid
 */
export async function makeBuiltin(
  { name, args, workingDir = '.' }: BuiltinHandler,
  cwd: string,
  own: Readonly<Record<string, Builtin>>,
  counters?: string,
): Promise<HookProvider> {
  const builtins = { ...GUARDS, ...own };
  const builtin = Object.hasOwn(builtins, name) ? builtins[name] : undefined;
  if (!builtin) {
    const { suggest } = await import('../file/reader.ts');
    throw new Error(`unknown builtin "${name}"; ${suggest(name, Object.keys(builtins))}`);
  }
  try {
    return await builtin(args, {
      cwd: resolve(cwd, workingDir),
      ...(counters !== undefined && { counters }),
    });
  } catch (cause) {
    throw new Error(`builtin "${name}": ${messageOf(cause)}`, { cause });
  }
}

async function builtinAt(
  handler: BuiltinHandler,
  origin: Origin,
  cwd: string,
  own: Readonly<Record<string, Builtin>>,
  counters: string | undefined,
): Promise<HookProvider> {
  try {
    return await makeBuiltin(handler, cwd, own, counters);
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
    throw wrong(origin, `module "${handler.path}" could not be loaded: ${String(cause)}`, cause);
  }
  const provider = module[handler.export];
  if (isProvider(provider)) return provider;
  throw wrong(
    origin,
    `module "${handler.path}": its export "${handler.export}" is not a provider ({ name, register(hooks) })`,
  );
}

function isProvider(value: unknown): value is HookProvider {
  return (
    typeof value === 'object' && value !== null && 'register' in value && typeof value.register === 'function'
  );
}

function wrong(origin: Origin, message: string, cause?: unknown): HooksError {
  return new HooksError('CONFIG_INVALID', formatIssue({ ...origin, path: '', message }), { cause });
}
