import type { Attachment } from '@hooks/core/adapter';
import type { HookedOptions, NativeRun } from './options.ts';

/** The registries that hook a query, a server or a tool, with the options that they were attached with. */
export type Registries = Attachment<NativeRun, HookedOptions>;
