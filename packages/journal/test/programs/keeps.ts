/** A process with a journal that keeps a day. Says that it is ready, closes the journal when it is told to, and says what went wrong. */
import { journal } from '../../src/index.ts';

const errors: string[] = [];
const log = journal({
  sink: process.argv[2] ?? '',
  keepDays: 1,
  onError: ({ message }) => void errors.push(message),
});
process.once('message', async () => {
  await log.close();
  process.send?.(errors, () => process.disconnect());
});
process.send?.('ready');
