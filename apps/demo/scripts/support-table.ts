// What the four frameworks can do, side by side: `pnpm --filter demo generate` writes it into the repository's README.
import { readFileSync, writeFileSync } from 'node:fs';
import { supports as aiSdk } from '@hooks/ai-sdk';
import { withSupportTable } from '@hooks/conformance/support-table';
import { supports as langchain } from '@hooks/langchain';
import { supports as mastra } from '@hooks/mastra';
import { supports as openaiAgents } from '@hooks/openai-agents';

const file = new URL('../../../README.md', import.meta.url);

/** The repository's README as it is. */
export const readme: string = readFileSync(file, 'utf8');

/** The README with the table as the adapters' data have it now. */
export const generated: string = withSupportTable(readme, [langchain, openaiAgents, mastra, aiSdk]);

if (import.meta.main) writeFileSync(file, generated);
