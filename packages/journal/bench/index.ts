import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BeforeToolCall, block, createHooks, type HookProvider, proceed } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { measure, processorClock, report } from '@hooks/testing/bench';
import { type JournalReading, journal, readJournal, replay, verifyJournal } from '../src/index.ts';

/*
 * What recording a call costs, and what replaying and verifying a journal costs beside reading it.
 */

const CALLS = Number(process.env['JOURNAL_CALLS'] ?? 20_000);
const folder = mkdtempSync(join(tmpdir(), 'journal-bench-'));
const sink = join(folder, 'journal');

const policy: HookProvider = {
  name: 'policy',
  register(hooks) {
    hooks.guard(BeforeToolCall, ({ input }) =>
      JSON.stringify(input).includes('never') ? block('Never.') : proceed(),
    );
  },
};

async function call(times: number, log?: ReturnType<typeof journal>): Promise<void> {
  const hooks = createHooks();
  hooks.use(policy);
  if (log) hooks.use(log);
  for (let done = 0; done < times; done++)
    await callTool(
      hooks,
      {
        session: hooks.session(`session-${done % 100}`),
        toolName: 'search',
        callId: `call-${done}`,
        input: { query: `the weather of city ${done}`, limit: 10 },
      },
      () => ({ found: ['sunny', 'warm'], of: done }),
    );
  await hooks.close();
  await log?.close();
}

report(
  'A tool call',
  await measure(
    [
      { name: 'without a journal', run: (times) => call(times) },
      { name: 'with one', run: (times) => call(times, journal({ sink: join(folder, 'calls') })) },
      {
        name: 'with one that is required',
        run: (times) => call(times, journal({ sink: join(folder, 'calls'), required: true })),
      },
    ],
    1_000,
    7,
  ),
);

await call(CALLS, journal({ sink }));
const files = readdirSync(sink).map((name) => join(sink, name));

/** What anybody has to do who reads the file. */
function parse(): number {
  let records = 0;
  for (const file of files)
    for (const line of readFileSync(file, 'utf8').split('\n')) if (line !== '' && JSON.parse(line)) records++;
  return records;
}

/** The hash of each line by itself, as records have one each. */
function hashLines(): string {
  let last = '';
  for (const file of files)
    for (const line of readFileSync(file, 'utf8').split('\n'))
      last = createHash('sha256').update(line).digest('hex');
  return last;
}

async function read(): Promise<void> {
  let last: JournalReading | undefined;
  for await (const reading of readJournal(sink)) last = reading;
  if (last === undefined) throw new Error('there is no record');
}

report(
  `A journal of ${CALLS} calls`,
  await measure(
    [
      { name: 'read and parse', run: parse },
      { name: 'readJournal', run: read },
      { name: 'replay', run: () => replay(sink, policy) },
    ],
    1,
    3,
    processorClock,
  ),
);
report(
  `A journal of ${CALLS} calls`,
  await measure(
    [
      { name: 'hash each line', run: hashLines },
      { name: 'verify', run: () => verifyJournal(sink) },
    ],
    1,
    3,
    processorClock,
  ),
);
rmSync(folder, { recursive: true });
