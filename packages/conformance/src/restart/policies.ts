import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  AfterToolCall,
  BeforeExecute,
  BeforeToolCall,
  block,
  type Hooks,
  modify,
  proceed,
  requireApproval,
} from '@hooks/core';

/** Registers the hooks of one process. The processes share a directory. */
export type Policy = (hooks: Hooks, storage: string) => void;

const why = 'It costs money.';

export type PolicyName =
  | 'has no hooks'
  | 'looks on'
  | 'rewrites the input'
  | 'requires approval'
  | 'requires approval and replaces the output'
  | 'requires approval of another input'
  | 'blocks in a guard'
  | 'requires approval and permits one call';

/** Hooks by name, because a name is all that another process can receive. */
export const policies: Readonly<Record<PolicyName, Policy>> = {
  'has no hooks': (hooks) => {
    hooks.clear();
  },
  'looks on': (hooks) => {
    hooks.on(BeforeToolCall, () => proceed());
  },
  'rewrites the input': (hooks) => {
    hooks.on(BeforeToolCall, () => modify({ input: { city: 'Oslo' } }));
  },
  'requires approval': (hooks) => {
    hooks.on(BeforeToolCall, () => requireApproval(why));
  },
  'requires approval and replaces the output': (hooks) => {
    hooks.on(BeforeToolCall, () => requireApproval(why));
    hooks.on(AfterToolCall, ({ status }) => modify(status === 'ok' ? { output: 'the weather is ours' } : {}));
  },
  'requires approval of another input': (hooks) => {
    hooks.on(BeforeToolCall, () => modify({ input: { city: 'Oslo' } }));
    hooks.on(BeforeToolCall, () => requireApproval(why));
  },
  'blocks in a guard': (hooks) => {
    hooks.on(BeforeToolCall, () => requireApproval(why));
    hooks.guard(BeforeToolCall, () => block('No longer allowed.'));
  },
  'requires approval and permits one call': (hooks, storage) => {
    hooks.on(BeforeToolCall, () => requireApproval(why));
    hooks.guard(BeforeExecute, async () => {
      const file = join(storage, 'calls-so-far');
      await appendFile(file, '.');
      return (await readFile(file, 'utf8')).length > 1 ? block('One call was enough.') : proceed();
    });
  },
};
