import type { Hooks } from './registry/hooks.ts';

/** Options of {@link closeOnExit}. */
export interface CloseOnExitOptions {
  /** The signals that end the program; SIGINT and SIGTERM unless set. */
  readonly signals?: readonly ('SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGQUIT' | 'SIGBREAK')[];
  /** How long hooks on `SessionEnd` may take before the program ends all the same, in milliseconds; 5,000 unless set. */
  readonly timeoutMs?: number;
}

/**
 * Fires `SessionEnd` for the open sessions when the program is interrupted, then lets the signal end it as it would
 * have. A second signal ends it at once.
 *
 * @returns stops listening
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
