// Pages hold what they show, so that they can be read on GitHub and in an editor, too. `pnpm --filter docs pages` writes
// it again; a test fails where it differs from its source.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { readParts } from './parts.ts';

const pages = new URL('../pages/', import.meta.url);
const parts = readParts();

/** A page, and what it would be if it showed its sources as they are now. */
export interface ShownPage {
  readonly file: URL;
  readonly text: string;
  readonly expected: string;
}

/** The pages that somebody wrote; those of the API are made by typedoc. */
export function shownPages(): readonly ShownPage[] {
  const names = globSync('**/*.md', { cwd: pages, exclude: ['reference/api/**'] }).toSorted();
  return names.map((name) => {
    const file = new URL(name, pages);
    const text = readFileSync(file, 'utf8');
    return { file, text, expected: withSources(text, file) };
  });
}

/** Writes every page again whose sources have changed. */
export function writeShown(): void {
  for (const { file, text, expected } of shownPages()) if (text !== expected) writeFileSync(file, expected);
}

function withSources(text: string, page: URL): string {
  return text
    .replaceAll(
      /^(<!-- file (\S+) -->\n\n(```+)[^\n]*\n).*?^\3$/gms,
      (_, start: string, path: string, fence: string) => start + readSource(new URL(path, page)) + fence,
    )
    .replaceAll(/^<!-- part ([\w-]+) -->\n.*?^<!-- \/part -->$/gms, (_, name: string) => {
      const part = parts[name];
      if (part === undefined)
        throw new Error(`${page.pathname} shows the part "${name}", which does not exist`);
      return `<!-- part ${name} -->\n\n${part.trim()}\n\n<!-- /part -->`;
    });
}

/** A file, or what stands in it between `// #region name` and `// #endregion name`. */
function readSource(source: URL): string {
  const region = source.hash.slice(1);
  const text = readFileSync(new URL(source.pathname, source), 'utf8');
  if (region === '') return text;
  const [, code] = new RegExp(`^// #region ${region}\\n(.*?)^// #endregion`, 'ms').exec(text) ?? [];
  if (code === undefined) throw new Error(`${source.pathname} has no region "${region}"`);
  return code;
}
