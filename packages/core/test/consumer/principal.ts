// A user's own fields of the principal, by declaration merging.
import { BeforeToolCall, block, createHooks, proceed } from '@hooks/core';

declare module '@hooks/core' {
  interface Principal {
    readonly plan?: 'free' | 'paid';
  }
}

const hooks = createHooks();
hooks.guard(BeforeToolCall, ({ principal }) =>
  principal?.plan === 'paid' ? proceed() : block('Not in your plan.'),
);
hooks.session('chat', { principal: { id: 'ann', plan: 'paid' } });
// @ts-expect-error no such plan
hooks.session('chat', { principal: { id: 'ann', plan: 'gold' } });
