import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { hasBrowser, notRun, openBrowser } from '@hooks/testing/browser';
import type { Browser, Page } from 'playwright-core';
import { serve } from 'vitepress';
import { homepage } from '../scripts/homepage.ts';

/** The built site. */
export const dist: URL = new URL('../dist/', import.meta.url);

export const isBuilt: boolean = existsSync(dist);

/** Whether the built site can be opened. */
export const canOpen: boolean = isBuilt && hasBrowser;

/** A suffix for the names of skipped tests. */
export const notOpened: string = isBuilt
  ? notRun
  : ' (not run: the site is not built; pnpm --filter docs build)';

/** A real browser, and the built site behind real HTTP. */
export interface Site extends AsyncDisposable {
  readonly browser: Browser;
  /** Without a slash at its end. */
  readonly url: string;
}

/** Where the site begins on its host, `/` or `/folder/`. */
const base: string = new URL(homepage).pathname;

export async function openSite(): Promise<Site> {
  const { server } = await serve({ root: fileURLToPath(new URL('..', import.meta.url)), port: 0 });
  const { port } = server.address() as AddressInfo;
  const browser = await openBrowser();
  return {
    browser,
    url: `http://localhost:${port}${base.slice(0, -1)}`,
    [Symbol.asyncDispose]: async () => {
      await browser.close();
      server.close();
    },
  };
}

/** Goes to a page of the site, and waits until it is alive. */
export async function openPage(page: Page, site: Site, path: string): Promise<void> {
  await page.goto(site.url + path);
  await page.waitForFunction("'__vue_app__' in (document.querySelector('#app') ?? {})");
}

/** Searches as a reader does. Resolves once the first results are there: the index comes with the first search. */
export async function searchFor(page: Page, question: string): Promise<void> {
  const box = page.getByRole('searchbox');
  if (!(await box.isVisible())) await page.getByRole('button', { name: 'Search' }).first().click();
  await box.fill(question);
  await page.getByRole('option').first().waitFor();
}

/** The pages, with their anchors, that the search offers first. */
export function firstThree(page: Page): Promise<readonly string[]> {
  return page
    .locator('[role=option] a')
    .evaluateAll(
      (all, start) => all.slice(0, 3).map((link) => link.getAttribute('href')?.slice(start) ?? ''),
      base.length,
    );
}
