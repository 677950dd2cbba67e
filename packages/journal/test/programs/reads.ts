/** Reads, verifies and replays the journal that it is told of; sends how many records and calls it found. */
import { readJournal, replay, verifyJournal } from '../../src/index.ts';

const [, , path = ''] = process.argv;
let records = 0;
for await (const { data } of readJournal(path)) if (data !== null) records++;
const { state } = await verifyJournal(path);
const { coverage } = await replay(path, []);
process.send?.({ records, state, calls: coverage.calls });
