import { startModelServer } from '@hooks/conformance';

/* A model in a process of its own, so that only the agent's processor time is measured: it asks for one tool call, then answers. */
const { url } = await startModelServer({
  script: ({ turn }) =>
    turn === 0 ? { toolCalls: [{ id: 'c1', name: 'add', arguments: { a: 1, b: 2 } }] } : { text: 'Done.' },
});
process.send?.(url);
process.once('disconnect', () => process.exit());
