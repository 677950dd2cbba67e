import type { ToolNames } from './match.ts';

const groups = {
  'group:fs': ['read', 'write', 'edit', 'apply_patch'],
  'group:runtime': ['exec', 'process'],
  'group:memory': ['memory_search', 'memory_get'],
  'group:web': ['web_search', 'web_fetch'],
  'group:sessions': [
    'sessions_list',
    'sessions_history',
    'sessions_send',
    'sessions_spawn',
    'session_status',
  ],
  'group:ui': ['browser', 'canvas'],
  'group:automation': ['cron', 'gateway'],
  'group:messaging': ['message'],
  'group:nodes': ['nodes'],
};

/**
 * The names of OpenClaw's tools, with their groups and aliases, for `createHooks`. A matcher that matches none of these
 * tools is then an error at registration.
 *
 * @example
 * ```ts
 * import { openclawTools } from '@hooks/core/presets';
 *
 * const hooks = createHooks({ ...openclawTools });
 * hooks.on(BeforeToolCall.matching('group:fs'), (call) => …);
 * ```
 */
export const openclawTools: Required<ToolNames> = {
  aliases: { bash: 'exec', 'apply-patch': 'apply_patch' },
  groups,
  knownTools: [...Object.values(groups).flat(), 'agents_list', 'image', 'tts'],
};
