import type { Agent } from './agent.ts';
import { ai4j } from './ai4j.ts';
import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { cursor } from './cursor.ts';
import { dockerAgent } from './docker-agent.ts';
import { gemini } from './gemini.ts';
import { opencode } from './opencode.ts';

/** The command-line agents that can run `hooks run` as a hook, by the name that `--as` takes. */
export const AGENTS: Readonly<Record<string, Agent>> = {
  'claude-code': claudeCode,
  codex,
  gemini,
  copilot,
  cursor,
  opencode,
  'docker-agent': dockerAgent,
  ai4j,
};
