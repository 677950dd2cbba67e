/** Closes a journal on a disk that is full, and ends when there is room again. */
import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { fileSink, type JournalSink, journal } from '../../src/index.ts';

const file = fileSink(process.argv[2] ?? '');
let isFull = true;
const sink: JournalSink = {
  ...file,
  write(...lines) {
    if (isFull) throw new Error('ENOSPC');
    return file.write(...lines);
  },
};
const log = journal({ sink, onError: () => {} });
const hooks = createHooks();
hooks.use(log);
await callTool(hooks, { session: hooks.session('s'), toolName: 'pay', input: {} }, () => 'paid');
await hooks.close();
await log.close().catch(() => {
  isFull = false;
});
