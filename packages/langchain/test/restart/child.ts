/** Another process of runs: gets stretches of them, goes on, and says what came of each. */
import { goOn, type Stretch } from './go-on.ts';

process.on('message', async (stretch) => {
  const report = await goOn(stretch as Stretch);
  process.send?.(report);
});

process.on('disconnect', () => process.exit());
