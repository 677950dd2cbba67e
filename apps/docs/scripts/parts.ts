// What pages show of other files: tables, figures, the threat model.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { supports as aiSdk } from '@hooks/ai-sdk';
import { supports as claudeAgentSdk } from '@hooks/claude-agent-sdk';
import { supportTable } from '@hooks/conformance/support-table';
import { supports as langchain } from '@hooks/langchain';
import { supports as mastra } from '@hooks/mastra';
import { supports as openaiAgents } from '@hooks/openai-agents';
import { decisions } from './decisions.ts';

const repository = new URL('../../../', import.meta.url);

/** The parts by name. A page shows one between `<!-- part name -->` and `<!-- /part -->`. */
export function readParts(): Readonly<Record<string, string>> {
  return {
    security: readFileSync(new URL('SECURITY.md', repository), 'utf8'),
    events: table('packages/core/EVENTS.md', 'events'),
    supports: supportTable([langchain, openaiAgents, mastra, aiSdk, claudeAgentSdk]),
    'supports-langchain': table('packages/langchain/SUPPORT.md', 'supports'),
    'supports-openai-agents': table('packages/openai-agents/SUPPORT.md', 'supports'),
    'supports-mastra': table('packages/mastra/SUPPORT.md', 'supports'),
    'supports-ai-sdk': table('packages/ai-sdk/SUPPORT.md', 'supports'),
    'supports-claude-agent-sdk': table('packages/claude-agent-sdk/SUPPORT.md', 'supports'),
    'supports-mcp': table('packages/mcp/SUPPORT.md', 'supports'),
    'decisions-agents': table('packages/cli/SUPPORT.md', 'decisions'),
    figures: packagesWithBench().map(figures).join('\n'),
    decisions: decisions()
      .map(({ title, link }) => `- [${title}](${link.replace('/decisions/', './')}.md)\n`)
      .join(''),
  };
}

/** What stands in a file between `<!-- name:begin -->` and `<!-- name:end -->`. */
function table(file: string, name: string): string {
  const text = readFileSync(new URL(file, repository), 'utf8');
  const [, part] = new RegExp(`^<!-- ${name}:begin -->\\n(.*?)^<!-- ${name}:end -->`, 'ms').exec(text) ?? [];
  if (part === undefined)
    throw new Error(`${file} has no part between <!-- ${name}:begin --> and <!-- ${name}:end -->`);
  return part;
}

function packagesWithBench(): readonly string[] {
  const names = readdirSync(new URL('packages/', repository));
  return names.filter((name) => existsSync(new URL(`packages/${name}/bench`, repository)));
}

/** The README of a package's benches, as a section of the page. */
function figures(name: string): string {
  const file = new URL(`packages/${name}/bench/README.md`, repository);
  const [, text] = existsSync(file) ? (/^# .*\n\n(.*)/s.exec(readFileSync(file, 'utf8')) ?? []) : [];
  const none = `\`pnpm --filter @hooks/${name} bench\` measures it; its figures are not written down yet.\n`;
  return `## @hooks/${name}\n\n${text?.replaceAll(/^## /gm, '### ') ?? none}`;
}
