import { hash } from 'node:crypto';
import { BeforeToolCall, type HookProvider, type NamePattern, proceed } from '@hooks/core';
import { checkOptions, type OptionChecks, optionCheck, optionKinds } from '@hooks/core/options';
import { commandOf, type SandboxCommand } from './command.ts';
import { OF_ROUTES, type RouteToOptions, routeTo } from './route-to.ts';
import type { Sandbox } from './sandbox.ts';

/** Options of {@link routeCommands}. */
export interface RouteCommandsOptions extends RouteToOptions {
  /** The provider's name. Default: `route-commands`. */
  readonly name?: string;
  /** Which tools run commands. Default: the usual names of shell tools. */
  readonly tools?: NamePattern;
  /** Which of their calls to route. Default: all. Sees the call as earlier hooks rewrote it. */
  readonly when?: (call: BeforeToolCall) => boolean | PromiseLike<boolean>;
  /** What to run for an input. Default: its `command` or `cmd`, or the input itself if it is a string. */
  readonly command?: (input: unknown) => SandboxCommand;
}

const OPTIONS: OptionChecks<RouteCommandsOptions> = {
  ...OF_ROUTES,
  name: optionKinds.text,
  tools: optionCheck('a pattern of names', (value) => typeof value === 'string' || value instanceof RegExp),
  when: optionKinds.callback,
  command: optionKinds.callback,
};

/** Common names of shell tools. One too many is safer than one too few. */
const SHELL_TOOLS = [
  ...['shell', 'Shell', 'bash', 'Bash', 'sh', 'terminal', 'exec', 'exec_command', 'shell_command'],
  ...['execute_command', 'executeCommand', 'execute_bash', 'run_command', 'runCommand', 'run_bash'],
  ...['run_shell_command', 'run_terminal_cmd', 'run_terminal_command', 'run_in_terminal', 'runInTerminal'],
  ...['start_process', 'execute_shell_command', 'shell_exec', 'run_shell', 'run_terminal', 'zsh'],
  ...['local_shell', 'container\\.exec', 'mastra_workspace_execute_command'],
  ...['powershell', 'PowerShell', 'Monitor'],
].join('|');

/**
 * Routes the calls of shell tools to a sandbox. Runs after other interceptors, and skips calls that one of them already
 * answers or routes. Blocks a call in which it finds no command.
 *
 * @example
 * ```ts
 * hooks.use(routeCommands(sandbox, { tools: 'shell', when: (call) => isRisky(call.input) }));
 * ```
 */
export function routeCommands(sandbox: Sandbox, options: RouteCommandsOptions = {}): HookProvider {
  options = checkOptions('routeCommands', options, OPTIONS);
  const {
    name = 'route-commands',
    tools = SHELL_TOOLS,
    when = () => true,
    command = commandOf,
    format,
  } = options;
  return {
    name,
    version: hash('sha256', JSON.stringify([sandbox.version, String(tools), String(when), String(command)])),
    register(hooks) {
      sandbox.register(hooks);
      hooks.on(
        BeforeToolCall.matching(tools),
        async (call) => {
          if (call.execute !== undefined || !(await when(call))) return proceed();
          command(call.input); // an input without a command fails here, before anything is opened
          return routeTo(sandbox, command, format === undefined ? {} : { format });
        },
        { id: 'route', priority: -100 },
      );
    },
  };
}
