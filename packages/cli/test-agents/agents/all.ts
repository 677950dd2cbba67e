import type { AgentName } from '../packages.ts';
import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { gemini } from './gemini.ts';
import { opencode } from './opencode.ts';
import type { RealAgent } from './real-agent.ts';

/** How to run each agent. */
export const REAL_AGENTS: Readonly<Record<AgentName, RealAgent>> = {
  'claude-code': claudeCode,
  codex,
  copilot,
  gemini,
  opencode,
};
