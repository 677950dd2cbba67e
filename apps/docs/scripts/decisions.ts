import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('../pages/decisions/', import.meta.url);

/** A decision record: a page below `pages/decisions`. */
export interface DecisionRecord {
  readonly title: string;
  readonly link: string;
}

/** The records, in order of their file names. */
export function decisions(): readonly DecisionRecord[] {
  const files = readdirSync(folder).filter((file) => file !== 'index.md');
  return files.toSorted().map((file) => {
    const title = /^# (.*)$/m.exec(readFileSync(new URL(file, folder), 'utf8'))?.[1];
    if (title === undefined) throw new Error(`pages/decisions/${file} has no title: begin it with "# …"`);
    return { title, link: `/decisions/${file.replace(/\.md$/, '')}` };
  });
}
