import postgres from 'postgres';
import type { Store } from '../../src/index.ts';
import { postgresStore } from '../../src/postgres.ts';
import { owning, through } from './through.ts';

const url = process.env['STORE_POSTGRES'] ?? '';

export const sql: postgres.Sql = postgres(url, { max: 8 });

export function open(space: string, port?: number): Store {
  if (port === undefined) return postgresStore(sql, { schema: space });
  const own = postgres(through(url, port), { max: 8 });
  return owning(postgresStore(own, { schema: space }), () => own.end({ timeout: 0 }));
}
