import { createHooks } from '@hooks/core';
import { hookedRunner } from '@hooks/openai-agents';
import { Runner } from '@openai/agents';
import { supportPolicy } from './support-policy.ts';

const hooks = createHooks();
hooks.use(supportPolicy({ limit: 50 }));

export const runner = hookedRunner(new Runner(), hooks, { approval: 'native' });
