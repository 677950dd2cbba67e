import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadHooks } from '@hooks/config';
import { type TestAgent, testAgent } from '@hooks/core/testing';
import { createSandbox, localSandbox } from '@hooks/sandbox';
import type { Store } from '@hooks/store';
import { inbox } from '@hooks/store/approvals';
import { sqliteStore } from '@hooks/store/sqlite';
import { supportPolicy } from '../src/policy.ts';

/** The two forms of the policy. */
export type Form = 'policy.ts' | 'hooks.yaml';

/** An agent of the desk, and the store that it shares with its other processes. */
export interface Desk extends AsyncDisposable {
  readonly agent: TestAgent;
  readonly store: Store;
}

/** Opens the desk in a folder, for a customer, or for nobody. */
export async function openDesk(
  form: Form,
  folder: string,
  customer?: string,
  tenant?: string,
): Promise<Desk> {
  const store = sqliteStore(join(folder, '.hooks/desk.db'));
  const options = {
    approval: inbox({ store, deadlineMs: 60_000 }),
    sessionId: `chat of ${process.pid}`,
  };
  if (form === 'policy.ts') {
    const sandbox = createSandbox(localSandbox());
    const agent = testAgent(supportPolicy(store, sandbox), {
      ...options,
      ...(customer !== undefined && {
        principal: { id: customer, ...(tenant && { tenant }) },
      }),
    });
    // The journal writes until the process ends, so the store stays open.
    return begun(
      deskOf(agent, store, () => sandbox.close()),
      customer,
    );
  }
  const path = fileURLToPath(new URL('../src/hooks.yaml', import.meta.url));
  const loaded = await loadHooks(path, {
    cwd: folder,
    env: {
      ...process.env,
      SUPPORT_CUSTOMER: customer,
      SUPPORT_TENANT: tenant,
    },
    trust: true,
  });
  const desk = deskOf(testAgent(loaded, options), store, async () => {
    await loaded[Symbol.asyncDispose]();
    await store.close();
  });
  return begun(desk, customer);
}

/** A chat begins with what the customer writes. */
async function begun(desk: Desk, customer: string | undefined): Promise<Desk> {
  if (customer !== undefined) await desk.agent.prompt('Good morning.');
  return desk;
}

function deskOf(
  agent: TestAgent,
  store: Store,
  close: () => PromiseLike<void>,
): Desk {
  return {
    agent,
    store,
    async [Symbol.asyncDispose]() {
      await agent[Symbol.asyncDispose]();
      await close();
    },
  };
}
