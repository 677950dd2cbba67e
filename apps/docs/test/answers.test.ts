// What somebody who has not seen the project looks for: on a phone's screen, with a keyboard, from the front page.
import { hasBrowser, notRun } from '@hooks/testing/browser';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSite, type Site } from './browser.ts';

interface Answer {
  /** The text of the link on the front page. */
  readonly link: string;
  readonly page: string;
  /** Stands in the part of the page that the link leads to. */
  readonly says: string;
}

const answers: readonly Answer[] = [
  { link: 'block a call', page: 'concepts/decisions', says: 'block(reason' },
  { link: 'before a call runs', page: 'guides/approval', says: 'approval' },
  {
    link: 'from a page, a chat or a terminal',

    page: 'guides/approval-elsewhere',
    says: 'inbox',
  },
  {
    link: 'who approved',

    page: 'guides/approval-elsewhere#who-approved',
    says: 'ToolApprovalDecision',
  },
  {
    link: 'by user, role or tenant',

    page: 'guides/principal#rules-by-role-and-tenant-rbac',
    says: 'tenant',
  },
  {
    link: 'in the model’s answers',

    page: 'guides/redaction#the-models-answers',
    says: 'answers: true',
  },
  {
    link: 'a call that runs once',

    page: 'guides/guards#once',
    says: 'Runs each call of a tool once',
  },
  {
    link: 'a budget in money',

    page: 'guides/guards#a-budget-in-money',
    says: 'prices',
  },
  {
    link: 'replay last week’s calls in CI',

    page: 'guides/replay#3-run-it-in-ci',
    says: '--fail-on loosened',
  },
  {
    link: 'keep records for 30 days',

    page: 'guides/operate#keep-and-remove-records',
    says: 'journal prune --before 30d',
  },
  {
    link: 'share state in Postgres',

    page: 'guides/more-than-one-machine#which-store',
    says: 'postgresStore',
  },
  {
    link: 'in Claude Code',

    page: 'guides/from-claude-code#use-a-policy-inside-claude-code',
    says: 'hooks install --for claude-code',
  },
  { link: 'in my own framework', page: 'guides/adapter', says: 'framework' },
  { link: 'why it was refused', page: 'guides/refused', says: 'blockReason' },
  {
    link: 'what happens if a hook throws',

    page: 'concepts/failure',
    says: 'Gates fail closed',
  },
];

/** As a keyboard types them. */
const plain = (text: string): string => text.replaceAll('’', "'");

describe.skipIf(!hasBrowser)(`the front page, on a screen that is 390 px wide${notRun}`, () => {
  let site: Site;
  let page: Page;

  const openFront = async (): Promise<void> => {
    await page.goto(`${site.url}/`);
    await page.waitForFunction("'__vue_app__' in (document.querySelector('#app') ?? {})");
  };

  beforeAll(async () => {
    site = await openSite();
    page = await site.browser.newPage({ viewport: { width: 390, height: 844 } });
    await openFront();
  }, 60_000);
  afterAll(() => site[Symbol.asyncDispose]());

  test('has a link to each answer that the Tab key reaches', async () => {
    const reached = new Set<string>();
    for (let presses = 0; presses < 120; presses++) {
      await page.keyboard.press('Tab');
      reached.add(plain(await page.evaluate<string>("document.activeElement?.textContent ?? ''")));
    }
    expect(answers.map(({ link }) => plain(link)).filter((link) => !reached.has(link))).toEqual([]);
  }, 60_000);

  test.each(answers)(
    'has $page one press of Enter away, at "$link"',
    async ({ link, page: expected, says }) => {
      await openFront();
      await page.locator('#VPContent a', { hasText: new RegExp(`^${link.replace('’', "[’']")}$`) }).focus();
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/${expected}`);
      const [, anchor] = expected.split('#');
      const place = page.locator(anchor === undefined ? 'main h1' : `main [id="${anchor}"]`);
      await expect.poll(async () => (await place.boundingBox())?.y ?? -1).toSatisfy((y) => y >= 0 && y < 844);
      await page.locator('main').getByText(says).first().waitFor();
      expect(await page.locator('html').evaluate(({ scrollWidth }) => scrollWidth)).toBe(390);
    },
    30_000,
  );
});
