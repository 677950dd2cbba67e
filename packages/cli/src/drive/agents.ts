import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readText } from '@hooks/config/protocol';
import type { Program } from '../program.ts';
import { anthropic } from './anthropic.ts';
import { gemini } from './gemini.ts';
import { openai } from './openai.ts';
import type { ModelCall, Wire } from './scripted-model.ts';

/** How an agent is run once, with the user's own settings, against a model on loopback. */
export interface DrivenAgent {
  readonly program: string;
  readonly wire: Wire;
  /** A call of its shell, given the tools that it offers. */
  shell(command: string, tools: readonly string[]): ModelCall;
  /** Its arguments. Settings of the user cannot send it to another model. */
  args(url: string, prompt: string): readonly string[];
  env(url: string): Readonly<Record<string, string>>;
  /** Why it cannot be driven. */
  refusal?(program: Program): string | undefined;
}

/** The agents by the name that `--for` takes. */
export const DRIVEN: Readonly<Record<'claude-code' | 'codex' | 'gemini', DrivenAgent>> = {
  'claude-code': {
    program: 'claude',
    wire: anthropic,
    shell: (command) => ({ name: 'Bash', input: { command, description: 'a command' } }),
    args: (url, prompt) => [
      ...['-p', prompt, '--allowedTools', 'Bash'],
      ...['--settings', JSON.stringify({ env: claudeEnv(url) })],
    ],
    env: claudeEnv,
    refusal: (program) =>
      isTrustedByClaude(program)
        ? undefined
        : 'it would run what the settings of this folder name, and it has not asked you whether you trust the folder: start claude here once',
  },
  codex: {
    program: 'codex',
    wire: openai,
    shell(command, tools) {
      if (tools.includes('exec_command')) return { name: 'exec_command', input: { cmd: command } };
      if (tools.includes('shell_command')) return { name: 'shell_command', input: { command } };
      return { name: 'shell', input: { command: ['bash', '-c', command] } };
    },
    args: (url, prompt) => [
      ...['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'],
      ...['-m', 'gpt-5', '-c', 'model_provider="hooks-doctor"'],
      ...['-c', `model_providers.hooks-doctor={${CODEX_PROVIDER}, base_url=${JSON.stringify(`${url}/v1`)}}`],
      prompt,
    ],
    env: () => ({ HOOKS_DOCTOR_KEY: 'none' }),
  },
  gemini: {
    program: 'gemini',
    wire: gemini,
    shell: (command) => ({ name: 'run_shell_command', input: { command } }),
    // Whether the folder is trusted is for the user to say: what its settings name would run.
    args: (_, prompt) => ['-m', 'gemini-2.5-pro', '-p', prompt, '--yolo'],
    env: (url) => ({
      GEMINI_API_KEY: 'none',
      GOOGLE_GEMINI_BASE_URL: url,
      // Keeps it from starting a second process with more memory.
      GEMINI_CLI_NO_RELAUNCH: 'true',
    }),
    refusal: ({ env }) => {
      const type = selectedAuthOfGemini(join(env['HOME'] ?? '', '.gemini', 'settings.json'));
      return type === undefined || type === 'gemini-api-key'
        ? undefined
        : `its settings choose ${type} to sign in, and only an API key can be sent to a model on loopback`;
    },
  },
};

const CODEX_PROVIDER = 'name="hooks doctor", env_key="HOOKS_DOCTOR_KEY", wire_api="responses"';

function claudeEnv(url: string): Readonly<Record<string, string>> {
  return {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'none',
    ANTHROPIC_AUTH_TOKEN: '',
    CLAUDE_CODE_OAUTH_TOKEN: '',
    CLAUDE_CODE_USE_BEDROCK: '',
    CLAUDE_CODE_USE_VERTEX: '',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  };
}

/** Whether the user has trusted the folder, or one around it. Claude Code itself does not ask where it runs without a terminal. */
function isTrustedByClaude({ cwd, env }: Program): boolean {
  try {
    const { projects } = JSON.parse(
      readText(join(env['CLAUDE_CONFIG_DIR'] ?? env['HOME'] ?? '', '.claude.json')),
    );
    for (let folder = realpathSync(cwd()); ; folder = dirname(folder)) {
      if (Object.hasOwn(Object(projects), folder) && projects[folder]?.hasTrustDialogAccepted === true)
        return true;
      if (folder === dirname(folder)) return false;
    }
  } catch {
    return false;
  }
}

function selectedAuthOfGemini(path: string): string | undefined {
  try {
    const type: unknown = Object(Object(Object(JSON.parse(readText(path))).security).auth).selectedType;
    return typeof type === 'string' ? type : undefined;
  } catch {
    // Gemini CLI itself reports settings that it cannot read.
    return undefined;
  }
}
