import { drawn } from '@hooks/testing/random';
import { noPostgres, startPostgres } from '@hooks/testing/servers';
import { afterAll, describe, it } from 'vitest';
import { testStore } from '../src/testing/index.ts';
import { testPostgresFaults } from './postgres-faults.ts';

if (noPostgres !== undefined) it.skip(`Postgres (not run: it ${noPostgres})`);
else {
  const server = await startPostgres();
  process.env['STORE_POSTGRES'] = server.url;
  const { pool, remains } = await import('./stores/postgres.ts');
  const { sql } = await import('./stores/postgres-js.ts');
  afterAll(async () => {
    await Promise.all([pool.end(), sql.end()]);
    await server.stop();
  });

  // What several processes may rely on is the server's, whatever the client.
  const shared = drawn(1) > 1;
  describe('Postgres', () => {
    testStore('with pg', {
      module: new URL('./stores/postgres.ts', import.meta.url),
      remains,
      server,
      tells: true,
    });
    testStore('with postgres', {
      module: new URL('./stores/postgres-js.ts', import.meta.url),
      server,
      tells: true,
      shared,
    });
    describe('a fault', () => testPostgresFaults(server));
  });
}
