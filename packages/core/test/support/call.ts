import type {
  CallOptions,
  Execute,
  Hooks,
  RenameTarget,
  ToolCall,
  ToolCallOutcome,
} from '../../src/index.ts';
import { callTool } from '../../src/tool-call/index.ts';

/** One call of the tool `exec` that echoes its input, unless told otherwise. */
export function call(
  hooks: Hooks,
  over: Partial<ToolCall> & { readonly execute?: Execute } & CallOptions = {},
): Promise<ToolCallOutcome> {
  const { execute = (input) => input, check, rename, approval, isControlFlow, begun, ...rest } = over;
  const options = { check, rename, approval, isControlFlow, begun };
  return callTool(
    hooks,
    {
      session: hooks.session('s'),
      toolName: 'exec',
      input: 'ls',
      ...(rest.resumed && { callId: 'call_0' }),
      ...rest,
    },
    execute,
    options,
  );
}

/** A tool that may run in place of the called one: a function with this name, that no further registry hooks. */
export function target(name: string, execute: Execute, over: Partial<RenameTarget> = {}): RenameTarget {
  return {
    name,
    tool: { kind: 'function' },
    native: undefined,
    registries: [],
    unenforced: undefined,
    check: 'itself',
    execute,
    ...over,
  };
}

/** A promise and the functions that settle it, so that a test decides when something answers. */
export function deferred<T>(): {
  promise: Promise<T>;
  resolve: (value: T) => void;
  reject: (error: unknown) => void;
} {
  return Promise.withResolvers<T>();
}

/** Lets everything that can go on without time or outside events go on. */
export async function tick(): Promise<void> {
  await new Promise<void>((resolve) => {
    setImmediate(resolve);
  });
}
