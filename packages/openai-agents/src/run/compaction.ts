import { AfterCompaction, type HookDecision } from '@hooks/core';
import type { AgentInputItem } from '@openai/agents';
import { messagesOf } from '../translate.ts';
import { currentRun } from './hooked-run.ts';

/** A session that compacts its history after a turn, by what the SDK calls a compaction-aware session. */
interface CompactingSession {
  getItems(limit?: number, runContext?: unknown): Promise<AgentInputItem[]>;
  runCompaction(args?: { readonly force?: boolean }, ...rest: unknown[]): Promise<Compacted | null>;
  /** The SDK's own such session asks this, which may be an option of its user, unless it is forced. */
  shouldTriggerCompaction?(context: unknown): boolean | Promise<boolean>;
}

interface Compacted {
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
}

const HOOKED = Symbol('hooks.compaction');

/**
 * Makes hooks decide about compactions of a session in a hooked run. Elsewhere the session works as before. The
 * session is changed in place, because the SDK identifies sessions by the object.
 */
export function hookCompaction(session: object): void {
  if (!compacts(session) || HOOKED in session.runCompaction) return;
  const compact = session.runCompaction.bind(session);
  const decide = session.shouldTriggerCompaction?.bind(session);
  if (decide !== undefined)
    hide(
      session,
      'shouldTriggerCompaction',
      async (context: unknown) => (await decide(context)) && !(await isVetoed('auto')),
    );
  const runCompaction: CompactingSession['runCompaction'] = async (args, ...rest) => {
    const source = args?.force === true ? 'manual' : 'auto';
    if ((source === 'manual' || decide === undefined) && (await isVetoed(source))) return null;
    const run = currentRun();
    if (run?.hears(AfterCompaction) !== true) return compact(args, ...rest);
    const texts = async () => messagesOf(await session.getItems(undefined, rest[0])).map(({ text }) => text);
    const before = new Set(await texts());
    const compacted = await compact(args, ...rest);
    if (compacted === null) return null;
    const summary = (await texts()).filter((text) => !before.has(text)).join('\n');
    const { inputTokens, outputTokens } = compacted.usage;
    await run.compacted({ source, inputTokens, outputTokens }, summary);
    return compacted;
  };
  hide(session, 'runCompaction', Object.assign(runCompaction, { [HOOKED]: true }));
}

function compacts(session: object): session is CompactingSession {
  return 'runCompaction' in session && typeof session.runCompaction === 'function';
}

function hide(session: object, name: string, value: unknown): void {
  Object.defineProperty(session, name, { value, configurable: true, writable: true });
}

async function isVetoed(source: 'auto' | 'manual'): Promise<boolean> {
  // The SDK also compacts after a run was aborted, when it has stored what there is.
  const answer = await currentRun()?.compact({ source }, { refuse: onlyVeto, signal: undefined });
  return answer?.kind === 'vetoed';
}

function onlyVeto({ kind }: HookDecision): string | undefined {
  return kind === 'modify' ? 'the session makes the compacted history itself' : undefined;
}
