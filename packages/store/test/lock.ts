/** A process that keeps a store locked until it is told to give it back. */
import { DatabaseSync } from 'node:sqlite';

const database = new DatabaseSync(process.argv[2] ?? '');
database.exec('BEGIN EXCLUSIVE');
process.once('message', () => {
  database.exec('ROLLBACK');
  database.close();
  process.disconnect();
});
process.send?.('locked');
