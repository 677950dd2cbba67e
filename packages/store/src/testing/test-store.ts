import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterEach, describe } from 'vitest';
import type { Store } from '../store.ts';
import { testArguments } from './arguments.ts';
import { testCounters } from './counters.ts';
import { testFaults } from './faults.ts';
import { testKeys } from './keys.ts';
import { testLogs } from './logs.ts';
import { type OtherProcess, type StoreModule, startProcess } from './process.ts';
import { testProcesses } from './processes.ts';
import { testRemains } from './remains.ts';
import { testRequests } from './requests.ts';
import { testServer } from './server.ts';
import type { Stage, StoreUnderTest } from './stage.ts';
import { testValues } from './values.ts';

/** Declares the tests that every store passes: atomic, in order, exact, also with several processes. Call it in a file of vitest. */
export function testStore(name: string, { module, shared = true, ...rest }: StoreUnderTest): void {
  const started: OtherProcess[] = [];
  const opened: Store[] = [];
  const stage: Stage = {
    ...rest,
    open: () => stage.openAt(stage.space()),
    space: () => `t${randomUUID().replaceAll('-', '')}`,
    async openAt(space, port) {
      const { open }: StoreModule = await import(fileURLToPath(module));
      const store = await open(space, port);
      opened.push(store);
      return store;
    },
    async start(space, task, clockAheadMs = 0) {
      const other = await startProcess({ module: module.href, space, task, clockAheadMs });
      started.push(other);
      return other;
    },
  };

  describe(name, { timeout: 240_000 }, () => {
    afterEach(async () => {
      await Promise.all(started.splice(0).map((other) => other.kill()));
      await Promise.all(opened.splice(0).map((store) => store.close()));
    });
    testValues(stage);
    testKeys(stage);
    testCounters(stage);
    testLogs(stage);
    testRequests(stage);
    testArguments(stage);
    describe.skipIf(!shared)('several processes', () => testProcesses(stage));
    describe.skipIf(!stage.remains)('what has expired', () => testRemains(stage));
    const { port = 0 } = stage.server ?? {};
    describe.skipIf(port === 0)('when the network breaks', () => testFaults(stage, port));
    describe.skipIf(!stage.server)('the server', () => testServer(stage));
  });
}
