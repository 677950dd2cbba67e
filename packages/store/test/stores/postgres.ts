import { Pool } from 'pg';
import type { Store } from '../../src/index.ts';
import { postgresStore } from '../../src/postgres.ts';
import { owning, PATIENCE_MS, through } from './through.ts';

const url = process.env['STORE_POSTGRES'] ?? '';

export const pool: Pool = new Pool({ connectionString: url, max: 8 });
pool.on('error', () => {}); // A store says itself that the server is away.

export function open(space: string, port?: number): Store {
  const options = { schema: space, timeoutMs: PATIENCE_MS };
  if (port === undefined) return postgresStore(pool, options);
  const own = new Pool({ connectionString: through(url, port), max: 8 });
  own.on('error', () => {});
  return owning(postgresStore(own, options), () => own.end());
}

export async function remains(space: string): Promise<number> {
  const tables = ['entries', 'amounts', 'counters', 'streams', 'records'];
  const counts = tables.map((table) => `(SELECT count(*) FROM ${space}.${table})`);
  const { rows } = await pool.query(`SELECT (${counts.join(' + ')})::int AS rows`);
  return rows[0].rows;
}
