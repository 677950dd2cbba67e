import { existsSync } from 'node:fs';

/** Builds the page that the tests open, where nobody has yet. `turbo run test` builds it first. */
export default async function buildPage(): Promise<void> {
  if (!existsSync(new URL('../dist/page/index.html', import.meta.url)))
    await import('../scripts/build-page.ts');
}
