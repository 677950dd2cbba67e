/** A proxy as a process: `node proxy.ts -- <server command>` or `node proxy.ts URL`. */
import {
  AfterToolCall,
  BeforeToolCall,
  block,
  createHooks,
  type Hooks,
  modify,
  proceed,
  requireApproval,
  retry,
  TransformToolResult,
} from '@hooks/core';
import { hideTools, proxy } from '../../src/index.ts';

/** The policy for tests with proxies as processes. */
export function policy(): Hooks {
  const hooks = createHooks();
  hooks.use(hideTools('danger'));
  hooks.guard(BeforeToolCall.matching('echo'), ({ input }) => {
    const { q } = Object(input);
    if (q === 'ask') return requireApproval('Say it?');
    return q === 'refuse' ? block('Not that.') : proceed();
  });
  hooks.on(BeforeToolCall.matching('echo'), ({ input }) =>
    Object(input).q === 'rewrite' ? modify({ input: { q: 'rewritten' } }) : proceed(),
  );
  hooks.on(AfterToolCall.matching('flaky'), ({ status }) =>
    status === 'error' ? retry('again') : proceed(),
  );
  hooks.on(TransformToolResult, ({ output }) => {
    const json = JSON.stringify(output) ?? '';
    return json.includes('SECRET')
      ? modify({ output: JSON.parse(json.replaceAll('SECRET', '***')) })
      : proceed();
  });
  return hooks;
}

if (import.meta.main) {
  const [first = '', command = '', ...args] = process.argv.slice(2);
  process.exitCode = await proxy({
    hooks: policy(),
    upstream: first === '--' ? { command, args } : { url: first },
  });
}
