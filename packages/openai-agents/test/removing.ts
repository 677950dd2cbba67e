import type { Step } from '@hooks/conformance';
import { type FunctionTool, tool } from '@openai/agents';
import { type Mock, vi } from 'vitest';
import { z } from 'zod';
import { call } from './setup.ts';

/** The model wants something removed, and is done. */
export const script: readonly Step[] = [{ toolCalls: [call('remove', { path: 'a' })] }, { text: 'Done.' }];

const parameters: z.ZodObject<{ path: z.ZodString }> = z.object({ path: z.string() });

/** A tool that people may have to be asked about, and its function. */
export interface Removing {
  readonly remove: FunctionTool<unknown, typeof parameters, string>;
  readonly execute: Mock<(input: { path: string }) => string>;
}

/** Makes one. */
export function removing(needsApproval = false): Removing {
  const execute = vi.fn(({ path }: { path: string }) => `removed ${path}`);
  const remove = tool({
    name: 'remove',
    description: '',
    parameters,
    needsApproval,
    execute,
  });
  return { remove, execute };
}
