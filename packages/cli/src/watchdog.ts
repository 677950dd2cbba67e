import { Worker } from 'node:worker_threads';

/** How much longer than the timer of the main thread the watchdog waits before it interrupts it. */
const PATIENCE_MS = 1000;

/** How long the interrupted main thread has to answer before the process is killed. */
const GRACE_MS = 3000;

const CLOSE = Symbol.for('@hooks/cli close');

/**
 * Calls `close` once the limit is over, even if the main thread is busy: in an endless loop, an endless chain of promises, a
 * slow regular expression or `Atomics.wait`. A second thread then pauses the main thread as a debugger does, and calls
 * `close` there. If the main thread is blocked in the system, by `execSync` for example, nothing can run there, so the
 * thread kills the process; `hook.sh` turns that into a refusal.
 *
 * @param close answers and ends the process
 */
export function closeAfter(ms: number, close: () => void): void {
  setTimeout(close, ms).unref();
  Object.defineProperty(globalThis, CLOSE, { value: close });
  // Without the process's own options and environment, whose `--require` the thread would run as well.
  new Worker(WATCHDOG, { eval: true, workerData: ms + PATIENCE_MS, execArgv: [], env: {} }).unref();
}

const WATCHDOG = `
  const { workerData } = require('node:worker_threads');
  setTimeout(() => {
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${GRACE_MS});
    const { Session } = require('node:inspector');
    const main = new Session();
    main.connectToMainThread();
    main.on('Debugger.paused', () =>
      main.post('Runtime.evaluate', { expression: 'globalThis[Symbol.for("${CLOSE.description}")]()' }),
    );
    main.post('Debugger.enable');
    main.post('Debugger.pause');
  }, workerData);
`;
