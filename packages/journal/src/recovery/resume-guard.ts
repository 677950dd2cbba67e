import {
  answer,
  BeforeToolCall,
  type Block,
  block,
  type HookDecision,
  type HookProvider,
  modify,
  proceed,
  requireApproval,
} from '@hooks/core';
import { JournalError } from '../error.ts';
import { type JournalSource, readJournal } from '../read/read-journal.ts';
import { canonicalJson } from '../record/line.ts';
import { OWN_TYPES } from '../record/schema.ts';

/** Options of {@link resumeGuard}. */
export interface ResumeGuardOptions {
  /** Where the journal is that the run wrote when it died. */
  readonly journal: JournalSource;
}

/** How a call stands that another process began. */
type Recorded =
  /** It was over; `answer` gives again what came of it. */
  | {
      readonly kind: 'over';
      readonly input: unknown;
      readonly toolName: string;
      readonly answer: () => Answer;
    }
  /** It may have run. */
  | { readonly kind: 'unfinished'; readonly input: unknown; readonly toolName: string };

type Answer = ReturnType<typeof answer> | Block;

/**
 * Keeps a run that died from repeating what it did. When its framework takes it up again, a tool call that was over is answered from the
 * journal. One that had begun, and whose end is not on record, waits for a person; where a person has approved it already, it is blocked
 * with a reason that tells the model to look first.
 *
 * Use it beside `journal({ required: true })`: then a call runs only once the journal holds that it may. It knows a call by its session,
 * id, tool and input, so the framework has to repeat the call with the same id.
 *
 * @example
 * ```ts
 * hooks.use(resumeGuard({ journal: '.hooks/journal' }));
 * hooks.use(journal({ sink: '.hooks/journal', required: true }));
 * ```
 */
export function resumeGuard({ journal }: ResumeGuardOptions): HookProvider {
  /** The sessions of other processes; read once, before the first call. */
  let sessions: Promise<ReadonlySet<string>> | undefined;
  const calls = new Map<string, Promise<ReadonlyMap<string, Recorded>>>();
  const callsOf = async (session: string): Promise<ReadonlyMap<string, Recorded> | undefined> => {
    sessions ??= sessionsIn(journal);
    if (!(await sessions).has(session)) return undefined;
    const known = calls.get(session) ?? readCalls(journal, session);
    calls.set(session, known);
    return known;
  };
  return {
    name: 'resume-guard',
    register(hooks) {
      hooks.on(
        BeforeToolCall,
        async ({ session, callId, toolName, input, resumed }): Promise<Decision> => {
          const recorded = (await callsOf(session.id))?.get(callId);
          if (recorded?.toolName !== toolName || !isSame(recorded.input, input)) return proceed();
          if (recorded.kind === 'over') return recorded.answer();
          return resumed?.decision === 'allow'
            ? block(
                `This call of ${toolName} was begun before the process ended, and may have taken effect. Find out whether it did before you call ${toolName} again.`,
              )
            : requireApproval(
                `This call of ${toolName} was begun before the process ended, and may have taken effect. Run it again?`,
                { by: 'person' },
              );
        },
        // Before hooks that would ask a person about a call that is over.
        { id: 'calls', priority: 1_000 },
      );
    },
  };
}

type Decision =
  | Extract<HookDecision, { kind: 'proceed' | 'block' }>
  | ReturnType<typeof answer | typeof requireApproval>;

async function sessionsIn(journal: JournalSource): Promise<ReadonlySet<string>> {
  const sessions = new Set<string>();
  try {
    // What cannot be read says nothing about this run; verify names it.
    for await (const { record } of readJournal(journal, { onProblem: () => {} }))
      if (record.session !== undefined) sessions.add(record.session);
  } catch (error) {
    // Nothing has run yet.
    if (!(error instanceof JournalError) || error.code !== 'NOT_FOUND') throw error;
  }
  return sessions;
}

async function readCalls(journal: JournalSource, session: string): Promise<ReadonlyMap<string, Recorded>> {
  const calls = new Map<string, Recorded>();
  for await (const { record, data } of readJournal(journal, { session, onProblem: () => {} })) {
    const { tool, type } = record;
    if (tool === undefined) continue;
    const { callId, name: toolName } = tool;
    const input = data?.input;
    if (
      type === OWN_TYPES.intent ||
      (type === 'hooks.before_tool_call' && record.decision?.kind !== 'block')
    ) {
      if (calls.get(callId)?.kind !== 'over') calls.set(callId, { kind: 'unfinished', toolName, input });
    } else if (type === 'hooks.before_tool_call' || record.approval?.decision === 'deny')
      calls.delete(callId);
    else if (type === 'hooks.permission_request') {
      // It waits for a person: nothing has run.
      calls.delete(callId);
    } else if (record.approval?.decision === 'allow')
      calls.set(callId, { kind: 'unfinished', toolName, input });
    else if (type === 'hooks.after_tool_call' && record.decision?.kind !== 'retry') {
      if (record.ran !== true) calls.delete(callId);
      else if (data)
        calls.set(callId, { kind: 'over', toolName, input, answer: answerOf(record.status, record, data) });
    }
  }
  return calls;
}

function answerOf(
  status: string | undefined,
  { decision }: { readonly decision?: { readonly kind: string } },
  {
    output,
    errorMessage,
    reason,
  }: { readonly output?: unknown; readonly errorMessage?: string; readonly reason?: string },
): () => Answer {
  if (decision?.kind === 'block' || status === 'blocked')
    return () => block(reason ?? 'The result of this call was withheld before the process ended.');
  if (status === 'error')
    return () =>
      modify({
        execute: () => {
          throw new Error(errorMessage ?? 'The tool failed before the process ended.');
        },
      });
  return () => answer(output);
}

function isSame(one: unknown, other: unknown): boolean {
  try {
    return canonicalJson(one) === canonicalJson(other);
  } catch {
    return false;
  }
}
