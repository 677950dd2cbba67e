import type { Approver } from '@hooks/core';
import type { ToolHookOptions } from './options.ts';
import type { Whereabouts } from './run.ts';

/** Who approves a call at this place. */
export function approverFor(
  approval: ToolHookOptions['approval'],
  _config: Whereabouts | undefined,
): Approver | 'deny' | undefined {
  return approval === 'native' ? undefined : approval;
}
