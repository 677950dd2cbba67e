import { type FlowAdvice, type FlowOptions, flow, ifcLabels, lintFlow } from '@hooks/flow';
import { named } from './arguments.ts';
import type { Builtin } from './builtin.ts';
import type { FlowArguments } from './flow-schema.ts';
import { storeAt } from './store.ts';

/** Takes what `flow:` of a file has. A store is a file. */
export const flows: Builtin = async (args, { storesIn }) => {
  const { store, ...policy } = await policyOf(args);
  return flow({ ...policy, ...(store !== undefined && { store: await storeAt(store, storesIn) }) });
};

/**
 * The built-in `flow` without its store, for `loadHooks({ builtins: { flow: flowInMemory } })`: a replay must not change what is
 * known of conversations.
 */
export const flowInMemory: Builtin = async (args) => {
  const { store: _, ...policy } = await policyOf(args);
  return flow(policy);
};

/** What is doubtful in the policy. */
export async function adviceOnFlow(args: Parameters<Builtin>[0]): Promise<readonly FlowAdvice[]> {
  const { sources = {}, sinks } = await policyOf(args);
  return lintFlow({ sources, ...(sinks && { sinks }) });
}

async function policyOf(
  args: Parameters<Builtin>[0],
): Promise<Omit<FlowOptions, 'store'> & Pick<FlowArguments, 'store'>> {
  const { flowSchema } = await import('./flow-schema.ts');
  const { sources, ...policy } = await named<FlowArguments>(args, () => flowSchema);
  const read = Object.entries(sources ?? {}).map(
    ([tools, source]) => [tools, source === 'ifc_labels' ? ifcLabels : source] as const,
  );
  return { ...policy, ...(sources && { sources: Object.fromEntries(read) }) };
}
