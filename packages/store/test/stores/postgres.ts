import { Pool } from 'pg';
import type { Store } from '../../src/index.ts';
import { postgresStore } from '../../src/postgres.ts';

export const pool: Pool = new Pool({ connectionString: process.env['STORE_POSTGRES'], max: 8 });
pool.on('error', () => {}); // A store says itself that the server is away.

export function open(space: string): Store {
  return postgresStore(pool, { schema: space });
}

export async function remains(space: string): Promise<number> {
  const tables = ['entries', 'amounts', 'streams', 'records'];
  const counts = tables.map((table) => `(SELECT count(*) FROM ${space}.${table})`);
  const { rows } = await pool.query(`SELECT (${counts.join(' + ')})::int AS rows`);
  return rows[0].rows;
}
