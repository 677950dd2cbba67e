import { describe, test } from 'vitest';
import { aiSdk } from '../src/agents/ai-sdk.ts';
import { langchain } from '../src/agents/langchain.ts';
import { mastra } from '../src/agents/mastra.ts';
import { openaiAgents } from '../src/agents/openai-agents.ts';
import { play } from './play.ts';
import { contextScenarios } from './scenarios/context.ts';
import { fileScenarios } from './scenarios/files.ts';
import { limitScenarios } from './scenarios/limits.ts';
import { privacyScenarios } from './scenarios/privacy.ts';
import { sharedScenarios } from './scenarios/shared.ts';
import { toolScenarios } from './scenarios/tools.ts';

const scenarios = [
  ...toolScenarios,
  ...privacyScenarios,
  ...limitScenarios,
  ...contextScenarios,
  ...fileScenarios,
  ...sharedScenarios,
];

describe.each([
  ['LangChain', langchain],
  ['OpenAI Agents', openaiAgents],
  ['Mastra', mastra],
  ['AI SDK', aiSdk],
] as const)('in an agent of %s', (_, framework) => {
  for (const { rule, skip, run } of scenarios) {
    test.skipIf(skip !== undefined)(skip === undefined ? rule : `${rule} (skipped: ${skip})`, () =>
      run((scene) => play(framework, scene)),
    );
  }
});
