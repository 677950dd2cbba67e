import { AfterModelCall, BeforeModelCall, BeforeRun, HooksError, UserPromptSubmit } from '@hooks/core';
import { decides } from '@hooks/core/adapter';
import type { AgentAttachment } from '../attach.ts';
import { type LegacyStart, replaceMethod } from '../internals.ts';
import type { AnyAgent } from '../agent.ts';
import { delegatedFrom } from './delegation.ts';

interface Unasked {
  /** Types of more events on which hooks may want to refuse what the run does. */
  readonly judged?: readonly string[];
  /** Whether a sub-agent runs: nobody submits it a prompt. */
  readonly delegated?: boolean;
}

/**
 * Refuses a run that Mastra starts itself, where hooks may want to refuse what they are not asked about in it.
 *
 * @param run which one, as in `a network of`
 * @throws HooksError `UNSUPPORTED_EVENT`
 */
export function refuseUnasked(
  run: string,
  { name }: AnyAgent,
  { hooks, settings }: AgentAttachment,
  { judged = [], delegated = false }: Unasked,
): void {
  const points = [...(delegated ? [] : [UserPromptSubmit, BeforeRun]), BeforeModelCall, AfterModelCall];
  const types = [...points.filter((point) => decides(hooks, point)).map(({ type }) => type), ...judged];
  const unasked = types.filter((type) => settings.allowUnsupported?.includes(type) !== true);
  if (unasked.length === 0) return;
  throw new HooksError(
    'UNSUPPORTED_EVENT',
    `hooked: in ${run} the agent "${name}" no hook is asked on ${unasked.join(', ')}: use generate or stream, or list what may go unasked in allowUnsupported.`,
  );
}

/** `generateLegacy` and `streamLegacy` ask about tool calls only. */
export function guardLegacy(agent: AnyAgent, attachment: AgentAttachment): void {
  for (const method of ['generateLegacy', 'streamLegacy'] as const) {
    const start: LegacyStart = agent[method].bind(agent);
    replaceMethod(agent, method, async (messages, options) => {
      const delegated = delegatedFrom(attachment.hooks, agent, options?.requestContext) !== undefined;
      refuseUnasked(`${method} of`, agent, attachment, { delegated });
      return start(messages, options);
    });
  }
}
