import type { Hooks } from '@hooks/core';
import { z } from 'zod';

/** A team's agent: does the task with these tools, under these hooks; resolves to its last words. */
export type TeamAgent = (team: Team, task: string) => Promise<string>;

interface Team {
  readonly hooks: Hooks;
  readonly tools: readonly TeamTool[];
  readonly model: { readonly url: string; readonly apiKey: string };
}

/** A tool, before a framework makes its own of it. */
export interface TeamTool {
  readonly name: string;
  readonly description: string;
  readonly schema: z.ZodObject;
  readonly execute: (input: Record<string, unknown>) => string;
}

/** The tools of every team. `onRun` hears of each one that really runs. */
export function teamTools(onRun: (tool: string) => void): readonly TeamTool[] {
  const tool = (name: string, argument: string, answer: string): TeamTool => ({
    name,
    description: `${name} (${argument})`,
    schema: z.object({ [argument]: z.string() }),
    execute: () => {
      onRun(name);
      return answer;
    },
  });
  return [
    tool('write', 'path', 'written'),
    tool('shell', 'command', 'done'),
    tool('read', 'path', 'region=eu\npassword=correct-horse-7-battery'),
    tool('send_mail', 'to', 'sent'),
  ];
}
