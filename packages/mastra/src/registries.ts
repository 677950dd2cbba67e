import type { Hooks } from '@hooks/core';
import { type AttachingFunction, Attachment, type SupportTable } from '@hooks/core/adapter';
import type { RequestContext } from '@mastra/core/request-context';
import type { HookedOptions } from './options.ts';
import { supports } from './supports.ts';

/** The registries that hook an agent or a tool, with the options that they were attached with. */
export type Registries = Attachment<RequestContext, HookedOptions>;

/** Attaches a registry, and declares the tools that it hooks. */
export function attach(
  by: AttachingFunction,
  hooks: Hooks,
  options: HookedOptions,
  tools: readonly string[],
  declared: SupportTable = supports,
): Registries {
  return Attachment.of(hooks, options, { ...by, supports: declared, tools });
}
