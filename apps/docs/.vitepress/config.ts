import { type DefaultTheme, defineConfig } from 'vitepress';
import llmstxt from 'vitepress-plugin-llms';
import { strictLogger } from './logger.ts';
import { sidebar } from './sidebar.ts';

export default defineConfig({
  title: 'hooks',
  description: 'The policy layer for AI agents in TypeScript: prompts are advice, hooks are law.',
  lang: 'en',
  head: [['link', { rel: 'icon', href: '/favicon.svg' }]],
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
    sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
    docFooter: { prev: 'Previous', next: 'Next' },
  } satisfies DefaultTheme.Config,
});
