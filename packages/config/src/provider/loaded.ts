import { basename } from 'node:path';
import type { EventPayload, HookProvider, HookRegistrar, Principal } from '@hooks/core';
import { type CommandRunner, createCommandRunner } from '../command/runner.ts';
import { DIALECTS } from '../dialects/all.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { HookEntry } from '../entry.ts';
import { messageOf } from '../error-message.ts';
import type { EventType } from '../events.ts';
import { type ConfigIssue, formatIssue } from '../file/error.ts';
import type { HookFile } from '../file/read.ts';
import type { LoadOptions } from '../load-options.ts';
import type { RunContext } from '../run/context.ts';
import { isOfAgent } from './ask.ts';
import { type Coverage, coverageOf } from './coverage.ts';
import type { InjectedFault } from './doctor.ts';
import type { Explained } from './explain.ts';
import { type NativeHooks, registerNativeHooks } from './native.ts';
import { closeParts, resolveNatives } from './resolve.ts';
import { unfiredGates } from './unfired.ts';
import { versionOf } from './version.ts';
import { registerWireHooks } from './wire.ts';

/** What `loadHooks` needs for loading and reloading. */
export interface LoadSource {
  readonly read: () => Promise<readonly HookFile[]>;
  readonly paths: readonly string[];
  readonly cwd: string;
  readonly options: LoadOptions;
}

/**
 * The hooks of a file, ready for `hooks.use`. Disposing them stops everything that they still run; `await using` also waits until the
 * file's journal is written.
 */
export class LoadedHooks implements HookProvider, Disposable, AsyncDisposable {
  readonly name: string;
  readonly #source: LoadSource;
  readonly #runner: CommandRunner = createCommandRunner();
  readonly #used: Map<HookRegistrar, readonly Disposable[]> = new Map();
  #watching: Disposable | undefined;
  #reloading: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;
  #hooks: PreparedHooks;

  private constructor(source: LoadSource, hooks: PreparedHooks) {
    this.#source = source;
    this.#hooks = hooks;
    const [path] = source.paths;
    this.name = path === undefined ? 'config' : basename(path);
  }

  /** Reads the files and creates their built-ins and modules. */
  static async load(source: LoadSource): Promise<LoadedHooks> {
    const loaded = new LoadedHooks(source, await prepare(source));
    loaded.#warn(loaded.notices.map(formatIssue));
    if (source.options.watch) {
      const { watchFiles } = await import('./watch.ts');
      loaded.#watching = watchFiles(source.paths, (path) => loaded.#changed(path));
    }
    return loaded;
  }

  /** A hash of its hooks. */
  get version(): string {
    return versionOf(this.#hooks.entries);
  }

  /** The hooks, in the order of the file. */
  get entries(): readonly HookEntry[] {
    return this.#hooks.entries;
  }

  /** Notices about the file. */
  get notices(): readonly ConfigIssue[] {
    return this.#hooks.notices;
  }

  /** The user whom `principal:` of the file names, for programs that open sessions themselves. */
  get principal(): Principal | undefined {
    return this.#hooks.natives.find(({ provider }) => provider.principal !== undefined)?.provider.principal;
  }

  /** Its dialect. */
  get dialect(): Dialect['name'] {
    return this.#hooks.dialect.name;
  }

  register(hooks: HookRegistrar): void {
    this.#used.set(hooks, this.#registerIn(hooks));
  }

  [Symbol.dispose](): void {
    this.#watching?.[Symbol.dispose]();
    for (const registered of this.#used.values()) for (const one of registered) one[Symbol.dispose]();
    this.#used.clear();
    this.#runner[Symbol.dispose]();
    this.#closing ??= closeParts(this.#hooks.natives);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this[Symbol.dispose]();
    await this.#closing;
  }

  /** Reads the files again. If they are invalid, throws and keeps the old hooks. */
  reload(): Promise<void> {
    return this.#inTurn(() => this.#reload());
  }

  #inTurn(reload: () => Promise<void>): Promise<void> {
    // One after the other, so that the last read wins.
    const reloaded = this.#reloading.then(reload);
    this.#reloading = reloaded.catch(() => {});
    return reloaded;
  }

  async #reload(files?: readonly HookFile[]): Promise<void> {
    const old = this.#hooks;
    const hooks = await prepare(this.#source, files);
    if (this.#closing) return closeParts(hooks.natives);
    this.#hooks = hooks;
    // No `await` from here on, so every dispatch sees either the old hooks or the new ones.
    for (const [hooks, registered] of this.#used) {
      for (const one of registered) one[Symbol.dispose]();
      this.#used.set(hooks, this.#registerIn(hooks));
    }
    await closeParts(old.natives);
  }

  /** Runs each hook on an event by itself, and returns what it answers. Commands run; tools do not. */
  async explain(event: EventPayload & { readonly type: EventType }): Promise<readonly Explained[]> {
    const { explainEvent } = await import('./explain.ts');
    const { entries, natives } = this.#hooks;
    return explainEvent(entries, natives, this.#context(), this.#source.options.failures ?? 'closed', event);
  }

  /** Returns the matchers that match none of an agent's tools, and the tools without a hook before their calls. */
  coverage(tools: readonly string[]): Coverage {
    return coverageOf(this.#hooks.entries, this.#hooks.dialect, tools);
  }

  /** Returns the hooks that could refuse, if an agent that reports only these events reported theirs, too. */
  unfired(events: ReadonlySet<EventType>): readonly HookEntry[] {
    return unfiredGates(this.#hooks.entries, this.#hooks.dialect, events);
  }

  /** Makes each hook of each gate fail, and checks that the gate stays closed. Runs no hooks. */
  async injectFaults(): Promise<readonly InjectedFault[]> {
    const { injectFaults } = await import('./doctor.ts');
    const { entries, natives } = this.#hooks;
    return injectFaults(entries, natives, this.#context(), this.#source.options.failures ?? 'closed');
  }

  #registerIn(hooks: HookRegistrar): readonly Disposable[] {
    const { entries, natives, dialect } = this.#hooks;
    const { cwd, options } = this.#source;
    const failures = options.failures ?? 'closed';
    const wire = entries.filter((entry) => !natives.some((native) => native.entries.includes(entry)));
    return [
      ...natives.flatMap((native, index) =>
        registerNativeHooks(native, hooks, dialect, cwd, failures, `${index}`),
      ),
      ...registerWireHooks(wire, hooks, this.#context(), failures),
    ];
  }

  #context(): RunContext {
    const { cwd, options } = this.#source;
    const { dialect, natives } = this.#hooks;
    const route = options.route ?? natives.find(({ provider }) => provider.route)?.provider.route;
    return {
      dialect,
      runner: this.#runner,
      env: defined(options.env ?? process.env),
      cwd,
      ...(route && { route }),
      allows: (call) =>
        natives.some(
          ({ provider, entries }) =>
            provider.allows?.(call) && entries.some((entry) => isOfAgent(entry, call.agent)),
        ),
    };
  }

  async #changed(path: string): Promise<void> {
    try {
      await this.#inTurn(async () => {
        const files = await this.#source.read();
        // A tool may have touched the file. New hooks would have forgotten what was counted and found.
        if (versionOf(entriesOf(files)) !== this.version) await this.#reload(files);
      });
    } catch (error) {
      this.#warn([
        `${path} has changed but cannot be loaded, so the old hooks stay in force: ${messageOf(error)}`,
      ]);
    }
  }

  #warn(messages: readonly string[]): void {
    for (const message of messages) warn(this.#source.options, message);
  }
}

function warn({ onWarning = console.warn }: LoadOptions, message: string): void {
  onWarning(message);
}

interface PreparedHooks {
  readonly dialect: Dialect;
  readonly entries: readonly HookEntry[];
  readonly natives: readonly NativeHooks[];
  readonly notices: readonly ConfigIssue[];
}

function entriesOf(files: readonly HookFile[]): readonly HookEntry[] {
  return files.flatMap((file) => file.entries);
}

async function prepare(
  { read, cwd, options }: LoadSource,
  given?: readonly HookFile[],
): Promise<PreparedHooks> {
  const files = given ?? (await read());
  const entries = entriesOf(files);
  return {
    dialect: files[0]?.dialect ?? DIALECTS.hooks,
    entries,
    natives: await resolveNatives(entries, cwd, {
      env: options.env ?? process.env,
      onWarning: (message) => warn(options, message),
      ...(options.builtins && { builtins: options.builtins }),
      ...(options.counters !== undefined && { counters: options.counters }),
    }),
    notices: files.flatMap((file) => file.notices),
  };
}

function defined(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
