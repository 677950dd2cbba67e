import type { HookEntry } from '../entry.ts';
import type { ConfigIssue } from './error.ts';

/** What works, and is likely not what was meant. */
export function advise(entries: readonly HookEntry[]): readonly ConfigIssue[] {
  const judges = entries.filter(isJudge);
  return judges.flatMap((judge) => {
    const say = (message: string): ConfigIssue => ({ ...judge.origin, path: judge.wireEvent, message });
    if (judge.event !== 'before_tool_call' && judge.event !== 'permission_request') {
      return [say(`"${judge.label}" judges tool calls, of which ${judge.wireEvent} is none`)];
    }
    const beside = entries.some(
      ({ event, handler }) => event === 'before_tool_call' && handler.type !== 'model',
    );
    if (beside) return [];
    return [
      say(`"${judge.label}" stands alone: a judge can be talked round, so put a hook beside it that cannot`),
    ];
  });
}

function isJudge({ handler }: HookEntry): boolean {
  return handler.type === 'model' && handler.schema !== undefined;
}
