import type { HookEntry } from '../entry.ts';
import type { ConfigIssue } from './error.ts';

/** Notices about valid files that probably do not do what was meant. */
export function advise(entries: readonly HookEntry[]): readonly ConfigIssue[] {
  const judges = entries.filter(isJudge);
  const say = ({ origin, wireEvent }: HookEntry, message: string): ConfigIssue => ({
    ...origin,
    path: wireEvent,
    message,
  });
  const fails = entries.flatMap((entry) => {
    const { handler } = entry;
    return handler.type === 'unsupported'
      ? [say(entry, `it fails whenever it is asked: ${handler.reason}`)]
      : [];
  });
  const ofJudges = judges.flatMap((judge) => {
    if (judge.event !== 'before_tool_call' && judge.event !== 'permission_request') {
      return [say(judge, `"${judge.label}" judges tool calls, of which ${judge.wireEvent} is none`)];
    }
    const beside = entries.some(
      ({ event, handler }) => event === 'before_tool_call' && handler.type !== 'model',
    );
    if (beside) return [];
    return [
      say(
        judge,
        `"${judge.label}" stands alone: a judge can be talked round, so put a hook beside it that cannot`,
      ),
    ];
  });
  return [...fails, ...ofJudges];
}

function isJudge({ handler }: HookEntry): boolean {
  return handler.type === 'model' && handler.schema !== undefined;
}
