/** The npm package and program of each agent in the suite, by the names that `--as` and `--for` take. */
export const PACKAGES = {
  'claude-code': { package: '@anthropic-ai/claude-code@2.1.332', bin: 'claude' },
  codex: { package: '@openai/codex@0.169.0', bin: 'codex' },
  gemini: { package: '@google/gemini-cli@0.61.0', bin: 'gemini' },
} as const;

export type AgentName = keyof typeof PACKAGES;

export const AGENT_NAMES: readonly AgentName[] = ['claude-code', 'codex', 'gemini'];
