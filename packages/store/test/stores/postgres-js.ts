import postgres from 'postgres';
import type { Store } from '../../src/index.ts';
import { postgresStore } from '../../src/postgres.ts';

export const sql: postgres.Sql = postgres(process.env['STORE_POSTGRES'] ?? '', { max: 8 });

export function open(space: string): Store {
  return postgresStore(sql, { schema: space });
}
