import { readdirSync, readFileSync } from 'node:fs';
import { programsIn, type ShownProgram } from '@hooks/testing/examples';

const pages = new URL('../pages/', import.meta.url);

/** A page that somebody wrote; those of the API are made by typedoc. */
export interface Page {
  /** Below `pages`, without `.md`. */
  readonly name: string;
  readonly folder: URL;
  readonly programs: readonly ShownProgram[];
  readonly blocks: readonly Block[];
  /** Other files that it shows: YAML, JSON. */
  readonly files: readonly URL[];
}

/** A block of code in the text. */
export interface Block {
  readonly page: string;
  readonly language: string;
  readonly code: string;
  /** The folder that the comment above it names: `<!-- run in ./files -->`. */
  readonly runIn?: URL;
  /** The `text` block after it. */
  readonly prints?: string;
}

/** All pages, by name. */
export function readPages(): readonly Page[] {
  const files = readdirSync(pages, { recursive: true, encoding: 'utf8' }).toSorted();
  const written = files.filter((file) => file.endsWith('.md') && !file.startsWith('reference/api/'));
  return written.map((file) => {
    const folder = new URL('.', new URL(file, pages));
    const markdown = readFileSync(new URL(file, pages), 'utf8');
    const name = file.replace(/\.md$/, '');
    return {
      name,
      folder,
      programs: programsIn(markdown, folder),
      blocks: blocksIn(markdown, name, folder),
      files: [...markdown.matchAll(/^<!-- file (\S+\.(?:yaml|json)) -->$/gm)].map(
        ([, path = '']) => new URL(path, folder),
      ),
    };
  });
}

/** The blocks of code in a text, but for those that show a file. */
export function blocksIn(markdown: string, page: string, folder: URL): readonly Block[] {
  const fences = markdown.matchAll(
    /(?:^<!-- run in (?<runIn>\S+) -->\n\n)?(?:^<!-- file (?<file>\S+) -->\n\n)?^```(?<language>\w*)[^\n]*\n(?<code>.*?)^```$(?:\n\n```text\n(?<prints>.*?)^```$)?/gms,
  );
  return [...fences].flatMap(({ groups }) => {
    const { runIn, file, language = '', code = '', prints } = groups ?? {};
    if (file !== undefined) return [];
    return {
      page,
      language,
      code,
      ...(runIn && { runIn: new URL(`${runIn}/`, folder) }),
      ...(prints !== undefined && { prints }),
    };
  });
}
