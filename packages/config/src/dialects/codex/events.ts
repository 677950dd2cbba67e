import { claudeCodeEvents } from '../claude-code/events.ts';
import type { WireEvent } from '../dialect.ts';

/** Codex's events, which have Claude Code's names and fields, and what its hooks may answer. */
export const codexEvents: Readonly<Record<string, WireEvent>> = {
  PreToolUse: { ...like('PreToolUse'), takes: ['deny', 'ask', 'input', 'context', 'stop'] },
  PermissionRequest: without('exit2', { ...like('PermissionRequest'), takes: ['deny', 'approval'] }),
  // A refusal replaces the result.
  PostToolUse: without('refusal', { ...like('PostToolUse'), takes: ['deny', 'context', 'stop'] }),
  UserPromptSubmit: without('timeoutMs', like('UserPromptSubmit')),
  Stop: like('Stop'),
  SessionStart: like('SessionStart'),
  SessionEnd: without('timeoutMs', like('SessionEnd')),
  SubagentStart: like('SubagentStart'),
  SubagentStop: like('SubagentStop'),
  PreCompact: like('PreCompact'),
  PostCompact: like('PostCompact'),
};

function like(name: string): WireEvent {
  const found = claudeCodeEvents[name];
  if (!found) throw new Error(`Claude Code has no event ${name}`);
  return found;
}

function without(field: 'exit2' | 'refusal' | 'timeoutMs', { [field]: _, ...rest }: WireEvent): WireEvent {
  return rest;
}
