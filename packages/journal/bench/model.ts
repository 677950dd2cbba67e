import { setTimeout } from 'node:timers/promises';
import { startModelServer } from '@hooks/conformance';

/* A model in a process of its own, so that only the agent's processor time is measured: it asks for one tool call, then answers. */
const delay = Number(process.env['MODEL_MS'] ?? 0);
const { url } = await startModelServer({
  async script({ turn }) {
    if (delay > 0) await setTimeout(delay);
    return turn === 0
      ? { toolCalls: [{ id: 'c1', name: 'add', arguments: { a: 1, b: 2 } }] }
      : { text: 'Done.' };
  },
});
process.send?.(url);
process.once('disconnect', () => process.exit());
