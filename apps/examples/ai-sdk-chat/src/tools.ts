import { type InferUITools, tool, type UIMessage } from 'ai';
import { z } from 'zod';

/** The files that the agent may work on, by name. */
export type Files = Map<string, string>;

/** The agent's tools over these files. */
export function toolsFor(files: Files) {
  return {
    readFile: tool({
      description: 'Reads a file.',
      inputSchema: z.object({ path: z.string() }),
      execute: async ({ path }) => files.get(path) ?? 'There is no such file.',
    }),
    deleteFile: tool({
      description: 'Deletes a file.',
      inputSchema: z.object({ path: z.string() }),
      execute: async ({ path }) =>
        files.delete(path) ? `${path} is deleted.` : 'There is no such file.',
    }),
  };
}

export type Tools = ReturnType<typeof toolsFor>;

/** A message of the chat, with the parts of its tools. */
export type ChatMessage = UIMessage<unknown, never, InferUITools<Tools>>;
