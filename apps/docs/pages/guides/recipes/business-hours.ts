import {
  BeforeExecute,
  BeforeToolCall,
  block,
  type HookProvider,
  proceed,
} from '@hooks/core';
import { testAgent } from '@hooks/core/testing';

const clock = new Intl.DateTimeFormat('en', {
  timeZone: 'Europe/Berlin',
  weekday: 'short',
  hour: 'numeric',
  hourCycle: 'h23',
});

/** Refunds run from Monday to Friday, from 9:00 to 16:59. */
export function businessHours(now: () => number = Date.now): HookProvider {
  return {
    name: 'acme:business-hours',
    register(hooks) {
      const checkHours = () => {
        const parts = clock.formatToParts(now());
        const { weekday = '', hour } = Object.fromEntries(
          parts.map(({ type, value }) => [type, value]),
        );
        const isOpen =
          !weekday.startsWith('S') && Number(hour) >= 9 && Number(hour) < 17;
        return isOpen
          ? proceed()
          : block('Refunds wait for business hours. Tell the user so.');
      };
      hooks.guard(BeforeToolCall.matching('refund'), checkHours);
      // A person may approve the call in the evening.
      hooks.guard(BeforeExecute.matching('refund'), checkHours);
    },
  };
}

for (const time of [
  '2026-11-27T15:59Z',
  '2026-11-27T16:00Z',
  '2026-11-28T12:00Z',
]) {
  const agent = testAgent(businessHours(() => Date.parse(time)));
  const { status } = await agent.callTool('refund', { euros: 5 });
  console.log(time, status);
}
