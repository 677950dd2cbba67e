import type { Attachment } from '@hooks/core/adapter';
import type { RequestContext } from '@mastra/core/request-context';
import type { HookedOptions } from './options.ts';

/** The registries that hook an agent or a tool, with the options that they were attached with. */
export type Registries = Attachment<RequestContext, HookedOptions>;
