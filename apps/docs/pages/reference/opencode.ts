import { spawnSync } from 'node:child_process';

interface Call {
  readonly tool: string;
  readonly sessionID: string;
  readonly callID: string;
}

/** Of OpenCode's own tools `output`, of those of MCP servers `content`. */
interface Result {
  output?: string;
  content?: readonly { readonly type: string; readonly text?: string }[];
  attachments?: unknown;
  structuredContent?: unknown;
  metadata?: unknown;
}

/** Asks the policy before each call of a tool, and shows it each result. */
export const hooks = async ({ directory }: { readonly directory: string }) => ({
  'tool.execute.before': async (
    call: Call,
    { args }: { args: Record<string, unknown> },
  ) => {
    const { input } = ask(directory, 'before_tool_call', call, {
      tool_input: args,
    });
    if (input === undefined) return;
    for (const name of Object.keys(args)) delete args[name];
    Object.assign(args, input);
  },
  'tool.execute.after': async (
    call: Call & { args: unknown },
    result: Result | undefined,
  ) => {
    // Of a subtask that failed.
    if (result === undefined) return;
    // The policy does not see it, so the model does not either.
    delete result.structuredContent;
    const { output } = ask(directory, 'after_tool_call', call, {
      tool_input: call.args,
      tool_response: responseOf(result),
    });
    if (output === undefined) return;
    if (result.content) result.content = [{ type: 'text', text: output }];
    else result.output = output;
    delete result.attachments;
    // It repeats the output, and is kept in the session.
    result.metadata = {};
  },
});

/** The text of a result, or all of one that has something else. */
function responseOf({ output, content = [] }: Result): unknown {
  if (output !== undefined) return output;
  const isText = content.every(({ type }) => type === 'text');
  return isText ? content.map(({ text }) => text).join('\n') : content;
}

/** Throws if the policy refuses, and if it does not answer: OpenCode then does not run the call, or withholds the result. */
function ask(
  directory: string,
  name: string,
  call: Call,
  event: object,
): { input?: object; output?: string } {
  const { status, stdout, stderr } = spawnSync(
    'npx',
    [
      '--no-install',
      'hooks',
      'run',
      '--as',
      'opencode',
      '--file',
      'hooks.yaml',
    ],
    {
      cwd: directory,
      encoding: 'utf8',
      input: JSON.stringify({
        hook_event_name: name,
        session_id: call.sessionID,
        cwd: directory,
        tool_name: call.tool,
        tool_use_id: call.callID,
        ...event,
      }),
    },
  );
  if (status !== 0)
    throw new Error(stderr?.trim() || 'hooks run did not answer');
  return JSON.parse(stdout || '{}');
}
