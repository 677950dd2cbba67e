import type { DefaultTheme } from 'vitepress';

/** A constant of its own, because VitePress's type does not know `fields`. */
const options = {
  fields: ['title', 'titles', 'text', 'searchWords'],
  extractField: (section: Readonly<Record<string, string>>, field: string) => {
    const words = /⟨[^⟩]*⟩/g;
    if (field === 'searchWords') return (section['text']?.match(words) ?? []).join(' ');
    const content = section[field];
    return field === 'text' ? content?.replace(words, '') : content;
  },
  // "Next.js" is also found as "nextjs". A single letter would be the beginning of too many words.
  tokenize: (text: string) =>
    text
      .replaceAll(/(\w+)\.js\b/gi, '$1.js $1js')
      .split(/[\n\r\p{Z}\p{P}]+/u)
      .filter((word) => word.length > 1),
  // Words that stand in every question, and in every page.
  processTerm: (term: string) =>
    /^(an?|and|are|as|at|be|by|can|do|does|for|from|how|if|in|into|is|it|its|my|of|on|or|that|the|then|to|what|when|where|which|with|you|your)$/i.test(
      term,
    )
      ? null
      : term.toLowerCase(),
};

/**
 * The search of the site. A comment `<!-- search: audit log, compliance -->` below a heading names words that a reader
 * may look for and that the text does not use.
 *
 * VitePress sends the functions in `miniSearch` to the browser as text: they cannot use anything outside themselves.
 */
export const search: NonNullable<DefaultTheme.Config['search']> = {
  provider: 'local',
  options: {
    // Of the generated pages only names are found: their tables would be most of what a reader downloads to search.
    _render(source, env, markdown) {
      const html = markdown.render(source, env);
      return env.relativePath.startsWith('reference/api/')
        ? (html.match(/<h[1-3].*?<\/h[1-3]>/gs) ?? []).join('\n')
        : // VitePress drops comments before `extractField` sees the text.
          html.replaceAll(/<!-- search: (.*?) -->/gs, '⟨$1⟩');
    },
    miniSearch: {
      options,
      searchOptions: {
        fuzzy: 0.1,
        prefix: true,
        boost: { title: 4, titles: 2, text: 1, searchWords: 6 },
        // Guides first: the generated pages mention every word.
        boostDocument: (id: string) =>
          id.includes('/reference/api/') ? 0.3 : /\/(guides|start)\//.test(id) ? 2 : 1,
      },
    },
  },
};
