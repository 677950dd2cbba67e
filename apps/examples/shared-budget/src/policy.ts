import {
  BeforeToolCall,
  type HookProvider,
  requireApproval,
} from '@hooks/core';
import { rateLimit } from '@hooks/guards';
import type { Store } from '@hooks/store';

const DAY = 24 * 60 * 60_000;

/** The policy of all agents of the team, wherever they run: four searches a day together, and a person agrees to each refund. */
export function teamPolicy(store: Store): HookProvider {
  return {
    name: 'team',
    register(hooks) {
      hooks.use(
        rateLimit({
          tools: 'search',
          toolCalls: 4,
          windowMs: DAY,
          key: () => 'the team',
          store,
        }),
      );
      hooks.on(BeforeToolCall.matching('refund'), () =>
        requireApproval('It moves money.'),
      );
    },
  };
}
