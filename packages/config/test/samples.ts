import {
  AfterCompaction,
  AfterModelCall,
  AfterToolCall,
  AgentError,
  AgentSwitch,
  BeforeCompaction,
  BeforeModelCall,
  BeforeRun,
  BeforeToolCall,
  type Hooks,
  MaxIterations,
  Notification,
  PermissionRequest,
  SessionResume,
  Stop,
  SubagentStart,
  SubagentStop,
  ToolApprovalDecision,
  TransformToolResult,
  TurnEnd,
  TurnStart,
  UserInputRequired,
  UserPromptSubmit,
} from '@hooks/core';

/** Dispatches every event of the catalogue, as an adapter would; `SessionStart` fires by itself. */
export async function dispatchAll(hooks: Hooks): Promise<void> {
  const session = hooks.session('abc123', { principal: { id: 'ann', roles: ['admin'] } });
  const at = { session, agent: 'root', run: 'run-1', turn: 'turn-1', native: { never: 'seen' } };
  const tool = {
    callId: 'call_xyz',
    toolName: 'shell',
    nativeToolName: 'shell',
    input: { cmd: 'ls', cwd: '.' },
  };
  const answered = { response: 'All done.', lastUserMessage: 'Please do.' };
  const compaction = {
    inputTokens: 900,
    outputTokens: 100,
    contextLimit: 0,
    reason: 'threshold',
    source: 'tool_overflow',
  } as const;
  const messages = [{ role: 'user', text: 'Please do.', native: { never: 'seen' } }] as const;
  const response = { text: 'All done.', toolCalls: [], native: { never: 'seen' } };
  const ran = { ran: true, durationMs: 12, attempt: 1 };

  await hooks.dispatch(UserPromptSubmit, { ...at, prompt: 'Please do.', metadata: { tag: 1 } });
  await hooks.dispatch(BeforeRun, {
    ...at,
    message: 'Please do.',
    metadata: {},
    model: 'm',
    settings: { temperature: 0 },
  });
  await hooks.dispatch(TurnStart, { ...at, iteration: 1 });
  await hooks.dispatch(BeforeModelCall, {
    ...at,
    iteration: 1,
    model: 'm',
    messages,
    tools: [{ name: 'shell' }],
  });
  await hooks.dispatch(AfterModelCall, {
    ...at,
    iteration: 1,
    attempt: 1,
    response,
    lastUserMessage: 'Please do.',
  });
  await hooks.dispatch(BeforeToolCall, { ...at, ...tool });
  await hooks.dispatch(PermissionRequest, { ...at, ...tool, reason: 'not read-only' });
  await hooks.dispatch(ToolApprovalDecision, { ...at, ...tool, approval: 'deny', source: 'user_rejected' });
  await hooks.dispatch(TransformToolResult, { ...at, ...tool, status: 'ok', output: 'a.txt', attempt: 1 });
  await hooks.dispatch(AfterToolCall, { ...at, ...tool, ...ran, status: 'ok', output: { files: ['a.txt'] } });
  await hooks.dispatch(AfterToolCall, {
    ...at,
    ...tool,
    ...ran,
    status: 'error',
    error: new Error('no such file'),
  });
  await hooks.dispatch(TurnEnd, { ...at, iteration: 1, reason: 'normal' });
  await hooks.dispatch(Stop, { ...at, ...answered, continuations: 1 });
  await hooks.dispatch(SubagentStart, { ...at, subagent: 'reviewer', subagentSession: 'child-1' });
  await hooks.dispatch(SubagentStop, {
    ...at,
    subagent: 'reviewer',
    subagentSession: 'child-1',
    response: 'Looks good.',
  });
  await hooks.dispatch(AgentSwitch, {
    ...at,
    from: 'root',
    to: 'reviewer',
    switchKind: 'handoff',
    models: [],
  });
  await hooks.dispatch(BeforeCompaction, { ...at, ...compaction });
  await hooks.dispatch(AfterCompaction, { ...at, ...compaction, summary: 'They talked.' });
  await hooks.dispatch(UserInputRequired, { ...at });
  await hooks.dispatch(Notification, { ...at, level: 'warning', message: 'careful' });
  await hooks.dispatch(AgentError, { ...at, error: new Error('boom'), message: 'boom' });
  await hooks.dispatch(MaxIterations, { ...at, maxIterations: 50, message: 'reached 50' });
  await hooks.dispatch(SessionResume, { ...at, previousMaxIterations: 50, newMaxIterations: 100 });
  await session.close('evicted');
}
