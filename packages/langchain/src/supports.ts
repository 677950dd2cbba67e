import type { SupportTable } from '@hooks/core';

/** What this adapter can and cannot do, by event. */
export const supports: SupportTable = { adapter: '@hooks/langchain', events: {} };
