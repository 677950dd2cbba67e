/**
 * Looks for the texts that take longest: `node --conditions=@hooks/source bench/worst.ts [seconds]` repeats parts of shell
 * in ever new combinations, after the worst that were found before (`test/data/slow.jsonl`); `%n` is a number that grows. It
 * prints each text of 16 kB that takes longer than any before, in milliseconds of the processor, and each whose time grows
 * faster than its length. Add what is worse than 50 ms to the data.
 */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { analyzeCommand } from '../src/index.ts';

interface Slow {
  readonly part: string;
  readonly in: string;
}

const LENGTH = 16_000;
const PARTS =
  String.raw`a $a ${'$'}{a:- "$@" $@ '' " ' \` $( $(( ) )) ( { } ; & | && || > >> < << <<< <( \ * ? [ [[ ]] ~ / .. = += a=b
  -r rm cat cd set -- eval export alias bash -c sh xargs find / -exec {} + for i in 1 2 do done if then fi while true case
  esac function f() f(){ sudo env curl -o http://x git -c commit python3 -c tr a b sed awk printf %s base64 -d docker run
  -v /:/h kubectl psql %x a%n a%n a%n=b ./a%n >a%n /usr/bin/ls%n ~/.a%n/ export cp mv ln tee -a powershell`.split(
    /\s+/,
  );

const known = readFileSync(new URL('../test/data/slow.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line): Slow => JSON.parse(line));
const part = fc
  .array(fc.constantFrom(...PARTS, ' ', '\n'), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.join(' '));
const separator = fc.constantFrom('', ' ', ';', '\n', '|');

function textOf({ part, in: start }: Slow, length: number): string {
  let text = start;
  for (let n = 0; text.length < length; n++) text += part.replaceAll('%n', `${n}`);
  return text.slice(0, length);
}

function timeOf(slow: Slow, length: number): number {
  const text = textOf(slow, length);
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3; round++) {
    const before = process.cpuUsage();
    analyzeCommand(text);
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}

const seconds = Number(process.argv[2] ?? 60);
let worst = 0;
const show = (slow: Slow): void => {
  const time = timeOf(slow, LENGTH);
  const longer = timeOf(slow, 8 * LENGTH);
  if (longer > 100 && longer > 24 * time)
    console.log(`grows: ${time.toFixed(1)}, ${longer.toFixed(1)} ms ${JSON.stringify(slow)}`);
  if (time <= worst) return;
  worst = time;
  console.log(`${time.toFixed(1)} ms ${JSON.stringify(slow)}`);
};
for (const slow of known) show(slow);
const until = performance.now() + seconds * 1000;
while (performance.now() < until) {
  const [[text = '', end = ''] = []] = fc.sample(fc.tuple(part, separator), 1);
  show({ part: `${text}${end}`, in: '' });
}
