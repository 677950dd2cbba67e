import type { AdapterHarness } from '../harness.ts';
import { resumeThere } from '../restart/resume.ts';
import { Stage } from '../stage.ts';
import type { HostileCall } from './random-model.ts';
import { Witness } from './witness.ts';

/**
 * A hostile model sends calls in one answer, and the run pauses. Another process resumes it, with the same hooks.
 * Returns what was wrong in either, one sentence each.
 */
export async function faultsOfRestart(
  harness: AdapterHarness,
  stream: boolean,
  calls: readonly HostileCall[],
): Promise<readonly string[]> {
  const { module } = harness;
  if (module === undefined) throw new Error('Runs can pause here, so the harness needs `module`.');
  await using stage = new Stage(harness, stream);
  const witness = new Witness();
  witness.register(stage.hooks);
  const storage = await stage.directory();
  let sent = false;
  const script = () => {
    if (sent) return { text: 'Done.' };
    sent = true;
    return { toolCalls: calls };
  };
  const cast = { tools: witness.tools(), storage, attach: { approval: 'native' } } as const;
  const actor = await stage.agent(script, cast);
  const { result } = await actor.run({ session: 's1', user: 'ann' });
  if (result.pending.length === 0) return witness.faults;
  try {
    const { witness: there } = await resumeThere({
      ...{ module, policy: 'looks on', hostile: true, needsApproval: false, answers: [] },
      ...{ stream, storage, modelUrl: actor.server.url, session: 's1', user: 'ann' },
    });
    const ran = [...witness.ran, ...there.ran];
    return [...witness.faults, ...there.faults, ...ranTwice(calls, ran)];
  } catch (error) {
    // A framework may refuse to restore a run whose calls it cannot tell apart.
    return haveIds(calls) ? [...witness.faults, String(error)] : witness.faults;
  }
}

/** Whether each call has an id of its own, which no object has as a field already. */
function haveIds(calls: readonly HostileCall[]): boolean {
  return (
    calls.every(({ id }) => id?.trim() && !(id in {})) &&
    new Set(calls.map(({ id }) => id)).size === calls.length
  );
}

/** Calls that ran in both processes. */
function ranTwice(calls: readonly HostileCall[], ran: readonly string[]): readonly string[] {
  return ran.length > calls.length ? [`${ran.length} of ${calls.length} calls ran`] : [];
}
