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
  const written = files.filter((file) => file.endsWith('.md') && !/^(?:parts|reference\/api)\//.test(file));
  return written.map((file) => {
    const folder = new URL('.', new URL(file, pages));
    // `@` is the folder of all pages, as VitePress has it.
    const markdown = readFileSync(new URL(file, pages), 'utf8').replaceAll('<<< @/', `<<< ${pages.href}`);
    const name = file.replace(/\.md$/, '');
    return {
      name,
      folder,
      programs: programsIn(markdown, folder),
      blocks: blocksIn(markdown, name, folder),
      files: [...markdown.matchAll(/^<<< (\S+\.(?:yaml|json))$/gm)].map(
        ([, path = '']) => new URL(path, folder),
      ),
    };
  });
}

/** The blocks of code in a text, programs too. */
export function blocksIn(markdown: string, page: string, folder: URL): readonly Block[] {
  const fences = markdown.matchAll(
    /(?:^<!-- run in (?<runIn>\S+) -->\n\n)?^```(?<language>\w*)[^\n]*\n(?<code>.*?)^```$(?:\n\n```text\n(?<prints>.*?)^```$)?/gms,
  );
  return [...fences].map(({ groups }) => {
    const { runIn, language = '', code = '', prints } = groups ?? {};
    return {
      page,
      language,
      code,
      ...(runIn && { runIn: new URL(`${runIn}/`, folder) }),
      ...(prints !== undefined && { prints }),
    };
  });
}
