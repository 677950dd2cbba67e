import { AfterCompaction, BeforeCompaction, type HookDecision } from '@hooks/core';
import type { AgentInputItem } from '@openai/agents';
import { messagesOf } from '../translate.ts';
import { common, concerns, currentScopes } from './scope.ts';

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

const hooked: WeakSet<object> = new WeakSet();

/**
 * Has hooks asked when a session compacts its history in a hooked run; outside of hooked runs it does as before. The
 * session is changed in place, since the SDK keeps what it knows of a session by the session itself.
 */
export function hookCompaction(session: object | undefined): void {
  if (session === undefined || hooked.has(session) || !compacts(session)) return;
  hooked.add(session);
  const run = session.runCompaction.bind(session);
  const decide = session.shouldTriggerCompaction?.bind(session);
  if (decide !== undefined)
    hide(
      session,
      'shouldTriggerCompaction',
      async (context: unknown) => (await decide(context)) && !(await vetoed('auto')),
    );
  hide(session, 'runCompaction', async (args?: { readonly force?: boolean }, ...rest: unknown[]) => {
    const forced = args?.force === true;
    if ((forced || decide === undefined) && (await vetoed(forced ? 'manual' : 'auto'))) return null;
    const told = currentScopes().some((scope) => concerns(scope, AfterCompaction));
    const texts = async () => messagesOf(await session.getItems(undefined, rest[0])).map(({ text }) => text);
    const before = new Set(told ? await texts() : []);
    const compacted = await run(args, ...rest);
    if (told && compacted !== null) {
      const summary = (await texts()).filter((text) => !before.has(text)).join('\n');
      await announce(compacted, forced ? 'manual' : 'auto', summary);
    }
    return compacted;
  });
}

function compacts(session: object): session is CompactingSession {
  return 'runCompaction' in session && typeof session.runCompaction === 'function';
}

function hide(session: object, name: string, value: unknown): void {
  Object.defineProperty(session, name, { value, configurable: true, writable: true });
}

type Source = 'auto' | 'manual';

const reasons = { auto: 'threshold', manual: 'manual' } as const;

async function vetoed(source: Source): Promise<boolean> {
  for (const scope of currentScopes()) {
    // The SDK does not tell how long the history is.
    const event = {
      ...common(scope),
      inputTokens: 0,
      outputTokens: 0,
      contextLimit: 0,
      reason: reasons[source],
      source,
    };
    const { signal, attached } = scope;
    const decision = await attached.hooks.dispatch(BeforeCompaction, event, { signal, refuse: onlyVeto });
    if (decision.kind === 'block') return true;
  }
  return false;
}

function onlyVeto({ kind }: HookDecision): string | undefined {
  return kind === 'modify' ? 'the session makes the compacted history itself' : undefined;
}

async function announce({ usage }: Compacted, source: Source, summary: string): Promise<void> {
  for (const scope of currentScopes()) {
    await scope.attached.hooks.dispatch(AfterCompaction, {
      ...common(scope),
      inputTokens: usage.inputTokens,
      outputTokens: usage.outputTokens,
      contextLimit: 0,
      reason: reasons[source],
      source,
      summary,
    });
  }
}
