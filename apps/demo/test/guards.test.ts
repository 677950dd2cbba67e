import { sampled } from '@hooks/testing/random';
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

// Each scenario in one framework; in all with `HOOKS_RANDOM=1`.
describe.each([
  ['LangChain', langchain, 0],
  ['OpenAI Agents', openaiAgents, 1],
  ['Mastra', mastra, 2],
  ['AI SDK', aiSdk, 3],
] as const)('in an agent of %s', (_, framework, offset) => {
  for (const { rule, skip, run } of sampled(scenarios, 4, offset)) {
    test.skipIf(skip !== undefined)(skip === undefined ? rule : `${rule} (skipped: ${skip})`, () =>
      run((scene) => play(framework, scene)),
    );
  }
});
