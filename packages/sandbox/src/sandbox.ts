import { hash } from 'node:crypto';
import { type HookProvider, type HookRegistrar, type Session, SessionEnd } from '@hooks/core';
import { checkOptions, type OptionChecks, optionKinds } from '@hooks/core/options';
import type { ExecuteOptions, SandboxCommand } from './command.ts';
import { SandboxError } from './error.ts';
import type { SandboxProvider, SandboxSession } from './provider.ts';
import type { SandboxResult } from './result.ts';
import { OF_SPECS, type SandboxSpec } from './spec.ts';
import { unlessAborted } from './unless-aborted.ts';

/** Options of {@link createSandbox}. */
export interface SandboxOptions {
  /** The provider's name. Default: `sandbox`. */
  readonly name?: string;
  /** Idle time in milliseconds after which a session is closed and its files are deleted. Default: 10 minutes. */
  readonly idleMs?: number;
}

const OPTIONS: OptionChecks<SandboxOptions> = { name: optionKinds.text, idleMs: optionKinds.positive };

/**
 * Runs routed calls in one sandbox session per session of the agent, opened by its first routed call.
 * `hooks.use(sandbox)` closes it with the agent's session; otherwise the idle limit does.
 */
export interface Sandbox extends HookProvider, AsyncDisposable {
  readonly provider: SandboxProvider;
  /**
   * The sandbox session of an agent's session, for reading files and `changes()`. Opens one if there is none. For the
   * idle limit, it counts as used when it is returned.
   * @throws SandboxError as `createSession` does
   */
  session(agent: Pick<Session, 'id'>, signal?: AbortSignal): Promise<SandboxSession>;
  /** Runs a command in the sandbox session of an agent's session. */
  execute(
    agent: Pick<Session, 'id'>,
    command: SandboxCommand,
    options?: ExecuteOptions,
  ): Promise<SandboxResult>;
  /** Closes the sandbox session of one agent's session, or all of them. */
  close(agent?: Pick<Session, 'id'>): Promise<void>;
}

/**
 * Makes sandboxes of one kind available to hooks.
 *
 * @example
 * ```ts
 * const sandbox = createSandbox(localSandbox(), { workspace: { kind: 'copy', path: '/srv/project' } });
 * hooks.use(sandbox);
 * ```
 * @throws HooksError `CONFIG_INVALID` if the spec or the options have an unknown field or an invalid value
 */
export function createSandbox(
  provider: SandboxProvider,
  spec: SandboxSpec = {},
  options: SandboxOptions = {},
): Sandbox {
  spec = checkOptions('createSandbox: the spec', spec, OF_SPECS);
  options = checkOptions('createSandbox', options, OPTIONS);
  return new SandboxPool(provider, spec, options);
}

interface Entry {
  readonly session: Promise<SandboxSession>;
  /** Cancels the opening if the session is closed before it is ready. */
  readonly opening: AbortController;
  running: number;
  idle: NodeJS.Timeout | undefined;
}

class SandboxPool implements Sandbox {
  readonly name: string;
  /** A hash of the configuration, so that a journal shows when a policy has changed. */
  readonly version: string;
  readonly provider: SandboxProvider;
  readonly #spec: SandboxSpec;
  readonly #idleMs: number;
  readonly #entries = new Map<string, Entry>();

  constructor(provider: SandboxProvider, spec: SandboxSpec, options: SandboxOptions) {
    this.provider = provider;
    this.name = options.name ?? 'sandbox';
    this.#spec = spec;
    this.version = hash('sha256', JSON.stringify([provider.id, spec]));
    this.#idleMs = Math.min(options.idleMs ?? 10 * 60_000, 2 ** 31 - 1); // a longer timer would fire at once
  }

  register(hooks: HookRegistrar): void {
    hooks.observe(SessionEnd, (event) => this.close(event.session), { id: 'close' });
  }

  session(agent: Pick<Session, 'id'>, signal?: AbortSignal): Promise<SandboxSession> {
    return this.#borrow(agent.id, signal, async (session) => session);
  }

  execute(
    agent: Pick<Session, 'id'>,
    command: SandboxCommand,
    options?: ExecuteOptions,
  ): Promise<SandboxResult> {
    return this.#borrow(agent.id, options?.signal, (session) => session.execute(command, options));
  }

  async close(agent?: Pick<Session, 'id'>): Promise<void> {
    const entries = [...this.#entries].filter(([id]) => agent === undefined || id === agent.id);
    await Promise.all(entries.map(([id, entry]) => this.#close(id, entry)));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #borrow<T>(
    id: string,
    signal: AbortSignal | undefined,
    use: (session: SandboxSession) => Promise<T>,
  ): Promise<T> {
    const entry = this.#entries.get(id) ?? this.#open(id);
    entry.running++;
    clearTimeout(entry.idle);
    try {
      const session = await unlessAborted(entry.session, signal);
      if (session.status === 'failed') await this.#close(id, entry);
      return await use(session);
    } finally {
      if (--entry.running === 0 && this.#entries.get(id) === entry)
        entry.idle = setTimeout(() => void this.#close(id, entry).catch(() => {}), this.#idleMs).unref();
    }
  }

  #open(id: string): Entry {
    const opening = new AbortController();
    const created = this.provider.createSession(this.#spec, opening.signal);
    // Nobody uses a session that opens after its opening was canceled.
    const closeLate = (late: SandboxSession): unknown => opening.signal.aborted && late.close();
    created.then(closeLate).catch(() => {});
    const session = unlessAborted(created, opening.signal);
    const entry: Entry = { session, opening, running: 0, idle: undefined };
    this.#entries.set(id, entry);
    // The next call tries again.
    entry.session.catch(() => this.#entries.get(id) === entry && this.#entries.delete(id));
    return entry;
  }

  /** Closes this entry, never a newer one with the same id. */
  async #close(id: string, entry: Entry): Promise<void> {
    if (this.#entries.get(id) !== entry) return;
    this.#entries.delete(id);
    clearTimeout(entry.idle);
    entry.opening.abort(new SandboxError('CLOSED', 'The sandbox session was closed before it was ready.'));
    const session = await entry.session.catch((cause: unknown) => {
      if (cause instanceof SandboxError) return undefined; // it never opened
      throw cause;
    });
    await session?.close();
  }
}
