import type { Hooks } from '@hooks/core';
import { type AttachingFunction, Attachment } from '@hooks/core/adapter';
import type { HookedOptions, NativeRun } from './options.ts';
import { proxySupports, supports } from './supports.ts';

/** The registries that hook a query, a server or a tool, with the options that they were attached with. */
export type Registries = Attachment<NativeRun, HookedOptions>;

/** Attaches a registry, and declares the tools that it hooks here. */
export function attach(
  by: AttachingFunction,
  hooks: Hooks,
  options: HookedOptions,
  tools: readonly string[],
): Registries {
  const table = options.models === 'proxy' ? proxySupports : supports;
  return Attachment.of(hooks, options, { ...by, supports: table, tools });
}
