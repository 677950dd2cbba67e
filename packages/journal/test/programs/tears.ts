/** Appends beginnings of lines to the file that it is told of, as many processes do that are killed in a line, until it is told to stop. */
import { appendFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

const [, , path = ''] = process.argv;
let stopped = false;
process.once('message', () => {
  stopped = true;
});
// Also where the test ends otherwise.
process.once('disconnect', () => {
  stopped = true;
});
process.send?.('tears');
for (let at = 0; !stopped; at++) {
  appendFileSync(path, `{"data":{"input":"${at}é{"hash":"`);
  await setTimeout(1);
}
if (process.connected) process.disconnect();
