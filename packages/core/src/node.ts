import type { Hooks } from './registry/hooks.ts';

/** Options of {@link closeOnExit}. */
export interface CloseOnExitOptions {
  /** The signals that end the program. Default: SIGINT and SIGTERM. */
  readonly signals?: readonly ('SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGQUIT' | 'SIGBREAK')[];
  /** How long hooks on `SessionEnd` may take before the program ends anyway, in milliseconds. Default: 5,000. */
  readonly timeoutMs?: number;
}

/**
 * Fires `SessionEnd` for all open sessions when the program is interrupted, and then lets the signal end it. A second
 * signal ends it at once.
 *
 * @returns a disposable that stops listening
 * @example
 * ```ts
 * import { closeOnExit } from '@hooks/core/node';
 *
 * closeOnExit(hooks);
 * ```
 */
export function closeOnExit(hooks: Hooks, options: CloseOnExitOptions = {}): Disposable {
  const { signals = ['SIGINT', 'SIGTERM'], timeoutMs = 5000 } = options;
  const stop = (): void => {
    for (const signal of signals) process.off(signal, end);
  };
  const end = (signal: NodeJS.Signals): void => {
    // From here on the signal has its default effect again, also when it comes a second time.
    stop();
    const die = (): void => {
      clearTimeout(timer);
      process.kill(process.pid, signal);
    };
    const timer = setTimeout(die, timeoutMs);
    hooks.close().then(die, die);
  };
  for (const signal of signals) process.on(signal, end);
  return { [Symbol.dispose]: stop };
}
