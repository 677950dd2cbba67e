import { parentPort } from 'node:worker_threads';
import { analyzeCall } from './analyze-call.ts';

/* The thread that `worker.ts` starts. */
parentPort?.on('message', (request: Parameters<typeof analyzeCall>) => {
  parentPort?.postMessage(analyzeCall(...request));
});
parentPort?.postMessage('ready');
