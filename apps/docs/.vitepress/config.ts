import { type DefaultTheme, defineConfig, type HeadConfig } from 'vitepress';
import llmstxt from 'vitepress-plugin-llms';
import { strictLogger } from './logger.ts';
import { sidebar } from './sidebar.ts';

/** What a chat or a feed shows of a link to a page. */
const socialTags = (title: string, description: string): HeadConfig[] => [
  ['meta', { property: 'og:title', content: title }],
  ['meta', { property: 'og:description', content: description }],
];

export default defineConfig({
  title: 'hooks',
  description: 'The policy layer for AI agents in TypeScript: prompts are advice, hooks are law.',
  lang: 'en',
  head: [
    ['link', { rel: 'icon', href: '/favicon.svg' }],
    ['meta', { property: 'og:type', content: 'website' }],
    ['meta', { property: 'og:site_name', content: 'hooks' }],
    ['meta', { name: 'twitter:card', content: 'summary' }],
  ],
  transformPageData({ frontmatter, title, description }, { siteConfig: { site } }) {
    frontmatter['head'] = socialTags(title || site.title, description || site.description);
  },
  srcDir: 'pages',
  srcExclude: ['parts/**'],
  outDir: 'dist',
  cleanUrls: true,
  // A link to a page that is not there fails the build.
  ignoreDeadLinks: false,
  vite: {
    // The largest is the search index, which is loaded when somebody searches.
    build: { chunkSizeWarningLimit: 1500 },
    plugins: [llmstxt({ ignoreFiles: ['parts/*'] })],
    ...(process.env['NODE_ENV'] === 'production' && { customLogger: strictLogger }),
  },
  markdown: { theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' } },
  themeConfig: {
    nav: [
      { text: 'Start', link: '/start/langchain', activeMatch: '/start/' },
      { text: 'Guides', link: '/guides/first-policy', activeMatch: '/guides/' },
      { text: 'Reference', link: '/reference/events', activeMatch: '/reference/' },
      { text: 'Why', link: '/decisions/', activeMatch: '/decisions/' },
    ],
    logo: '/favicon.svg',
    socialLinks: [{ icon: 'github', link: 'https://github.com/hooks/hooks' }],
    sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
    docFooter: { prev: 'Previous', next: 'Next' },
  } satisfies DefaultTheme.Config,
});
