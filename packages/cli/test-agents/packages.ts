/** With `HOOKS_NEWEST_AGENTS=1`, as in the weekly job, the suite drives the newest version of each agent. */
const versioned = (name: string, pinned: string): string =>
  `${name}@${process.env['HOOKS_NEWEST_AGENTS'] ? 'latest' : pinned}`;

/** The npm package and program of each agent in the suite, by the names that `--as` and `--for` take. */
export const PACKAGES: Readonly<Record<AgentName, { readonly package: string; readonly bin: string }>> = {
  'claude-code': { package: versioned('@anthropic-ai/claude-code', '2.1.332'), bin: 'claude' },
  codex: { package: versioned('@openai/codex', '0.169.0'), bin: 'codex' },
  gemini: { package: versioned('@google/gemini-cli', '0.61.0'), bin: 'gemini' },
};

export type AgentName = 'claude-code' | 'codex' | 'gemini';

export const AGENT_NAMES: readonly AgentName[] = ['claude-code', 'codex', 'gemini'];
