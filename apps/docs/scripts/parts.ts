// The tables that the READMEs have, for the pages that show them: each figure is written down once.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { decisions } from './decisions.ts';

const repository = new URL('../../../', import.meta.url);
const parts = new URL('../pages/parts/', import.meta.url);

/** Writes the parts to `pages/parts`. */
export function writeParts(): void {
  const texts = {
    events: table('packages/core/README.md', 'events'),
    supports: table('README.md', 'supports'),
    'supports-langchain': table('packages/langchain/README.md', 'supports'),
    'supports-openai-agents': table('packages/openai-agents/README.md', 'supports'),
    'supports-mastra': table('packages/mastra/README.md', 'supports'),
    'supports-ai-sdk': table('packages/ai-sdk/README.md', 'supports'),
    'supports-mcp': table('packages/mcp/README.md', 'supports'),
    'decisions-agents': table('packages/cli/README.md', 'decisions'),
    figures: packagesWithBench().map(figures).join('\n'),
    decisions: decisions()
      .map(({ title, link }) => `- [${title}](${link})\n`)
      .join(''),
  };
  mkdirSync(parts, { recursive: true });
  for (const [name, text] of Object.entries(texts)) writeFileSync(new URL(`${name}.md`, parts), text);
}

function table(file: string, name: string): string {
  const [part] = marked(file, name);
  if (part === undefined)
    throw new Error(`${file} has no part between <!-- ${name}:begin --> and <!-- ${name}:end -->`);
  return part.text;
}

/** What stands in a file between `<!-- name:begin -->` and `<!-- name:end -->`, each with the heading above it. */
function marked(file: string, name: string): readonly { readonly heading: string; readonly text: string }[] {
  const readme = readFileSync(new URL(file, repository), 'utf8');
  const pattern = new RegExp(`^##+ ([^\\n]*)$|^<!-- ${name}:begin -->\\n(.*?)^<!-- ${name}:end -->`, 'gms');
  let heading = '';
  return [...readme.matchAll(pattern)].flatMap(([, section, text]) => {
    heading = section ?? heading;
    return text === undefined ? [] : { heading, text };
  });
}

function packagesWithBench(): readonly string[] {
  const names = readdirSync(new URL('packages/', repository));
  return names.filter((name) => existsSync(new URL(`packages/${name}/bench`, repository)));
}

function figures(name: string): string {
  const measured = marked(`packages/${name}/README.md`, 'figures');
  const sections = measured.map(({ heading, text }) => `### ${heading}\n\n${text}`);
  const none = `\`pnpm --filter @hooks/${name} bench\` measures it; its figures are not written down yet.\n`;
  return `## @hooks/${name}\n\n${sections.join('\n') || none}`;
}
