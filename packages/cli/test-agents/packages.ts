/** With `HOOKS_NEWEST_AGENTS=1`, as in the weekly job, the suite drives the newest version of each agent. */
const versioned = (name: string, pinned: string): string =>
  `${name}@${process.env['HOOKS_NEWEST_AGENTS'] ? 'latest' : pinned}`;

/** The npm package and program of each agent in the suite, by the names that `--as` and `--for` take. */
export const PACKAGES: Readonly<Record<AgentName, { readonly package: string; readonly bin: string }>> = {
  'claude-code': { package: versioned('@anthropic-ai/claude-code', '2.1.332'), bin: 'claude' },
  codex: { package: versioned('@openai/codex', '0.169.0'), bin: 'codex' },
  copilot: { package: versioned('@github/copilot', '1.0.102'), bin: 'copilot' },
  opencode: { package: versioned('opencode-ai', '1.18.33'), bin: 'opencode' },
  gemini: { package: versioned('@google/gemini-cli', '0.61.0'), bin: 'gemini' },
};

export type AgentName = InstallableName | 'copilot' | 'opencode';

/** The agents that `hooks install` supports. */
export type InstallableName = 'claude-code' | 'codex' | 'gemini';

export const INSTALLABLE_NAMES: readonly InstallableName[] = ['claude-code', 'codex', 'gemini'];

/** Those whose hooks are commands. */
export const AGENT_NAMES: readonly AgentName[] = [...INSTALLABLE_NAMES, 'copilot'];
