import type { Answer } from '../../protocol/answer.ts';
import { checked, type Printed, refuseMisplaced } from '../output.ts';
import { claudeCodeEvents } from './events.ts';

/**
 * The output of a Claude Code hook. Unknown fields are ignored; fields that only have an effect in Claude Code are
 * reported.
 */
export function readClaudeOutput(json: unknown, wireEvent: string): Answer {
  refuseMisplaced(claudeOutput, json);
  const output = checked(claudeOutput, json);
  const specific = output.hookSpecificOutput;
  const { additionalContext: context } = specific;
  // On Stop, context keeps the agent working, like a block.
  const goesOn = wireEvent === 'Stop' && context !== undefined && output.decision !== 'block';
  const refused = output.decision === 'block' || specific.decision.behavior === 'deny' || goesOn;
  const stops = output.continue === false;
  const permission = refused ? 'deny' : permissionOf(output);
  const reason =
    (goesOn ? context : undefined) ??
    (output.decision === 'block' ? output.reason : undefined) ??
    specific.permissionDecisionReason ??
    specific.decision.message ??
    (stops ? output.stopReason : undefined) ??
    output.reason;
  const input = specific.updatedInput ?? specific.decision.updatedInput;
  const replaced = specific.updatedToolOutput ?? specific.updatedMCPToolOutput;
  const messages = [
    ...(output.systemMessage ? [output.systemMessage] : []),
    ...withoutEffect(output, wireEvent),
  ];
  return {
    ...(permission && { permission }),
    ...(reason && { reason }),
    ...((stops || specific.decision.interrupt) && { stop: true }),
    ...(input && specific.permissionDecision !== 'defer' && { input }),
    ...(replaced !== undefined && { output: { value: replaced } }),
    ...(context && { context: [context] }),
    ...(messages.length > 0 && { messages }),
  };
}

/** What a hook of Claude Code and one of Codex may answer. */
export const sharedOutput = {
  continue: 'boolean',
  stopReason: 'string',
  suppressOutput: 'boolean',
  systemMessage: 'string',
  decision: ['block', 'approve'],
  reason: 'string',
} as const;

/** The same for `hookSpecificOutput`. */
export const sharedSpecific = {
  permissionDecisionReason: 'string',
  updatedInput: 'record',
  updatedMCPToolOutput: 'any',
  additionalContext: 'string',
  decision: {
    behavior: ['allow', 'deny'],
    message: 'string',
    interrupt: 'boolean',
    updatedInput: 'record',
    updatedPermissions: 'any',
  },
} as const;

const claudeOutput = {
  ...sharedOutput,
  hookSpecificOutput: {
    ...sharedSpecific,
    permissionDecision: ['allow', 'deny', 'ask', 'defer'],
    updatedToolOutput: 'any',
    retry: 'any',
    sessionTitle: 'any',
    initialUserMessage: 'any',
    watchPaths: 'any',
    reloadSkills: 'any',
    suppressOriginalPrompt: 'any',
    classifierContext: 'any',
  },
} as const;

type ClaudeOutput = Printed<typeof claudeOutput>;

/** The user's notice of fields that only have an effect in Claude Code. */
function withoutEffect({ hookSpecificOutput: specific }: ClaudeOutput, wireEvent: string): readonly string[] {
  const takes = claudeCodeEvents[wireEvent]?.takes ?? [];
  // On Stop, context keeps the agent working.
  const context = takes.includes('context') || wireEvent === 'Stop' ? undefined : specific.additionalContext;
  const fields = {
    updatedPermissions: specific.decision.updatedPermissions,
    retry: specific.retry,
    sessionTitle: specific.sessionTitle,
    initialUserMessage: specific.initialUserMessage,
    watchPaths: specific.watchPaths,
    reloadSkills: specific.reloadSkills,
    suppressOriginalPrompt: specific.suppressOriginalPrompt,
    classifierContext: specific.classifierContext,
    additionalContext: context,
  };
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([field]) => `A ${wireEvent} hook answered ${field}, which has no effect here.`);
}

/** `defer` hands the call to the program that runs Claude Code. Here it requires approval. */
function permissionOf(output: ClaudeOutput): Answer['permission'] {
  const specific = output.hookSpecificOutput;
  if (specific.permissionDecision === 'defer') return 'ask';
  if (specific.permissionDecision) return specific.permissionDecision;
  return specific.decision.behavior === 'allow' || output.decision === 'approve' ? 'allow' : undefined;
}
