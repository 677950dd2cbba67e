import type { ApprovalAnswer, EventPayload } from '@hooks/core';
import type { ToolSpec } from '../harness.ts';
import type { Stage } from '../stage.ts';
import { policies } from './policies.ts';
import type { HookedAlone } from './resume.ts';

interface Alone {
  readonly spec: Pick<ToolSpec, 'hooks' | 'attach'>;
  readonly events: readonly EventPayload[];
  readonly asked: () => number;
}

/** A registry for the tool itself, the fields of the tool's spec, and what the registry saw. */
export function hookedAlone(stage: Stage, { policy, approval }: HookedAlone, storage: string): Alone {
  const hooks = stage.registry();
  const events = stage.events(hooks);
  policies[policy](hooks, storage);
  let asked = 0;
  const approver = (): ApprovalAnswer => {
    asked++;
    return approval === 'allow' ? { decision: 'allow' } : { decision: 'deny', reason: 'The tool says no.' };
  };
  const attach = approval === 'unset' ? {} : { approval: approver };
  return { spec: { hooks: [hooks], attach }, events, asked: () => asked };
}
