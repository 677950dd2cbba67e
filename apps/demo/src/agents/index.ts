import type { Approver, Hooks } from '@hooks/core';
import type { DemoTool } from '../tools.ts';

/** What every framework is given. */
interface Job {
  readonly hooks: Hooks;
  readonly tools: readonly DemoTool[];
  readonly model: { readonly url: string; readonly apiKey: string; readonly name: string };
  readonly task: string;
  /** Who approves what hooks require; nobody unless set. */
  readonly approval?: Approver | undefined;
  /** What a client of MCP calls the conversation. Without it, each of its calls stands for itself. */
  readonly conversation?: string;
}

/** Runs the job in one framework; resolves to the agent's last words. */
export type Framework = (job: Job) => Promise<string>;

export const INSTRUCTIONS = 'You are a careful assistant. Use the tools.';
