import { resumeThere } from '../restart/resume.ts';
import type { Stage } from '../stage.ts';
import type { HostileCall } from './random-model.ts';
import { Witness } from './witness.ts';

/**
 * A hostile model sends calls in one answer, and the run pauses. Another process resumes it, with the same hooks.
 * Returns what was wrong in either, one sentence each.
 */
export async function faultsOfRestart(
  stage: Stage,
  calls: readonly HostileCall[],
): Promise<readonly string[]> {
  const { harness, stream } = stage;
  const { module } = harness;
  if (module === undefined) throw new Error('Runs can pause here, so the harness needs `module`.');
  const witness = new Witness();
  const hooks = stage.registry();
  witness.register(hooks);
  const storage = await stage.directory();
  let sent = false;
  const script = () => {
    if (sent) return { text: 'Done.' };
    sent = true;
    return { toolCalls: calls };
  };
  const cast = { tools: witness.tools(), hooks: [hooks], storage, attach: { approval: 'native' } } as const;
  const actor = await stage.agent(script, cast);
  const { result } = await actor.run({ session: 's1', user: 'ann' });
  if (result.pending.length === 0) return witness.faults;
  const there = await resumeThere({
    ...{ module, policy: 'looks on', hostile: true, needsApproval: false, answers: [] },
    ...{ stream, storage, modelUrl: actor.server.url, session: 's1', user: 'ann' },
  });
  return [
    ...witness.faults,
    ...there.witness.faults,
    ...ranTwice(calls, [...witness.ran, ...there.witness.ran]),
  ];
}

/** Calls that ran in both processes. */
function ranTwice(calls: readonly HostileCall[], ran: readonly string[]): readonly string[] {
  return ran.length > calls.length ? [`${ran.length} of ${calls.length} calls ran`] : [];
}
