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

  test.each([
    ['inbox', 'guides/approval-elsewhere'],
    ['postgres', 'guides/more-than-one-machine'],
    ['onError', 'concepts/failure'],
    ['human in the loop', 'guides/approval'],
    ['rbac', 'guides/principal'],
    ['next.js', 'start/ai-sdk'],
    ['nextjs', 'start/ai-sdk'],
    ['versioning', 'reference/versions'],
    ['tenant', 'guides/principal'],
    ['who approved', 'guides/approval-elsewhere'],
    ['blockReason', 'guides/refused'],
    ['budget', 'guides/guards'],
    ['run a call once', 'guides/more-than-one-machine'],
    ['claude code', 'guides/from-claude-code'],
    ['timeout', 'guides/troubleshooting'],
    ['INVALID_INPUT', 'guides/troubleshooting'],
    ['keep 30 days', 'guides/operate'],
    ['replay', 'guides/replay'],
    ['prompt injection', 'guides/flow'],
    ['opa cedar', 'compared'],
    ['my own framework', 'guides/adapter'],
    ['express', 'start/examples'],
    ['retention', 'guides/operate'],
    ['gdpr', 'guides/operate'],
    ['slack', 'guides/approval-elsewhere'],
    ['github actions', 'guides/replay'],
    ['custom framework', 'guides/adapter'],
    ['multi tenant', 'guides/principal'],
    ['redact model output', 'guides/redaction'],
    ['confirm before running', 'guides/approval'],
    ['stop a tool', 'guides/guards'],
    ['idempotent', 'guides/guards'],
    // In the words of the issue trackers of agent frameworks.
    ['audit log', 'guides/audit'],
    ['postgresql', 'guides/more-than-one-machine'],
    ['exception in hook', 'concepts/failure'],
    ['idempotent refund', 'guides/guards'],
    ['human approval before tool execution', 'guides/approval'],
    ['approval webhook', 'guides/approval-elsewhere'],
    ['approve in another process', 'guides/approval-elsewhere'],
    ['remember approval', 'guides/more-than-one-machine'],
    ['auto approve safe commands', 'guides/more-than-one-machine'],
    ['block dangerous commands', 'guides/guards'],
    ['allowlist tools', 'guides/guards'],
    ['read-only mode', 'guides/guards'],
    ['env file', 'guides/guards'],
    ['infinite loop', 'guides/guards'],
    ['max cost per run', 'guides/guards'],
    ['rate limit per user', 'guides/guards'],
    ['tool description changed', 'guides/guards'],
    ['charged twice', 'guides/guards'],
    ['duplicate tool call', 'guides/guards'],
    ['retry tool on error', 'guides/guards'],
    ['dry run', 'guides/guards'],
    ['jailbreak', 'guides/guards'],
    ['moderation', 'guides/final-answer'],
    ['validate output', 'guides/final-answer'],
    ['current user', 'guides/principal'],
    ['tenant isolation', 'guides/principal'],
    ['pass context to hook', 'guides/principal'],
    ['row level security', 'guides/principal'],
    ['session id', 'concepts/sessions'],
    ['subagents', 'concepts/sessions'],
    ['hook not firing', 'guides/troubleshooting'],
    ['hooks not triggered', 'guides/troubleshooting'],
    ['swallowed error', 'guides/troubleshooting'],
    ['fail open', 'concepts/failure'],
    ['fail closed', 'concepts/failure'],
    ['abort signal', 'concepts/failure'],
    ['modify tool arguments', 'concepts/decisions'],
    ['cancel run', 'concepts/decisions'],
    ['block user prompt', 'concepts/events'],
    ['order of hooks', 'concepts/events'],
    ['parallel tool calls', 'concepts/tool-call'],
    ['mask PII', 'guides/redaction'],
    ['anonymize', 'guides/redaction'],
    ['streaming redaction', 'guides/redaction'],
    ['mock model in tests', 'guides/testing'],
    ['shadow mode', 'guides/replay'],
    ['tracing', 'guides/audit'],
    ['opentelemetry', 'guides/audit'],
    ['grafana', 'guides/audit'],
    ['compliance', 'guides/journal'],
    ['tamper proof log', 'guides/journal'],
    ['delete user data', 'guides/operate'],
    ['serverless', 'guides/more-than-one-machine'],
    ['kubernetes', 'guides/more-than-one-machine'],
    ['gemini cli', 'guides/from-claude-code'],
    ['PreToolUse', 'guides/from-claude-code'],
    ['mcp proxy', 'guides/mcp'],
    ['data exfiltration', 'guides/flow'],
    ['indirect prompt injection', 'guides/flow'],
    ['http 403', 'guides/refused'],
    ['langgraph', 'start/langchain'],
    ['createReactAgent', 'start/langchain'],
    ['realtime voice agent', 'limits/openai-agents'],
    ['yaml policy', 'guides/files'],
    ['share policy between teams', 'guides/company-policy'],
    ['cloudflare workers', 'reference/versions'],
    ['commonjs require', 'reference/versions'],
    ['breaking changes', 'reference/versions'],
    ['performance overhead', 'reference/benchmarks'],
    ['bundle size', 'decisions/13-zero-dependencies'],
    ['alternatives', 'compared'],
    ['open policy agent', 'compared'],
  ])('a search for "%s" offers %s among the first three', async (question, expected) => {
    if (!(await page.getByRole('searchbox').isVisible())) await open('/');
    await searchFor(page, question);
    // The list may still have what the search before found.
    await expect
      .poll(async () => (await firstThree(page)).map((found) => found.replace(/#.*/, '')), {
        timeout: 10_000,
      })
      .toContain(expected);
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
