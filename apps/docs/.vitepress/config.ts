import { type DefaultTheme, defineConfig, type HeadConfig } from 'vitepress';
import llmstxt from 'vitepress-plugin-llms';
import { homepage } from '../scripts/homepage.ts';
import { strictLogger } from './logger.ts';
import { search } from './search.ts';
import { sidebar } from './sidebar.ts';
import { slug } from './slug.ts';
import { tabs } from './tabs.ts';

const { origin, pathname: base } = new URL(homepage);

/** The tags from which chats and feeds make a link preview. */
const socialTags = (title: string, description: string): HeadConfig[] => [
  ['meta', { property: 'og:title', content: title }],
  ['meta', { property: 'og:description', content: description }],
];

export default defineConfig({
  title: 'hooks',
  description: 'The policy layer for AI agents in TypeScript. Prompts are advice; hooks are law.',
  lang: 'en',
  head: [
    ['link', { rel: 'icon', href: `${base}favicon.svg` }],
    ['meta', { property: 'og:type', content: 'website' }],
    ['meta', { property: 'og:site_name', content: 'hooks' }],
    // A link preview needs the whole address.
    ['meta', { property: 'og:image', content: `${homepage}preview.png` }],
    ['meta', { property: 'og:image:width', content: '1200' }],
    ['meta', { property: 'og:image:height', content: '630' }],
    ['meta', { property: 'og:image:alt', content: 'hooks: prompts are advice, hooks are law' }],
    ['meta', { name: 'twitter:card', content: 'summary_large_image' }],
  ],
  transformPageData({ frontmatter, title, description }, { siteConfig: { site } }) {
    frontmatter['head'] = socialTags(title || site.title, description || site.description);
  },
  base,
  srcDir: 'pages',
  outDir: 'dist',
  cleanUrls: true,
  // A dead link fails the build.
  ignoreDeadLinks: false,
  vite: {
    // The search index is the largest chunk, and loads when somebody searches.
    build: { chunkSizeWarningLimit: 2000 },
    plugins: [llmstxt({ domain: origin })],
    ...(process.env['NODE_ENV'] === 'production' && { customLogger: strictLogger }),
  },
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: slug },
    config: tabs,
  },
  themeConfig: {
    nav: [
      { text: 'Start', link: '/start/langchain', activeMatch: '/start/' },
      { text: 'Guides', link: '/guides/first-policy', activeMatch: '/guides/' },
      { text: 'Reference', link: '/reference/events', activeMatch: '/reference/' },
      { text: 'Design', link: '/decisions/', activeMatch: '/decisions/' },
    ],
    logo: { light: '/favicon.svg', dark: '/logo-dark.svg' },
    socialLinks: [{ icon: 'github', link: 'https://github.com/hooks/hooks' }],
    sidebar,
    outline: [2, 3],
    search,
    docFooter: { prev: 'Previous', next: 'Next' },
  } satisfies DefaultTheme.Config,
});
