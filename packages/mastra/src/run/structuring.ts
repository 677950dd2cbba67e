import { AfterModelCall, BeforeModelCall, HooksError } from '@hooks/core';
import { decides } from '@hooks/core/adapter';
import type { AgentAttachment } from '../attach.ts';
import type { RunOptions } from '../agent.ts';

/**
 * A `structuredOutput` with a `model` of its own: Mastra makes an agent of it that writes the object, whose calls nobody is
 * asked about. It is refused where hooks may want to refuse or change one. With `useAgent` and a thread the hooked agent
 * writes it itself.
 *
 * @throws HooksError `UNSUPPORTED_EVENT`
 */
export function refuseStructuring(
  agent: string,
  { hooks, settings }: AgentAttachment,
  structured: RunOptions['structuredOutput'],
  thread: string | undefined,
): void {
  if (structured?.model === undefined || (structured.useAgent === true && thread !== undefined)) return;
  const unasked = [BeforeModelCall, AfterModelCall]
    .filter((point) => decides(hooks, point) && !settings.allowUnsupported?.includes(point.type))
    .map(({ type }) => type);
  if (unasked.length === 0) return;
  throw new HooksError(
    'UNSUPPORTED_EVENT',
    `hooked: no hook is asked on ${unasked.join(', ')} of the model that structuredOutput of the agent "${agent}" has for itself: leave its \`model\` out, or list what may go unasked in allowUnsupported.`,
  );
}
