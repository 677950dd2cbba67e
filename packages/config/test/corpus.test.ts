import { BeforeCompaction, Stop, type ToolDescriptor, UserPromptSubmit } from '@hooks/core';
import { takeContext } from '@hooks/core/adapter';
import { describe, expect, test } from 'vitest';
import { DIALECTS, type DialectName, formatIssue, readHookFile } from '../src/index.ts';
import { harness } from './harness.ts';

/*
 * Real shapes of hook files, with the outcome that the file's own agent gives to each line. A line that is neither an
 * entry nor an issue nor a notice was dropped in silence.
 */

const deny = 'echo "not here" >&2; exit 2';
const json = (answer: object) => `printf '%s' '${JSON.stringify(answer)}'`;
const command = (line: string, more: object = {}) => ({ type: 'command', command: line, ...more });

interface Line {
  readonly what: string;
  readonly dialect: DialectName;
  readonly file: object;
  readonly tool: string;
  readonly input: object;
  readonly ends: 'blocked' | 'ok' | 'asked';
  /** What ran. */
  readonly ran?: object;
  /** What the model reads. */
  readonly output?: unknown;
  readonly about?: ToolDescriptor;
  readonly agent?: string;
  /** `as-original`: a failed hook counts for what it does in the file's own agent. */
  readonly failures?: 'as-original';
}

const claude = (matcher: string, hook: object) => ({ hooks: { PreToolUse: [{ matcher, hooks: [hook] }] } });
const gemini = (matcher: string, hook: object) => ({ hooks: { BeforeTool: [{ matcher, hooks: [hook] }] } });
const docker = (matcher: string, hook: object) => ({ hooks: { pre_tool_use: [{ matcher, hooks: [hook] }] } });
const cursor = (event: string, hook: object) => ({ version: 1, hooks: { [event]: [hook] } });
const specific = (answer: object) => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...answer } });

const bash = { tool: 'shell', input: { command: 'ls' } };

const lines: readonly Line[] = [
  { what: 'exit 2', dialect: 'claude-code', file: claude('Bash', command(deny)), ...bash, ends: 'blocked' },
  {
    what: 'a list of names',
    dialect: 'claude-code',
    file: claude('Edit|Write', command(deny)),
    ...bash,
    ends: 'ok',
  },
  {
    what: 'ask',
    dialect: 'claude-code',
    file: claude('*', command(json(specific({ permissionDecision: 'ask' })))),
    ...bash,
    ends: 'asked',
  },
  {
    what: 'updatedInput',
    dialect: 'claude-code',
    file: claude('Bash', command(json(specific({ updatedInput: { command: 'pwd' } })))),
    ...bash,
    ends: 'ok',
    ran: { command: 'pwd' },
  },
  { what: 'exit 2', dialect: 'codex', file: claude('^Bash$', command(deny)), ...bash, ends: 'blocked' },
  {
    what: 'a matcher of files',
    dialect: 'codex',
    file: claude('apply_patch', command(deny)),
    tool: 'write_file',
    input: { path: 'a', content: '' },
    ends: 'blocked',
  },
  {
    what: 'deny with a reason',
    dialect: 'codex',
    file: claude('', command(json(specific({ permissionDecision: 'deny', permissionDecisionReason: 'no' })))),
    ...bash,
    ends: 'blocked',
  },
  {
    what: 'allow alone, which Codex does not carry out',
    dialect: 'codex',
    file: claude('', command(json(specific({ permissionDecision: 'allow' })))),
    ...bash,
    ends: 'ok',
  },
  {
    what: 'exit 2',
    dialect: 'gemini',
    file: gemini('run_shell_.*', command(deny)),
    ...bash,
    ends: 'blocked',
  },
  {
    what: 'allow',
    dialect: 'gemini',
    file: gemini('.*', command(json({ decision: 'allow' }))),
    ...bash,
    ends: 'ok',
  },
  {
    what: 'a matcher anywhere in the name',
    dialect: 'gemini',
    file: gemini('shell', command(deny)),
    ...bash,
    ends: 'blocked',
  },
  {
    what: 'a merged input',
    dialect: 'gemini',
    file: gemini('', command(json({ hookSpecificOutput: { tool_input: { description: 'x' } } }))),
    ...bash,
    ends: 'ok',
    ran: { command: 'ls', description: 'x' },
  },
  {
    what: 'decision: block',
    dialect: 'docker-agent',
    file: docker('shell', command(json({ decision: 'block', reason: 'no' }))),
    ...bash,
    ends: 'blocked',
  },
  {
    what: 'a failed hook',
    dialect: 'docker-agent',
    file: docker('shell', command('exit 1')),
    ...bash,
    ends: 'blocked',
  },
  {
    what: 'a rule that denies',
    dialect: 'docker-agent',
    file: { permissions: { deny: ['shell:cmd=ls*'] } },
    ...bash,
    ends: 'blocked',
  },
  {
    what: 'no rule',
    dialect: 'docker-agent',
    file: { permissions: { allow: ['read_file'] } },
    ...bash,
    ends: 'asked',
  },
  {
    what: 'exit 2',
    dialect: 'ai4j',
    file: { hooks: { preToolUse: [{ command: deny, match: 'bash' }] } },
    ...bash,
    ends: 'blocked',
  },
  {
    what: 'a refusal of shell commands',
    dialect: 'cursor',
    file: cursor('beforeShellExecution', { command: json({ permission: 'deny' }) }),
    ...bash,
    ends: 'blocked',
  },
  {
    what: 'a refusal of MCP tools',
    dialect: 'cursor',
    file: cursor('beforeMCPExecution', { command: json({ permission: 'deny' }) }),
    ...bash,
    ends: 'ok',
  },
  {
    what: 'a denial',
    dialect: 'copilot',
    file: cursor('preToolUse', { type: 'command', bash: json({ permissionDecision: 'deny' }) }),
    ...bash,
    ends: 'blocked',
  },
  {
    what: 'a non-zero exit',
    dialect: 'copilot',
    file: cursor('preToolUse', { type: 'command', bash: 'exit 3', timeoutSec: 5 }),
    ...bash,
    ends: 'blocked',
  },
];

const mcp: ToolDescriptor = { kind: 'mcp', server: 'github' };

/** Lines about one call. */
const calls: readonly Line[] = [
  ...lines,
  // Claude Code
  {
    what: 'an old name of a tool',
    dialect: 'claude-code',
    file: claude('Task', command(deny)),
    tool: 'Agent',
    input: { prompt: 'a' },
    ends: 'blocked',
  },
  {
    what: 'tools of an MCP server',
    dialect: 'claude-code',
    file: claude('mcp__github__.*', command(deny)),
    tool: 'get_issue',
    input: {},
    about: mcp,
    ends: 'blocked',
  },
  {
    what: 'tools of another MCP server',
    dialect: 'claude-code',
    file: claude('mcp__jira__.*', command(deny)),
    tool: 'get_issue',
    input: {},
    about: mcp,
    ends: 'ok',
  },
  {
    what: 'a list with a comma',
    dialect: 'claude-code',
    file: claude('Read, Bash', command(deny)),
    ...bash,
    ends: 'blocked',
  },
  {
    what: 'part of a name, which is no expression',
    dialect: 'claude-code',
    file: claude('Bas', command(deny)),
    ...bash,
    ends: 'ok',
  },
  {
    what: 'an expression',
    dialect: 'claude-code',
    file: claude('^Ba', command(deny)),
    ...bash,
    ends: 'blocked',
  },
  {
    what: 'a condition that the command meets',
    dialect: 'claude-code',
    file: claude('Bash', command(deny, { if: 'Bash(ls*)' })),
    ...bash,
    ends: 'blocked',
  },
  {
    what: 'a condition that it does not meet',
    dialect: 'claude-code',
    file: claude('Bash', command(deny, { if: 'Bash(git push *)' })),
    ...bash,
    ends: 'ok',
  },
  {
    what: 'a decision of earlier versions',
    dialect: 'claude-code',
    file: claude('Bash', command(json({ decision: 'block', reason: 'no' }))),
    ...bash,
    ends: 'blocked',
  },
  {
    what: 'continue: false',
    dialect: 'claude-code',
    file: claude('Bash', command(json({ continue: false, stopReason: 'no' }))),
    ...bash,
    ends: 'blocked',
  },
  {
    what: 'a hook that fails, which passes',
    dialect: 'claude-code',
    file: claude('Bash', command('exit 1')),
    ...bash,
    failures: 'as-original',
    ends: 'ok',
  },
  {
    what: 'a hook that fails, as we do otherwise',
    dialect: 'claude-code',
    file: claude('Bash', command('exit 1')),
    ...bash,
    ends: 'blocked',
  },
  {
    what: 'a hook that takes too long, which passes',
    dialect: 'claude-code',
    file: claude('Bash', command('sleep 20', { timeout: 0.2 })),
    ...bash,
    failures: 'as-original',
    ends: 'ok',
  },
  {
    what: 'a hook in the background',
    dialect: 'claude-code',
    file: claude('Bash', command(deny, { async: true })),
    ...bash,
    ends: 'ok',
  },
  {
    what: 'a result replaced afterwards',
    dialect: 'claude-code',
    file: {
      hooks: {
        PostToolUse: [
          {
            matcher: 'Bash',
            hooks: [
              command(
                json({ hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: 'short' } }),
              ),
            ],
          },
        ],
      },
    },
    ...bash,
    ends: 'ok',
    output: 'short',
  },
  {
    what: 'a refusal afterwards, which undoes nothing',
    dialect: 'claude-code',
    file: {
      hooks: {
        PostToolUse: [{ matcher: 'Bash', hooks: [command(json({ decision: 'block', reason: 'lint' }))] }],
      },
    },
    ...bash,
    ends: 'ok',
    output: 'done',
  },
  // Codex
  {
    what: 'a new input',
    dialect: 'codex',
    file: claude(
      'Bash',
      command(json(specific({ permissionDecision: 'allow', updatedInput: { command: 'pwd' } }))),
    ),
    ...bash,
    ends: 'ok',
    ran: { command: 'pwd' },
  },
  {
    what: 'one of two names',
    dialect: 'codex',
    file: claude('Read|Bash', command(deny)),
    ...bash,
    ends: 'blocked',
  },
  {
    what: 'part of a name, which is no expression',
    dialect: 'codex',
    file: claude('Bas', command(deny)),
    ...bash,
    ends: 'ok',
  },
  {
    what: 'Edit for a patch',
    dialect: 'codex',
    file: claude('Edit', command(deny)),
    tool: 'apply_patch',
    input: { input: '*** Begin Patch' },
    ends: 'blocked',
  },
  {
    what: 'a result refused afterwards, which replaces it',
    dialect: 'codex',
    file: {
      hooks: {
        PostToolUse: [{ matcher: 'Bash', hooks: [command(json({ decision: 'block', reason: 'hidden' }))] }],
      },
    },
    ...bash,
    ends: 'blocked',
  },
  {
    what: 'a hook that fails, which passes',
    dialect: 'codex',
    file: claude('Bash', command('exit 1')),
    ...bash,
    failures: 'as-original',
    ends: 'ok',
  },
  // Gemini CLI
  {
    what: 'decision: deny',
    dialect: 'gemini',
    file: gemini('run_shell_command', command(json({ decision: 'deny', reason: 'no' }))),
    ...bash,
    ends: 'blocked',
  },
  {
    what: 'decision: block',
    dialect: 'gemini',
    file: gemini('run_shell_command', command(json({ decision: 'block', reason: 'no' }))),
    ...bash,
    ends: 'blocked',
  },
  {
    what: 'an answer on stderr',
    dialect: 'gemini',
    file: gemini('run_shell_command', command(`${json({ decision: 'deny', reason: 'no' })} >&2`)),
    ...bash,
    ends: 'blocked',
  },
  {
    what: 'continue: false',
    dialect: 'gemini',
    file: gemini('*', command(json({ continue: false, stopReason: 'no' }))),
    ...bash,
    ends: 'blocked',
  },
  {
    what: 'ask',
    dialect: 'gemini',
    file: gemini('*', command(json({ decision: 'ask' }))),
    ...bash,
    ends: 'asked',
  },
  {
    what: 'another tool',
    dialect: 'gemini',
    file: gemini('write_file|replace', command(deny)),
    ...bash,
    ends: 'ok',
  },
  {
    what: 'tools of an MCP server',
    dialect: 'gemini',
    file: gemini('mcp_github_.*', command(deny)),
    tool: 'get_issue',
    input: {},
    about: mcp,
    ends: 'blocked',
  },
  {
    what: 'a result refused afterwards, which replaces it',
    dialect: 'gemini',
    file: {
      hooks: {
        AfterTool: [{ matcher: '*', hooks: [command(json({ decision: 'deny', reason: 'hidden' }))] }],
      },
    },
    ...bash,
    ends: 'blocked',
  },
  {
    what: 'a hook that fails, which passes',
    dialect: 'gemini',
    file: gemini('*', command('exit 1')),
    ...bash,
    failures: 'as-original',
    ends: 'ok',
  },
  {
    what: 'a time limit in milliseconds',
    dialect: 'gemini',
    file: gemini('*', command('sleep 20', { timeout: 200 })),
    ...bash,
    failures: 'as-original',
    ends: 'ok',
  },
  {
    what: 'two hooks one after the other',
    dialect: 'gemini',
    file: {
      hooks: {
        BeforeTool: [
          {
            matcher: '*',
            sequential: true,
            hooks: [
              command(json({ hookSpecificOutput: { tool_input: { command: 'a' } } })),
              command(`jq -c '{hookSpecificOutput: {tool_input: {command: (.tool_input.command + "b")}}}'`),
            ],
          },
        ],
      },
    },
    ...bash,
    ends: 'ok',
    ran: { command: 'ab' },
  },
  // docker-agent
  { what: 'exit 2', dialect: 'docker-agent', file: docker('shell', command(deny)), ...bash, ends: 'blocked' },
  {
    what: 'the whole name',
    dialect: 'docker-agent',
    file: docker('she', command(deny)),
    ...bash,
    ends: 'ok',
  },
  {
    what: 'ask',
    dialect: 'docker-agent',
    file: docker('*', command(json({ hook_specific_output: { permission_decision: 'ask' } }))),
    ...bash,
    ends: 'asked',
  },
  {
    what: 'a new input',
    dialect: 'docker-agent',
    file: docker('shell', command(json({ hook_specific_output: { updated_input: { cmd: 'pwd' } } }))),
    ...bash,
    ends: 'ok',
    ran: { command: 'pwd' },
  },
  {
    what: 'one hook instead of a list',
    dialect: 'docker-agent',
    file: { hooks: { pre_tool_use: command(deny) } },
    ...bash,
    ends: 'blocked',
  },
  {
    what: 'a guard',
    dialect: 'docker-agent',
    file: { hooks: { tool_guard: [{ matcher: 'shell', hooks: [command(deny)] }] } },
    ...bash,
    ends: 'blocked',
  },
  {
    what: 'on_error before a call, which changes nothing',
    dialect: 'docker-agent',
    file: docker('shell', command('exit 1', { on_error: 'ignore' })),
    ...bash,
    ends: 'blocked',
  },
  {
    what: 'a safety mode',
    dialect: 'docker-agent',
    file: { agents: { root: { model: 'x/y', safety: 'restricted' } } },
    ...bash,
    ends: 'blocked',
  },
  {
    what: 'a rule that allows',
    dialect: 'docker-agent',
    file: { permissions: { allow: ['shell:cmd=ls*'] } },
    ...bash,
    ends: 'ok',
  },
  {
    what: 'tools of an MCP server',
    dialect: 'docker-agent',
    file: docker('mcp:.*', command(deny)),
    tool: 'get_issue',
    input: {},
    about: mcp,
    ends: 'blocked',
  },
  {
    what: 'a result that is rewritten',
    dialect: 'docker-agent',
    file: {
      hooks: {
        tool_response_transform: [
          {
            matcher: '*',
            hooks: [command(json({ hook_specific_output: { updated_tool_response: 'short' } }))],
          },
        ],
      },
    },
    ...bash,
    ends: 'ok',
    output: 'short',
  },
  // ai4j
  {
    what: 'another tool',
    dialect: 'ai4j',
    file: { hooks: { preToolUse: [{ command: deny, match: 'read_file' }] } },
    ...bash,
    ends: 'ok',
  },
  {
    what: 'every tool',
    dialect: 'ai4j',
    file: { hooks: { preToolUse: [{ command: deny }] } },
    ...bash,
    ends: 'blocked',
  },
  {
    what: 'part of a name',
    dialect: 'ai4j',
    file: { hooks: { preToolUse: [{ command: deny, match: 'ba.*' }] } },
    ...bash,
    ends: 'ok',
  },
  {
    what: 'a rewritten call',
    dialect: 'ai4j',
    file: {
      hooks: {
        preToolUse: [
          {
            command: json({ decision: 'modify', name: 'bash', arguments: '{"command":"pwd"}' }),
            match: 'bash',
          },
        ],
      },
    },
    ...bash,
    ends: 'ok',
    ran: { command: 'pwd' },
  },
  {
    what: 'text',
    dialect: 'ai4j',
    file: { hooks: { preToolUse: [{ command: 'echo checked' }] } },
    ...bash,
    ends: 'ok',
  },
  {
    what: 'a hook that fails, which passes',
    dialect: 'ai4j',
    file: { hooks: { preToolUse: [{ command: 'exit 1' }] } },
    ...bash,
    failures: 'as-original',
    ends: 'ok',
  },
  {
    what: 'a withheld result',
    dialect: 'ai4j',
    file: { hooks: { postToolUse: [{ command: deny, match: 'bash' }] } },
    ...bash,
    ends: 'blocked',
  },
  // Cursor
  {
    what: 'a refusal of any tool',
    dialect: 'cursor',
    file: cursor('preToolUse', {
      command: json({ permission: 'deny', user_message: 'no' }),
      matcher: 'Shell',
    }),
    ...bash,
    ends: 'blocked',
  },
  {
    what: 'another tool',
    dialect: 'cursor',
    file: cursor('preToolUse', { command: deny, matcher: 'Read|Write' }),
    ...bash,
    ends: 'ok',
  },
  {
    what: 'exit 2',
    dialect: 'cursor',
    file: cursor('beforeShellExecution', { command: deny }),
    ...bash,
    ends: 'blocked',
  },
  {
    what: 'a matcher of the command',
    dialect: 'cursor',
    file: cursor('beforeShellExecution', { command: deny, matcher: 'curl|wget' }),
    ...bash,
    ends: 'ok',
  },
  {
    what: 'ask',
    dialect: 'cursor',
    file: cursor('beforeShellExecution', { command: json({ permission: 'ask' }) }),
    ...bash,
    ends: 'asked',
  },
  {
    what: 'tools of an MCP server',
    dialect: 'cursor',
    file: cursor('beforeMCPExecution', { command: deny }),
    tool: 'get_issue',
    input: {},
    about: mcp,
    ends: 'blocked',
  },
  {
    what: 'a file that is read',
    dialect: 'cursor',
    file: cursor('beforeReadFile', { command: json({ permission: 'deny' }) }),
    tool: 'read_file',
    input: { path: 'a' },
    ends: 'blocked',
  },
  {
    what: 'an edit that is only seen',
    dialect: 'cursor',
    file: cursor('afterFileEdit', { command: deny }),
    tool: 'write_file',
    input: { path: 'a', content: '' },
    ends: 'ok',
  },
  {
    what: 'a new input',
    dialect: 'cursor',
    file: cursor('preToolUse', { command: json({ permission: 'allow', updated_input: { command: 'pwd' } }) }),
    ...bash,
    ends: 'ok',
    ran: { command: 'pwd' },
  },
  {
    what: 'a hook that fails, which passes',
    dialect: 'cursor',
    file: cursor('beforeShellExecution', { command: 'exit 1' }),
    ...bash,
    failures: 'as-original',
    ends: 'ok',
  },
  // Copilot
  {
    what: 'ask',
    dialect: 'copilot',
    file: cursor('preToolUse', { type: 'command', bash: json({ permissionDecision: 'ask' }) }),
    ...bash,
    ends: 'asked',
  },
  {
    what: 'allow',
    dialect: 'copilot',
    file: cursor('preToolUse', { type: 'command', bash: json({ permissionDecision: 'allow' }) }),
    ...bash,
    ends: 'ok',
  },
  {
    what: 'other arguments',
    dialect: 'copilot',
    file: cursor('preToolUse', { type: 'command', bash: json({ modifiedArgs: { command: 'pwd' } }) }),
    ...bash,
    ends: 'ok',
    ran: { command: 'pwd' },
  },
  {
    what: 'the whole name',
    dialect: 'copilot',
    file: cursor('preToolUse', { type: 'command', bash: deny, matcher: 'ba' }),
    ...bash,
    ends: 'ok',
  },
  {
    what: 'lines of progress before the answer',
    dialect: 'copilot',
    file: cursor('preToolUse', {
      type: 'command',
      bash: `echo '{"type":"progress"}'; ${json({ permissionDecision: 'deny' })}`,
    }),
    ...bash,
    ends: 'blocked',
  },
  {
    what: 'another result',
    dialect: 'copilot',
    file: cursor('postToolUse', {
      type: 'command',
      bash: json({ modifiedResult: { resultType: 'success', textResultForLlm: 'short' } }),
    }),
    ...bash,
    ends: 'ok',
    output: 'short',
  },
  // Ours
  {
    what: 'a word for a kind of tools',
    dialect: 'hooks',
    file: { hooks: { before_tool_call: [{ matcher: 'shell', hooks: [command(deny)] }] } },
    tool: 'Bash',
    input: { command: 'ls' },
    ends: 'blocked',
  },
  {
    what: 'a name of another agent',
    dialect: 'hooks',
    file: { hooks: { before_tool_call: [{ matcher: 'run_shell_command', hooks: [command(deny)] }] } },
    tool: 'Bash',
    input: { command: 'ls' },
    ends: 'blocked',
  },
  {
    what: 'a hook for another agent',
    dialect: 'hooks',
    file: { hooks: { before_tool_call: [{ agents: ['writer'], hooks: [command(deny)] }] } },
    ...bash,
    agent: 'coder',
    ends: 'ok',
  },
  {
    what: 'a hook that fails',
    dialect: 'hooks',
    file: { hooks: { before_tool_call: [command('exit 1')] } },
    ...bash,
    ends: 'blocked',
  },
  {
    what: 'a hook that may fail',
    dialect: 'hooks',
    file: { hooks: { before_tool_call: [command('exit 1', { on_error: 'warn' })] } },
    ...bash,
    ends: 'ok',
  },
];

test.each(calls)('$dialect: $what ends as $ends', async (line) => {
  const { dialect, file, tool, input, ends, ran, about, failures, output, agent } = line;
  const loaded = await harness(file, { dialect, ...(failures && { failures }), ...(agent && { agent }) });
  let asked = false;
  const outcome = await loaded.call(tool, input, undefined, {
    ...(about && { about }),
    approval: () => {
      asked = true;
      return { decision: 'allow' };
    },
  });
  expect(asked ? 'asked' : outcome.status).toBe(ends);
  if (ran !== undefined) expect(loaded.ran).toEqual([ran]);
  if (output !== undefined) expect(outcome.output).toBe(output);
});

/** Lines about other events: the event, and the decision. */
interface OtherLine {
  readonly what: string;
  readonly dialect: DialectName;
  readonly file: object;
  readonly on: 'prompt' | 'stop' | 'start' | 'compaction';
  readonly answer: object;
}

const on = (event: string, hook: object) => ({ hooks: { [event]: [{ hooks: [hook] }] } });
const note = { kind: 'modify', patch: { context: ['note'] } };
const said = 'echo note';
const added = (event: string) =>
  command(json({ hookSpecificOutput: { hookEventName: event, additionalContext: 'note' } }));

const others: readonly OtherLine[] = [
  {
    dialect: 'claude-code',
    what: 'a refused prompt',
    on: 'prompt',
    file: on('UserPromptSubmit', command(deny)),
    answer: { kind: 'block', reason: 'not here' },
  },
  {
    dialect: 'claude-code',
    what: 'a refused prompt in JSON',
    on: 'prompt',
    file: on('UserPromptSubmit', command(json({ decision: 'block', reason: 'no' }))),
    answer: { kind: 'block', reason: 'no' },
  },
  {
    dialect: 'claude-code',
    what: 'text beside a prompt',
    on: 'prompt',
    file: on('UserPromptSubmit', command(said)),
    answer: note,
  },
  {
    dialect: 'claude-code',
    what: 'one more turn',
    on: 'stop',
    file: on('Stop', command(json({ decision: 'block', reason: 'test it' }))),
    answer: { kind: 'retry', reason: 'test it' },
  },
  {
    dialect: 'claude-code',
    what: 'one more turn by exit 2',
    on: 'stop',
    file: on('Stop', command(deny)),
    answer: { kind: 'retry', reason: 'not here' },
  },
  {
    dialect: 'claude-code',
    what: 'text at the start',
    on: 'start',
    file: on('SessionStart', command(said)),
    answer: note,
  },
  {
    dialect: 'codex',
    what: 'a refused prompt',
    on: 'prompt',
    file: on('UserPromptSubmit', command(deny)),
    answer: { kind: 'block', reason: 'not here' },
  },
  {
    dialect: 'codex',
    what: 'context of a prompt',
    on: 'prompt',
    file: on('UserPromptSubmit', added('UserPromptSubmit')),
    answer: note,
  },
  {
    dialect: 'codex',
    what: 'one more turn',
    on: 'stop',
    file: on('Stop', command(json({ decision: 'block', reason: 'test it' }))),
    answer: { kind: 'retry', reason: 'test it' },
  },
  {
    dialect: 'codex',
    what: 'context at the start',
    on: 'start',
    file: on('SessionStart', added('SessionStart')),
    answer: note,
  },
  {
    dialect: 'gemini',
    what: 'a refused prompt',
    on: 'prompt',
    file: on('BeforeAgent', command(json({ decision: 'deny', reason: 'no' }))),
    answer: { kind: 'block', reason: 'no' },
  },
  {
    dialect: 'gemini',
    what: 'context of a prompt',
    on: 'prompt',
    file: on('BeforeAgent', added('BeforeAgent')),
    answer: note,
  },
  {
    dialect: 'gemini',
    what: 'one more turn',
    on: 'stop',
    file: on('AfterAgent', command(json({ decision: 'deny', reason: 'test it' }))),
    answer: { kind: 'retry', reason: 'test it' },
  },
  {
    dialect: 'gemini',
    what: 'context at the start',
    on: 'start',
    file: on('SessionStart', added('SessionStart')),
    answer: note,
  },
  {
    dialect: 'gemini',
    what: 'a compaction, which it cannot refuse',
    on: 'compaction',
    file: on('PreCompress', command(deny)),
    answer: { kind: 'proceed' },
  },
  {
    dialect: 'docker-agent',
    what: 'a refused prompt',
    on: 'prompt',
    file: { hooks: { user_prompt_submit: [command(deny)] } },
    answer: { kind: 'block', reason: 'not here' },
  },
  {
    dialect: 'docker-agent',
    what: 'text beside a prompt',
    on: 'prompt',
    file: { hooks: { user_prompt_submit: [command(said)] } },
    answer: note,
  },
  {
    dialect: 'docker-agent',
    what: 'the end, which it cannot refuse',
    on: 'stop',
    file: { hooks: { stop: [command(json({ decision: 'block' }))], pre_tool_use: [] } },
    answer: { kind: 'proceed' },
  },
  {
    dialect: 'docker-agent',
    what: 'a vetoed compaction',
    on: 'compaction',
    file: { hooks: { pre_compact: [command(deny)] } },
    answer: { kind: 'block', reason: 'not here' },
  },
  {
    dialect: 'ai4j',
    what: 'a refused prompt',
    on: 'prompt',
    file: { hooks: { userPromptSubmit: [{ command: deny }] } },
    answer: { kind: 'block', reason: 'not here' },
  },
  {
    dialect: 'ai4j',
    what: 'a rewritten prompt',
    on: 'prompt',
    file: { hooks: { userPromptSubmit: [{ command: json({ decision: 'modify', input: 'Hello.' }) }] } },
    answer: { kind: 'modify', patch: { prompt: 'Hello.' } },
  },
  {
    dialect: 'ai4j',
    what: 'the end, which it only sees',
    on: 'stop',
    file: { hooks: { stop: [{ command: deny }] } },
    answer: { kind: 'proceed' },
  },
  {
    dialect: 'ai4j',
    what: 'a compaction, which it only sees',
    on: 'compaction',
    file: { hooks: { preCompact: [{ command: deny }] } },
    answer: { kind: 'proceed' },
  },
  {
    dialect: 'cursor',
    what: 'a refused prompt',
    on: 'prompt',
    file: cursor('beforeSubmitPrompt', { command: json({ continue: false, user_message: 'no' }) }),
    answer: { kind: 'block', reason: 'no' },
  },
  {
    dialect: 'cursor',
    what: 'one more turn',
    on: 'stop',
    file: cursor('stop', { command: json({ followup_message: 'test it' }) }),
    answer: { kind: 'retry', reason: 'test it' },
  },
  {
    dialect: 'cursor',
    what: 'context at the start',
    on: 'start',
    file: cursor('sessionStart', { command: json({ additional_context: 'note' }) }),
    answer: note,
  },
  {
    dialect: 'copilot',
    what: 'one more turn',
    on: 'stop',
    file: cursor('agentStop', { type: 'command', bash: json({ decision: 'block', reason: 'test it' }) }),
    answer: { kind: 'retry', reason: 'test it' },
  },
  {
    dialect: 'copilot',
    what: 'context at the start',
    on: 'start',
    file: cursor('sessionStart', { type: 'command', bash: json({ additionalContext: 'note' }) }),
    answer: note,
  },
  {
    dialect: 'hooks',
    what: 'a refused prompt',
    on: 'prompt',
    file: { hooks: { user_prompt_submit: [command(deny)] } },
    answer: { kind: 'block', reason: 'not here' },
  },
  {
    dialect: 'hooks',
    what: 'one more turn',
    on: 'stop',
    file: { hooks: { stop: [command(json({ hook_specific_output: { retry: 'test it' } }))] } },
    answer: { kind: 'retry', reason: 'test it' },
  },
];

test.each(others)('$dialect: $what', async ({ dialect, file, on: event, answer }) => {
  const { hooks, session } = await harness(file, { dialect });
  const dispatch: Readonly<Record<typeof event, () => unknown>> = {
    prompt: () => hooks.dispatch(UserPromptSubmit, { session, prompt: 'Hi.' }),
    stop: () => hooks.dispatch(Stop, { session, response: 'Done.', continuations: 0 }),
    start: async () => {
      await session.open();
      return { kind: 'modify', patch: { context: takeContext(hooks, session) } };
    },
    compaction: () =>
      hooks.dispatch(BeforeCompaction, {
        session,
        ...{ inputTokens: 1, outputTokens: 1, contextLimit: 0, reason: 'threshold', source: 'auto' },
      }),
  };
  expect(await dispatch[event]()).toMatchObject(answer);
});

test('the corpus has lines of each dialect', () => {
  const counted = Object.groupBy([...calls, ...others], ({ dialect }) => dialect);
  for (const [dialect, all] of Object.entries(counted))
    expect(all.length, dialect).toBeGreaterThanOrEqual(dialect === 'hooks' ? 7 : 9);
  expect(Object.keys(counted).sort()).toEqual(Object.keys(DIALECTS).sort());
});

test('no line of the corpus is dropped in silence', () => {
  for (const { dialect, what, file } of [...calls, ...others]) {
    const { entries, issues } = readHookFile(JSON.stringify(file), 'corpus.yaml', dialect);
    expect(issues.map(formatIssue), `${dialect}: ${what}`).toEqual([]);
    expect(entries.length, `${dialect}: ${what}`).toBeGreaterThan(0);
  }
});

test.each(['claude-code', 'codex', 'gemini'] as const)(
  'a hook without a group, which %s skips, is an error',
  (dialect) => {
    const event = dialect === 'gemini' ? 'BeforeTool' : 'PreToolUse';
    const { issues } = readHookFile(
      JSON.stringify({ hooks: { [event]: [command('x')] } }),
      'x.json',
      dialect,
    );
    expect(issues).toMatchObject([
      {
        path: `hooks.${event}[0]`,
        message: `${dialect} would skip it; expected a group: { "hooks": [{ … }] }`,
      },
    ]);
  },
);

test('a file of docker-agent has a version, a model and other fields of its own', () => {
  const own = { version: '5', models: {}, providers: {}, mcps: {}, rag: {}, metadata: { author: 'a' } };
  const agents = { root: { model: 'auto', hooks: docker('shell', command(deny)).hooks } };
  const { dialect, issues, entries } = readHookFile(JSON.stringify({ ...own, agents }), 'agent.yaml');
  expect({ dialect: dialect.name, issues, entries: entries.length }).toEqual({
    dialect: 'docker-agent',
    issues: [],
    entries: 1,
  });
});

describe('a hook under any event', () => {
  const dialects = Object.values(DIALECTS);
  /** The events of all programs, and names that none has. */
  const events = new Set([
    ...dialects.flatMap((one) => [
      ...Object.keys(one.events),
      ...one.neverFire,
      ...(one.unsupportedGates ?? []),
    ]),
    ...['PostToolBatch', 'WorktreeCreate', 'Setup', 'Novel', 'novel', 'PreTooluse', 'beforeSomething'],
  ]);

  test.each(dialects.map(({ name }) => name))('is read or reported, in %s', (dialect) => {
    for (const event of events) {
      const hook = dialect === 'ai4j' ? { command: 'x' } : command('x');
      const file = readHookFile(JSON.stringify({ hooks: { [event]: [hook] } }), 'x.yaml', dialect);
      const told = [...file.issues, ...file.notices].map(formatIssue);
      expect(file.entries.length > 0 || told.some((text) => text.includes(event)), event).toBe(true);
    }
  });
});
