import { type LoadedHooks, type LoadOptions, loadHooks } from '@hooks/config';

/** docker-agent's flags, and the event that each adds a command to. */
const flags: Readonly<Record<string, string>> = {
  '--hook-pre-tool-use': 'pre_tool_use',
  '--hook-post-tool-use': 'post_tool_use',
  '--hook-session-start': 'session_start',
  '--hook-session-end': 'session_end',
  '--hook-on-user-input': 'on_user_input',
  '--hook-stop': 'stop',
};

/** The hooks from a command line's flags. */
export interface HookFlags {
  /** Pass them to `hooks.use`, after the hooks of a file. */
  readonly hooks: LoadedHooks;
  /** The other arguments, in order. */
  readonly rest: readonly string[];
}

/**
 * Reads docker-agent's six flags from a command line: `--hook-pre-tool-use ./check.sh`, also with `=`, repeatable, for
 * all tools. The user wrote them, so they need no trust.
 *
 * @throws Error if a flag has no command
 * @example
 * ```ts
 * const { hooks: flagged, rest } = await hooksFromFlags(process.argv.slice(2));
 * hooks.use(flagged);
 * ```
 */
export async function hooksFromFlags(args: readonly string[], options: LoadOptions = {}): Promise<HookFlags> {
  const rest: string[] = [];
  const hooks: Record<string, object[]> = {};
  for (let index = 0; index < args.length; index++) {
    const [flag = '', ...inline] = (args[index] ?? '').split('=');
    const event = Object.hasOwn(flags, flag) ? flags[flag] : undefined;
    if (event === undefined) {
      rest.push(args[index] ?? '');
      continue;
    }
    const command = inline.length > 0 ? inline.join('=') : args[++index];
    if (!command || command.startsWith('--hook-')) throw new Error(`${flag} needs a command`);
    const list = hooks[event] ?? [];
    hooks[event] = list;
    list.push({ type: 'command', command });
  }
  return { hooks: await loadHooks({ hooks }, { ...options, dialect: 'docker-agent' }), rest };
}
