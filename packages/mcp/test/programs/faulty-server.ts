/** A server with the fault in `params.arguments.do`. */
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const write = async (text: string): Promise<void> => {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
};

/** As `stubborn`, it exits only when it is killed. */
if (process.argv[2] === 'stubborn') {
  process.on('SIGTERM', () => {});
  setInterval(() => {}, 60_000);
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, params } = JSON.parse(line);
  const { do: what, times = 0 } = params?.arguments ?? {};
  if (what === 'crash') process.exit(3);
  else if (what === 'kill') process.kill(process.pid, 'SIGKILL');
  else if (what === 'hang') continue;
  else if (what === 'pid')
    await write(`{"jsonrpc":"2.0","id":${id},"result":{"content":[],"pid":${process.pid}}}\n`);
  else if (what === 'flood') {
    for (let note = 0; note < times; note++)
      await write(
        `{"jsonrpc":"2.0","method":"notifications/note","params":{"text":"${'x'.repeat(10_000)}"}}\n`,
      );
    await write(`{"jsonrpc":"2.0","id":${id},"result":{"content":[]}}\n`);
  } else {
    await write(`{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"`);
    for (let part = 0; part < times; part++) await write('x'.repeat(1_000_000));
    await write('SECRET"}]}}\n');
  }
}
