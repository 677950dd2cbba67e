/**
 * A server that answers each line with random ones: `node random-server.ts <seed> <log>`. Its lines end as those of
 * `sys.stdin` in Python, at a carriage return, too. It writes what it got into the log, a line of JSON for each.
 */
import { appendFileSync } from 'node:fs';
import { drawFrom, serverText } from './random.ts';

const [, , seed, log = ''] = process.argv;
const draw = drawFrom(Number(seed));
for await (const line of linesOf(process.stdin)) {
  appendFileSync(log, `${JSON.stringify(line)}\n`);
  const id = /"id" *: *("\w{1,9}"|-?[\d.e]+)/.exec(line)?.[1] ?? '1';
  if (line.includes('"the end"')) process.stdout.write('{"jsonrpc":"2.0","id":"the end","result":{}}\n');
  else for (let said = draw.below(3); said >= 0; said--) process.stdout.write(`${serverText(draw, id)}\n`);
}

async function* linesOf(input: AsyncIterable<Buffer>): AsyncIterable<string> {
  let rest = '';
  for await (const chunk of input) {
    const lines = (rest + chunk.toString('latin1')).split(/\r\n|\n|\r/);
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') yield Buffer.from(line, 'latin1').toString();
  }
}
