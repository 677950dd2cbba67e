/** Another process of a run: gets its stretch of it, goes on, and says what came of it. */
import { goOn, type Stretch } from './go-on.ts';

process.once('message', async (stretch) => {
  const report = await goOn(stretch as Stretch);
  process.send?.(report, () => process.disconnect());
});
