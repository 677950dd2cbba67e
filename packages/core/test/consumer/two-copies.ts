// Two copies of core in one program understand each other in types: what one makes, the other takes.
import type * as One from '@hooks/core';
import * as one from '@hooks/core';
import type * as Two from '../../src/index.js';
import * as two from '../../src/index.js';

const hooks: Two.Hooks = one.createHooks();
const others: One.Hooks = two.createHooks();

hooks.on(one.BeforeToolCall.matching('exec'), () => two.modify({ input: 1 }));
hooks.on(one.BeforeToolCall, () => one.requireApproval('sure?'));
hooks.guard(two.BeforeToolCall, async () => one.block('no'));
hooks.on(two.AfterToolCall, () => one.retry('again'));
hooks.observe(one.ToolEvent, ({ callId }) => callId.length);
others.on(two.SessionStart, () => one.addContext('x'));
// @ts-expect-error of whatever copy, an event permits what it permits
hooks.on(one.BeforeToolCall, () => two.retry('again'));
// @ts-expect-error and a literal is no decision
hooks.on(two.BeforeToolCall, () => ({ kind: 'block', reason: 'no' }));

const decision: Two.HookDecision = one.proceed();
const error: Two.HooksError = new one.HooksError('HOOK_FAILED', 'x');
const session: Two.Session = one.createHooks().session();
const provider: Two.HookProvider = {
  name: 'policy',
  register: (registrar: One.HookRegistrar) => void registrar.on(one.BeforeToolCall, () => one.proceed()),
};
hooks.use(provider);
interface Deploy extends One.EventPayload {
  readonly target: string;
}
const Deploy = one.defineEvent<Deploy>()({ type: 'acme_deploy', permits: ['block'], extends: two.HookEvent });
hooks.guard(Deploy, ({ target }) => (target === 'x' ? two.block('no') : one.proceed()));

export { decision, error, session };
