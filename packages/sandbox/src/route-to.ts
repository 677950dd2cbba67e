import {
  type Execute,
  type ExecuteOptions,
  HooksError,
  type Modify,
  modify,
  type ToolEvent,
} from '@hooks/core';
import { checkOptions, type OptionChecks, optionKinds } from '@hooks/core/options';
import { commandOf, type SandboxCommand } from './command.ts';
import { formatResult, type SandboxResult } from './result.ts';
import type { Sandbox } from './sandbox.ts';
import { unlessAborted } from './unless-aborted.ts';

/** Options of {@link routeTo}. */
export interface RouteToOptions {
  /** What the model reads as the tool's output, for tools whose output is not text. Default: `formatResult`. */
  readonly format?: (result: SandboxResult, call: ToolEvent) => unknown;
}

export const OF_ROUTES: OptionChecks<RouteToOptions> = { format: optionKinds.callback };

/** The command to run, or a function that makes it from the call's final input. */
export type RoutedCommand = SandboxCommand | ((input: unknown) => SandboxCommand);

/**
 * Runs the call in a sandbox instead of the tool. The model reads the result as if the tool had run. If the sandbox
 * is not available, the call is blocked with the reason. It never falls back to the host.
 *
 * @param command a fixed command, or a function of the input if later hooks may still rewrite it. Default: the
 *   input's own: `command` or `cmd`
 * @example
 * ```ts
 * hooks.on(BeforeToolCall.matching('shell'), (call) =>
 *   isRisky(call.input) ? routeTo(sandbox, { command: call.input.command }) : proceed());
 * ```
 */
export function routeTo(
  sandbox: Sandbox,
  command: RoutedCommand = commandOf,
  options: RouteToOptions = {},
): Modify<{ readonly execute: Execute }> {
  options = checkOptions('routeTo', options, OF_ROUTES);
  const { format = (result) => formatResult(result) } = options;
  const run = async (input: unknown, { signal, call }: ExecuteOptions): Promise<SandboxResult> => {
    try {
      const toRun = typeof command === 'function' ? command(input) : command;
      const result = sandbox.execute(call.session, toRun, signal === undefined ? {} : { signal });
      return await unlessAborted(result, signal);
    } catch (cause) {
      signal?.throwIfAborted();
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new HooksError(
        'ROUTE_FAILED',
        `The call must run in a sandbox, but the sandbox is not available: ${why}`,
        {
          cause,
        },
      );
    }
  };
  const execute: Execute = async (input, options) => {
    const result = await run(input, options);
    options.signal?.throwIfAborted();
    return format(result, options.call);
  };
  return modify({
    execute: Object.assign(execute, { route: { provider: sandbox.provider.id, isolated: true } }),
  });
}
