// What somebody who has not seen the project looks for: on a phone's screen, with a keyboard, from the front page.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canOpen, firstThree, notOpened, openPage, openSite, type Site, searchFor } from './browser.ts';

interface Answer {
  readonly question: string;
  /** The text of the link on the front page. */
  readonly link: string;
  readonly page: string;
  /** What the search finds, if it is another page. */
  readonly found?: string;
  /** Stands in the part of the page that the link leads to. */
  readonly says: string;
}

const answers: readonly Answer[] = [
  {
    question: 'block',
    link: 'block a call',
    found: 'start/openai-agents#block-a-call',
    page: 'concepts/decisions',
    says: 'block(reason',
  },
  {
    question: 'ask',
    link: 'before a call runs',
    page: 'guides/approval',
    found: 'start/ai-sdk#ask-a-person-first',
    says: 'requireApproval',
  },
  {
    question: 'ask from elsewhere',
    link: 'from a page, a chat or a terminal',
    page: 'guides/approval-elsewhere',
    says: 'inbox',
  },
  {
    question: 'who approved',
    link: 'who approved',
    page: 'guides/approval-elsewhere#who-approved',
    says: 'ToolApprovalDecision',
  },
  {
    question: 'by tenant',
    link: 'by user, role or tenant',
    page: 'guides/principal#rules-by-role-and-tenant-rbac',
    says: 'tenant',
  },
  {
    question: 'redact answers',
    link: 'in the model’s answers',
    page: 'guides/redaction#the-models-answers',
    says: 'answers: true',
  },
  {
    question: 'once',
    link: 'a call that runs once',
    page: 'guides/guards#once',
    says: 'Runs each call of a tool once',
  },
  {
    question: 'budget in money',
    link: 'a budget in money',
    page: 'guides/guards#a-budget-in-money',
    says: 'prices',
  },
  {
    question: 'replay in CI',
    link: 'replay last week’s calls in CI',
    page: 'guides/replay#3-run-it-in-ci',
    says: '--since 7d --fail-on loosened',
  },
  {
    question: 'keep 30 days',
    link: 'for 30 days',
    page: 'guides/operate#keep-and-remove-records',
    says: 'journal prune --before 30d',
  },
  {
    question: 'on Postgres',
    link: 'share state in Postgres',
    page: 'guides/more-than-one-machine#postgres',
    says: 'postgresStore',
  },
  {
    question: 'in Claude Code',
    link: 'in Claude Code',
    page: 'guides/from-claude-code#use-a-policy-inside-claude-code',
    says: 'hooks install --for claude-code',
  },
  { question: 'in my own framework', link: 'in my own framework', page: 'guides/adapter', says: 'framework' },
  {
    question: 'why was this refused',
    link: 'why it was refused',
    page: 'guides/refused#find-out-which-rule-refused-a-call',
    says: 'hooks.trace',
  },
  {
    question: 'what happens if a hook throws',
    link: 'what happens if a hook throws',
    page: 'concepts/failure',
    says: 'Gates fail closed',
  },
];

/** As a keyboard types them. */
const plain = (text: string): string => text.replaceAll('’', "'");

describe.skipIf(!canOpen)(`the front page, on a screen that is 390 px wide${notOpened}`, () => {
  let site: Site;
  let page: Page;

  const openFront = (): Promise<void> => openPage(page, site, '/');
  const focused = (): Promise<string> => page.evaluate("document.activeElement?.textContent ?? ''");

  const outline = (): Promise<string> =>
    page.evaluate('getComputedStyle(document.activeElement ?? document.body).outlineStyle');

  beforeAll(async () => {
    site = await openSite();
    page = await site.browser.newPage({ viewport: { width: 390, height: 844 } });
    await openFront();
  }, 60_000);
  afterAll(() => site[Symbol.asyncDispose]());

  test('has a link to each answer that the Tab key reaches, and shows where it is', async () => {
    const reached = new Set<string>();
    for (let presses = 0; presses < 120; presses++) {
      await page.keyboard.press('Tab');
      const link = plain(await focused());
      reached.add(link);
      if (answers.some((answer) => plain(answer.link) === link))
        expect(await outline(), link).not.toBe('none');
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

  test.each(answers)(
    'has $page one search away, for "$question"',
    async ({ question, page: answer, found = answer }) => {
      await openFront();
      await searchFor(page, question);
      await expect
        .poll(() => firstThree(page), { timeout: 10_000 })
        .toContainEqual(expect.stringMatching(new RegExp(`^${found}(#|$)`)));
    },
    30_000,
  );

  test('begins with a link that skips the navigation', async () => {
    await openFront();
    await page.keyboard.press('Tab');
    expect(await focused()).toContain('Skip to content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement?.id')).toBe('VPContent');
  });

  test.each(['/', 'Control+k'])('searches by the keyboard alone, from %s', async (key) => {
    await openFront();
    await page.keyboard.press(key);
    await expect.poll(() => page.evaluate('document.activeElement?.id')).toBe('localsearch-input');
    await page.keyboard.type('who approved');
    await page.locator('[role=option][aria-selected=true]', { hasText: 'Who approved' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/guides/approval-elsewhere#who-approved');
  });
});
