import { block, createHooks, UserPromptSubmit } from '@hooks/core';
import { attachAdapter } from '@hooks/core/adapter';
import { supports } from './supports.ts';

const hooks = createHooks();
hooks.guard(UserPromptSubmit, () => block('Ask the HR desk.'), { id: 'hr' });

// The first line of `hookTool`:
try {
  attachAdapter(hooks, { supports, tools: ['search'] });
} catch (error) {
  console.log((error as Error).message);
}
