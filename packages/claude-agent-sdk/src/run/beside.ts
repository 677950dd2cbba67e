import type { HookCallbackMatcher, HookEvent, Options } from '@anthropic-ai/claude-agent-sdk';
import { warnOnce } from '@hooks/core/adapter';
import type { Registries } from '../registries.ts';
import { answered, type HookOptions, isRecord } from '../sdk.ts';
import { refused } from '../tool/builtin.ts';

/**
 * The user's own callbacks beside ours. Claude Code asks all callbacks of an event at once, about the same values, so
 * they may refuse and add context, but not rewrite what hooks decide on.
 */
export function besideOurs(ours: HookOptions, options: Options, registries: Registries): HookOptions {
  const merged: HookOptions = { ...ours };
  for (const [name, matchers] of Object.entries(options.hooks ?? {})) {
    // The keys of the option.
    const event = name as HookEvent;
    const theirs = (matchers ?? []).map((matcher) => withoutRewrites(event, matcher, registries));
    merged[event] = [...(ours[event] ?? []), ...theirs];
  }
  return merged;
}

function withoutRewrites(
  event: HookEvent,
  matcher: HookCallbackMatcher,
  registries: Registries,
): HookCallbackMatcher {
  const hooks = matcher.hooks.map((hook): typeof hook => async (...given) => {
    const answer = await hook(...given);
    const specific: unknown = Reflect.get(Object(answer), 'hookSpecificOutput');
    if (!isRecord(specific)) return answer;
    const rewrites = ['updatedInput', 'updatedToolOutput', 'updatedMCPToolOutput'].filter(
      (field) => field in specific,
    );
    const { decision } = specific;
    if (event === 'PermissionRequest' && isRecord(decision) && 'updatedInput' in decision)
      rewrites.push('decision.updatedInput');
    if (rewrites.length === 0) return answer;
    const why = `A callback of options.hooks.${event} answered with ${rewrites.join(', ')}, which hooks have not seen. Rewrite with hooks.on instead.`;
    for (const registry of registries.hooks) warnOnce(registry, why);
    return answered(event, event === 'PreToolUse' ? refused(why) : { stop: why });
  });
  return { ...matcher, hooks };
}
