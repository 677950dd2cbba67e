import { ai4j } from './ai4j/dialect.ts';
import { claudeCode } from './claude-code/dialect.ts';
import { codex } from './codex/dialect.ts';
import { copilot } from './copilot/dialect.ts';
import { cursor } from './cursor/dialect.ts';
import type { Dialect, DialectName } from './dialect.ts';
import { dockerAgent } from './docker-agent/dialect.ts';
import { gemini } from './gemini/dialect.ts';
import { hooks } from './hooks/dialect.ts';

/** The dialects, by their names. */
export const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  hooks,
  'docker-agent': dockerAgent,
  'claude-code': claudeCode,
  ai4j,
  cursor,
  copilot,
  gemini,
  codex,
};
