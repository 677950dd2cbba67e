import postgres from 'postgres';
import type { Store } from '../../src/index.ts';
import { postgresStore } from '../../src/postgres.ts';
import { owning, PATIENCE_MS, through } from './through.ts';

const url = process.env['STORE_POSTGRES'] ?? '';

export const sql: postgres.Sql = postgres(url, { max: 8 });

export function open(space: string, port?: number): Store {
  const options = { schema: space, timeoutMs: PATIENCE_MS };
  if (port === undefined) return postgresStore(sql, options);
  const own = postgres(through(url, port), { max: 8 });
  return owning(postgresStore(own, options), () => own.end({ timeout: 0 }));
}
