import { hookedAgent } from '@hooks/ai-sdk';
import {
  BeforeToolCall,
  block,
  createHooks,
  modify,
  proceed,
  requireApproval,
  TransformToolResult,
} from '@hooks/core';
import type { LanguageModel, ToolLoopAgent } from 'ai';
import { z } from 'zod';
import { type Files, type Tools, toolsFor } from './tools.ts';

/** The policy: a person approves what is deleted, `.env` stays, and no key leaves a tool. */
const hooks = createHooks();
hooks.guard(
  BeforeToolCall.matching('deleteFile', z.object({ path: z.string() })),
  ({ input }) =>
    input.path === '.env'
      ? block('The file .env stays.')
      : requireApproval(`Delete ${input.path}?`),
);
hooks.on(TransformToolResult, ({ output }) =>
  typeof output === 'string'
    ? modify({ output: output.replace(/sk-\w+/g, '[redacted]') })
    : proceed(),
);

/**
 * An agent whose calls that need approval end a response, and go on with the next request.
 *
 * @param secret signs the requests for approval, so that no client changes what a person approved
 */
export function chatAgent(
  model: LanguageModel,
  files: Files,
  secret: string,
): ToolLoopAgent<never, Tools> {
  const settings = {
    model,
    tools: toolsFor(files),
    experimental_toolApprovalSecret: secret,
  };
  return hookedAgent<never, Tools>(settings, hooks, { approval: 'native' });
}
