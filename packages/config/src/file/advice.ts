import type { HookEntry } from '../entry.ts';
import type { ConfigIssue } from './error.ts';

/** Notices about valid files that probably do not do what their author meant. */
export function advise(entries: readonly HookEntry[]): readonly ConfigIssue[] {
  const judges = entries.filter(isJudge);
  const say = ({ origin, wireEvent }: HookEntry, message: string): ConfigIssue => ({
    ...origin,
    path: wireEvent,
    message,
  });
  const fails = entries.flatMap((entry) => {
    const { handler } = entry;
    return handler.type === 'unsupported' ? [say(entry, `it always fails: ${handler.reason}`)] : [];
  });
  const ofJudges = judges.flatMap((judge) => {
    if (judge.event !== 'before_tool_call' && judge.event !== 'permission_request') {
      return [
        say(judge, `"${judge.label}" judges tool calls, but ${judge.wireEvent} is not about a tool call`),
      ];
    }
    const beside = entries.some(
      ({ event, handler }) => event === 'before_tool_call' && handler.type !== 'model',
    );
    if (beside) return [];
    return [
      say(
        judge,
        `"${judge.label}" is the only hook here: a model can be talked into a verdict, so add a hook that cannot`,
      ),
    ];
  });
  return [...fails, ...ofJudges];
}

function isJudge({ handler }: HookEntry): boolean {
  return handler.type === 'model' && handler.schema !== undefined;
}
