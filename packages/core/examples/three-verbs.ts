import {
  AfterToolCall,
  BeforeToolCall,
  block,
  createHooks,
  modify,
  proceed,
  retry,
} from '@hooks/core';

const hooks = createHooks();

// on intercepts: in order, each sees what the one before put in place
hooks.on(BeforeToolCall.matching('search|find_.*'), ({ input }) =>
  modify({ input: { ...(input as object), limit: 10 } }),
);
hooks.on(AfterToolCall.matching('fetch'), ({ status }) =>
  status === 'error' ? retry('flaky', { delayMs: 200 }) : proceed(),
);

// guard refuses: after every interceptor, on the values that will really be used
hooks.guard(BeforeToolCall, async ({ toolName, session }, { signal }) =>
  (await allowed(toolName, session.id, signal))
    ? proceed()
    : block(`${toolName} is not for this session.`),
);

// observe looks: last, with the final event and decision; it changes nothing
hooks.observe(AfterToolCall, ({ toolName, status, durationMs }, decision) => {
  console.log(toolName, status, durationMs, decision.kind);
});

async function allowed(
  _tool: string,
  _session: string,
  _signal: AbortSignal,
): Promise<boolean> {
  return true;
}
