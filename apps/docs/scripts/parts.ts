// What pages show of other files: tables, figures, the threat model.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { supports as aiSdk } from '@hooks/ai-sdk';
import { proxySupports as claudeAgentSdk } from '@hooks/claude-agent-sdk';
import { supportTable } from '@hooks/conformance/support-table';
import { supports as langchain } from '@hooks/langchain';
import { supports as mastra } from '@hooks/mastra';
import { supports as openaiAgents } from '@hooks/openai-agents';
import { decisions } from './decisions.ts';

const repository = new URL('../../../', import.meta.url);

/** The adapters whose framework is a peer dependency. */
const ADAPTERS = ['langchain', 'openai-agents', 'mastra', 'ai-sdk', 'claude-agent-sdk'];

/** The parts by name. A page shows one between `<!-- part name -->` and `<!-- /part -->`. */
export function readParts(): Readonly<Record<string, string>> {
  return {
    security: readFileSync(new URL('SECURITY.md', repository), 'utf8'),
    events: table('packages/core/EVENTS.md', 'events'),
    supports: narrow(supportTable([langchain, openaiAgents, mastra, aiSdk, claudeAgentSdk])),
    'supports-langchain': table('packages/langchain/SUPPORT.md', 'supports'),
    'supports-openai-agents': table('packages/openai-agents/SUPPORT.md', 'supports'),
    'supports-mastra': table('packages/mastra/SUPPORT.md', 'supports'),
    'supports-ai-sdk': table('packages/ai-sdk/SUPPORT.md', 'supports'),
    'supports-claude-agent-sdk': table('packages/claude-agent-sdk/SUPPORT.md', 'supports'),
    'supports-mcp': table('packages/mcp/SUPPORT.md', 'supports'),
    'decisions-agents': table('packages/cli/SUPPORT.md', 'decisions'),
    figures: packagesWithBench().map(figures).join('\n'),
    versions: versions(),
    decisions: decisions()
      .map(({ title, link }) => `- [${title}](${link.replace('/decisions/', './')}.md)\n`)
      .join(''),
  };
}

/** The table with events and their decisions in one column, so that a phone shows a framework beside them. */
function narrow(supports: string): string {
  return supports.replaceAll(
    /^\| (.*?) \| (.*?) \| /gm,
    (_, event: string, decision: string) => `| ${event || decision} | `,
  );
}

/** The frameworks of the adapters: what they accept, and the newest version that the tests run on. */
function versions(): string {
  const catalog = readFileSync(new URL('pnpm-workspace.yaml', repository), 'utf8');
  const rows = ADAPTERS.flatMap((adapter) => {
    const manifest = readFileSync(new URL(`packages/${adapter}/package.json`, repository), 'utf8');
    const { peerDependencies }: { readonly peerDependencies: Readonly<Record<string, string>> } =
      JSON.parse(manifest);
    return Object.entries(peerDependencies)
      .filter(([name]) => name !== '@hooks/core')
      .map(([name, range]) => {
        const [, tested] = new RegExp(`^  '?${name}'?: (.*)$`, 'm').exec(catalog) ?? [];
        if (tested === undefined) throw new Error(`the catalog of pnpm-workspace.yaml does not have ${name}`);
        return `| \`@hooks/${adapter}\` | \`${name}\` | \`${range}\` | ${tested} |\n`;
      });
  });
  return `| adapter | framework | accepts | newest tested |\n|---|---|---|---|\n${rows.join('')}`;
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
