import type { Hooks } from '@hooks/core';
import { type AttachingFunction, Attachment } from '@hooks/core/adapter';
import type { HookedOptions } from './options.ts';
import { supports } from './supports.ts';

/** The registries that hook a run, an agent or a tool, with the options that they were attached with. */
export type Registries = Attachment<unknown, HookedOptions>;

/** Attaches a registry. Its tools are declared when they are known. */
export function attachRegistry(by: AttachingFunction, hooks: Hooks, options: HookedOptions): Registries {
  return Attachment.of(hooks, options, { ...by, supports });
}
