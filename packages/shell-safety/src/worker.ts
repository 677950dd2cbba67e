import type { Worker } from 'node:worker_threads';
import { type Analysis, type AnalyzeOptions, unjudged } from './analyze.ts';
import { tooMuch } from './dangers.ts';

/** Where a command would run, and how long its analysis may take. */
export interface WorkerOptions extends AnalyzeOptions {
  /** After how many milliseconds the analysis is stopped. Default: 5000. */
  readonly timeoutMs?: number;
}

let worker: Worker | undefined;
let last: Promise<unknown> = Promise.resolve();

/**
 * Says what a tool call would do, as `analyzeCall` does, in a worker thread of its own. If the analysis takes too long, the
 * thread is stopped and the call has the effect `unjudged`. All calls of a process share one worker and are analyzed in turn.
 * It needs Node.js.
 *
 * @throws if the worker cannot be started, or `input` cannot be cloned. Refuse the call then
 * @example
 * ```ts
 * const { effects } = await analyzeCallInWorker(['rm -rf ~'], {}, { timeoutMs: 1000 });
 * judge(effects)?.rule; // 'filesystem/delete'
 * ```
 */
export function analyzeCallInWorker(
  values: readonly unknown[],
  input: unknown,
  { timeoutMs = 5000, ...options }: WorkerOptions = {},
): Promise<Analysis> {
  const analysis = last.then(() => ask([values, input, options], timeoutMs));
  last = analysis.catch(() => undefined);
  return analysis;
}

async function ask(request: readonly unknown[], timeoutMs: number): Promise<Analysis> {
  worker ??= await start();
  const asked = worker;
  const signal = AbortSignal.timeout(timeoutMs);
  asked.postMessage(request);
  // While it analyzes, it keeps the process alive.
  asked.ref();
  try {
    const [analysis] = await process.getBuiltinModule('node:events').once(asked, 'message', { signal });
    asked.unref();
    return analysis;
  } catch (error) {
    worker = undefined;
    // The answer does not wait for the end of the thread.
    void asked.terminate();
    if (!signal.aborted) throw error;
    return { effects: [unjudged(tooMuch, 'the input of the call')], steps: 0 };
  }
}

/** Bundles for other environments load this file without starting the worker, so it does not import Node's modules. */
async function start(): Promise<Worker> {
  const { Worker } = process.getBuiltinModule('node:worker_threads');
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const started = new Worker(new URL(`worker-thread.${extension}`, import.meta.url));
  // It says that it has loaded.
  await process.getBuiltinModule('node:events').once(started, 'message');
  started.unref();
  return started;
}
