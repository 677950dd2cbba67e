import { globSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { homepage } from '../scripts/homepage.ts';
import {
  canOpen,
  dist,
  firstThree,
  isBuilt,
  notOpened,
  openPage,
  openSite,
  type Site,
  searchFor,
} from './browser.ts';

const paths = globSync('**/*.html', { cwd: dist })
  .filter((file) => file !== '404.html')
  .map((file) => `/${file.replace(/(?:index)?\.html$/, '')}`)
  .toSorted();

test.skipIf(!isBuilt)(
  `llms.txt names every page, and llms-full.txt holds the programs${isBuilt ? '' : notOpened}`,
  () => {
    const index = readFileSync(new URL('llms.txt', dist), 'utf8');
    const pages = paths.filter((path) => path !== '/');
    expect(pages.length).toBeGreaterThan(50);
    for (const path of pages) expect(index).toContain(`(${homepage}${path.replace(/^\/|\/$/g, '')}.md)`);
    expect(readFileSync(new URL('llms-full.txt', dist), 'utf8')).toContain('createHookedAgent({ model');
  },
);

/** What the browser makes of one page, on a screen that is 360 px wide. */
interface Seen {
  readonly path: string;
  readonly ids: readonly string[];
  readonly links: readonly string[];
  readonly width: number;
  readonly height: number;
}

describe.skipIf(!canOpen)(`in a real browser${notOpened}`, () => {
  let site: Site;
  let page: Page;
  const seen: Seen[] = [];
  const complaints: string[] = [];

  const open = (path: string): Promise<void> => openPage(page, site, path);

  const look = async (path: string): Promise<Seen> => {
    await open(path);
    return {
      path,
      ids: await page.locator('[id]').evaluateAll((all) => all.map(({ id }) => id)),
      links: await page.locator('a[href]').evaluateAll((all) => all.map(({ href }) => href)),
      width: await page.locator('html').evaluate(({ scrollWidth }) => scrollWidth),
      height: await page.locator('html').evaluate(({ scrollHeight }) => scrollHeight),
    };
  };

  beforeAll(async () => {
    site = await openSite();
    page = await site.browser.newPage({ viewport: { width: 360, height: 740 } });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('response', (answer) => {
      if (answer.status() >= 400) complaints.push(`${answer.status()} ${answer.url()}`);
    });
    for (const path of paths) seen.push(await look(path));
  }, 300_000);
  afterAll(() => site[Symbol.asyncDispose]());

  test('every page opens without a complaint', () => {
    expect(complaints).toEqual([]);
  });

  test('every link leads to a page, and every anchor to its place', () => {
    const places = new Set(seen.flatMap(({ path, ids }) => [path, ...ids.map((id) => `${path}#${id}`)]));
    const dead = seen.flatMap(({ path: from, links }) =>
      [...new Set(links)]
        .filter((link) => link.startsWith(site.url))
        .map((link) => decodeURIComponent(link.slice(site.url.length)))
        .filter((to) => !places.has(to))
        .map((to) => `${from} links to ${to}`),
    );
    expect(dead).toEqual([]);
  });

  test('on a narrow screen no page scrolls sideways', () => {
    expect(seen.filter(({ width }) => width > 360)).toEqual([]);
  });

  test('the search finds what a page is about, and goes there', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await open('/');
    await searchFor(page, 'personal data redaction');
    await page.getByRole('option').first().click();
    await page.waitForURL('**/guides/redaction*');
  });

  test('the list of results says so while the index is on its way', async () => {
    await using context = await site.browser.newContext();
    const fresh = await context.newPage();
    const asked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    await fresh.route('**/*localSearchIndex*', async (route) => {
      asked.resolve();
      await released.promise;
      await route.continue();
    });
    await openPage(fresh, site, '/');
    const searching = searchFor(fresh, 'inbox');
    await asked.promise;
    const shown = (): Promise<string> =>
      fresh.evaluate("getComputedStyle(document.querySelector('.results'), '::after').content");
    await expect.poll(shown).toBe('"Searching…"');
    released.resolve();
    await searching;
    expect(await shown()).toBe('none');
    expect(await firstThree(fresh)).toContain('guides/approval-elsewhere#an-inbox');
  }, 30_000);

  test('the support table shows a framework on the first screen of a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open('/reference/support');
    const framework = await page.locator('main th', { hasText: '@hooks/langchain' }).boundingBox();
    const level = await page
      .locator('main td', { hasText: /^(native|emulated|no)$/ })
      .first()
      .boundingBox();
    for (const cell of [framework, level]) {
      expect(cell).not.toBeNull();
      expect((cell?.x ?? 0) + (cell?.width ?? 0)).toBeLessThanOrEqual(390);
      expect((cell?.y ?? 0) + (cell?.height ?? 0)).toBeLessThanOrEqual(844);
    }
  });

  test('the reference of core has a page for each group, and none without end', () => {
    const groups = seen.filter(({ path }) => /^\/reference\/api\/(@hooks\/core$|core\/)/.test(path));
    expect(groups.length).toBeGreaterThan(8);
    expect(groups.filter(({ height }) => height > 40_000).map(({ path, height }) => [path, height])).toEqual(
      [],
    );
  });

  test('a framework that is selected in one group of tabs is selected in all', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await open('/');
    await page.locator('.vp-code-group label', { hasText: 'Mastra' }).first().click();
    const program = page.locator('.vp-code-group .active', { hasText: 'createHooks' });
    expect(await program.innerText()).toContain("from '@hooks/mastra'");
  });

  test('the dark mode is dark, and stays', async () => {
    await open('/');
    const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    expect(await background()).toBe('rgb(255, 255, 255)');
    await page.getByRole('switch').first().click();
    await open('/start/mastra');
    expect(await background()).toBe('rgb(27, 27, 31)');
  });
});
