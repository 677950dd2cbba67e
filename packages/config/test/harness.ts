import {
  type CallOptions,
  createHooks,
  type Execute,
  type Hooks,
  type HooksError,
  Notification,
  type RenameTarget,
  type Session,
  type ToolCallOutcome,
  type ToolDescriptor,
} from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { onTestFinished } from 'vitest';
import { type LoadedHooks, type LoadOptions, loadHooks } from '../src/index.ts';

/** A registry with the hooks of one file, and functions that dispatch to it as an adapter would. */
export interface Harness {
  readonly hooks: Hooks;
  readonly loaded: LoadedHooks;
  readonly session: Session;
  readonly dir: string;
  /** The messages to the user, and the errors of hooks. */
  readonly told: string[];
  readonly errors: HooksError[];
  readonly warnings: string[];
  /** Makes a tool call through core's pipeline; `ran` collects the inputs that the tool got. */
  call(
    toolName: string,
    input: unknown,
    tool?: (input: never) => unknown,
    options?: CallOptions & { readonly about?: ToolDescriptor; readonly needsApproval?: string },
  ): Promise<ToolCallOutcome>;
  readonly ran: unknown[];
}

/** Loads a file's text, or an object, in a temporary directory. */
export async function harness(
  source: string | object,
  options: LoadOptions & { agent?: string } = {},
): Promise<Harness> {
  const dir = options.cwd ?? temporaryFolder();
  const errors: HooksError[] = [];
  const warnings: string[] = [];
  const told: string[] = [];
  const ran: unknown[] = [];
  const { agent, ...load } = options;
  const loaded = await loadHooks(source, {
    trust: true,
    cwd: dir,
    onWarning: (message) => warnings.push(message),
    ...load,
  });
  const hooks = createHooks({ onError: (error) => errors.push(error) });
  hooks.use(loaded);
  hooks.observe(Notification, ({ message }) => {
    told.push(message);
  });
  onTestFinished(async () => {
    await hooks.close();
    loaded[Symbol.dispose]();
  });
  const session = hooks.session('abc123');
  return {
    hooks,
    loaded,
    session,
    dir,
    told,
    errors,
    warnings,
    ran,
    call: (toolName, input, tool = () => 'done', { about, needsApproval, ...callOptions } = {}) =>
      callTool(
        hooks,
        { session, toolName, input, callId: 'call_xyz', agent, tool: about, needsApproval },
        (effective) => {
          ran.push(effective);
          return tool(effective as never);
        },
        callOptions,
      ),
  };
}

/** A command hook that prints an output and ends with an exit code. */
export function prints(output: unknown, exitCode = 0): { type: 'command'; command: string } {
  const text = typeof output === 'string' ? output : JSON.stringify(output);
  return {
    type: 'command',
    command: `cat >/dev/null; printf '%s' '${text.replaceAll("'", "'\\''")}'; exit ${exitCode}`,
  };
}

/** A tool that may run in place of the called one. */
export function inPlace(name: string, execute: Execute): RenameTarget {
  const tool = { kind: 'function' } as const;
  return { name, tool, native: undefined, registries: [], unenforced: undefined, check: 'itself', execute };
}
