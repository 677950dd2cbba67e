import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Store } from '../../src/index.ts';
import { sqliteStore } from '../../src/sqlite.ts';
import { PATIENCE_MS } from './through.ts';

const fileOf = (space: string): string => join(tmpdir(), `${space}.db`);

export function open(space: string): Store {
  return sqliteStore(fileOf(space), { timeoutMs: PATIENCE_MS });
}

export function remains(space: string): number {
  const database = new DatabaseSync(fileOf(space), { readOnly: true });
  const rows = ['entries', 'amounts', 'counters', 'streams', 'records'].map((table) => {
    return Number(database.prepare(`SELECT count(*) AS rows FROM ${table}`).get()?.['rows']);
  });
  database.close();
  return rows.reduce((a, b) => a + b);
}
