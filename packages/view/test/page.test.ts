import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Approver, BeforeToolCall, block, createHooks, requireApproval } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { journal, replay } from '@hooks/journal';
import { memoryStore } from '@hooks/store';
import { inbox, rememberApprovals } from '@hooks/store/approvals';
import { hasBrowser, notRun, openBrowser } from '@hooks/testing/browser';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openView, type View, type ViewOptions } from '../src/index.ts';
import { playQuestion, playRefund, policyWith } from './agents.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The number of short runs in the journal, besides the long one. Far more than a screen shows. */
const MANY = 300 * Math.max(1, Number(process.env['HOOKS_RANDOM'] ?? 1));
/** The number of blocked runs among all. */
const BLOCKED = MANY / 50 + 1;

describe.skipIf(!hasBrowser)(`in a real browser${notRun}`, () => {
  const folder = temporaryFolder();
  let browser: Browser;
  let page: Page;
  let shared: View;
  let opened: View[] = [];
  let complaints: string[] = [];
  let elsewhere: string[] = [];

  beforeAll(async () => {
    browser = await openBrowser();
    const log = journal({ sink: folder });
    const hooks = policyWith(log);
    for (let index = 0; index < MANY; index++)
      await playQuestion(hooks, {
        sessionId: `question-${index}`,
        agent: index % 2 === 0 ? 'support' : 'billing',
        prompt: `Question ${index}`,
        ...(index % 50 === 0 && { toolName: 'run_shell', input: { command: 'rm -rf exports' } }),
      });
    await playRefund(hooks, { sessionId: 'refund' });
    await hooks.close();
    await log.close();
    shared = await openView({ journal: folder });
  });
  afterAll(async () => {
    await browser.close();
    await shared.close();
  });

  beforeEach(async () => {
    complaints = [];
    elsewhere = [];
    page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.setDefaultTimeout(120_000);
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('request', (request) => {
      const ours = [shared, ...opened].some(({ url }) => request.url().startsWith(new URL(url).origin));
      if (!ours) elsewhere.push(request.url());
    });
  });
  afterEach(async () => {
    await page.close();
    for (const view of opened) await view.close();
    opened = [];
    expect(elsewhere).toEqual([]);
  });

  /** Opens the page with the long journal, or with other options. */
  async function open(options?: ViewOptions): Promise<View> {
    const view = options ? await openView(options) : shared;
    if (options) opened.push(view);
    await page.goto(view.url);
    return view;
  }

  /** Opens the long run of the journal. */
  async function openRefund(): Promise<void> {
    await open();
    await page.getByRole('searchbox').fill('4821');
    await page.getByRole('link', { name: /Refund order 4821/ }).click();
    await page.getByRole('tree').waitFor();
  }

  const rows = () => page.getByRole('table', { name: 'Runs' }).locator('[data-row]');

  it('the list has all runs, and only the visible ones are in the document', async () => {
    await open();
    await page.getByText(`${(MANY + 1).toLocaleString('en-GB')} runs`).waitFor();
    expect(await rows().count()).toBeLessThan(60);
    await rows().first().getByRole('link').focus();
    await page.keyboard.press('End');
    await expect.poll(() => page.evaluate<string>('document.activeElement.textContent')).toBe('Question 0');
    expect(await rows().count()).toBeLessThan(60);
    expect(complaints).toEqual([]);
  });

  it('a run over midnight is one row as soon as both days are read', async () => {
    const source = temporaryFolder();
    const write = async (sessionId: string): Promise<readonly string[]> => {
      const written = temporaryFolder();
      const log = journal({ sink: written });
      const hooks = policyWith(log);
      await playQuestion(hooks, { sessionId });
      await hooks.close();
      await log.close();
      const [file = ''] = readdirSync(written).filter((name) => name.endsWith('.jsonl'));
      return readFileSync(join(written, file), 'utf8').trimEnd().split('\n');
    };
    const night = await write('night');
    const day = (await write('day')).join('\n');
    const days = [...night.slice(0, 6), ...Array(Math.ceil(40_000_000 / day.length)).fill(day)];
    writeFileSync(join(source, '2026-03-01.jsonl'), `${days.join('\n')}\n`);
    writeFileSync(join(source, '2026-03-02.jsonl'), `${night.slice(6).join('\n')}\n`);
    await open({ journal: source });
    await page.getByText('Live', { exact: true }).waitFor();
    await expect.poll(() => page.locator('.found').textContent()).toBe('2 runs');
    expect(await rows().count()).toBe(2);
    expect(complaints).toEqual([]);
  });

  it('filters narrow the list by words, outcome, agent and tool', async () => {
    await open();
    const found = page.locator('.found');
    await page.getByText('Blocked', { exact: true }).first().click();
    await expect.poll(() => found.textContent()).toContain(`${BLOCKED} of`);
    await page.getByRole('combobox', { name: 'Agent' }).selectOption('carrier-desk');
    await expect.poll(() => found.textContent()).toContain('1 of');
    await page.getByRole('combobox', { name: 'Agent' }).selectOption('');
    await page.getByText('All', { exact: true }).click();
    await page.getByRole('combobox', { name: 'Tool' }).selectOption('refund');
    await expect.poll(() => found.textContent()).toContain('1 of');
    await page.getByRole('combobox', { name: 'Tool' }).selectOption('');
    await page.getByRole('searchbox').fill('no-mass-delete');
    await expect.poll(() => found.textContent()).toContain(`${BLOCKED} of`);
  });

  it('a run is a tree of turns, model calls, tool calls, attempts, approvals and sub-agents', async () => {
    await openRefund();
    const level = async (name: RegExp) =>
      Number(await page.getByRole('treeitem', { name }).first().getAttribute('aria-level'));
    expect(await level(/^Turn 1/)).toBe(2);
    expect(await level(/search_orders/)).toBe(3);
    expect(await level(/^Attempt 2/)).toBe(4);
    expect(await level(/Tool call: ask_carrier/)).toBe(3);
    expect(await level(/Sub-agent: carrier-desk/)).toBe(4);
    expect(await level(/track_parcel/)).toBe(6);
    expect(await level(/^Approval/)).toBe(4);
    expect(complaints).toEqual([]);
  });

  it('a run opens at the first refused call, with the hook and the reason', async () => {
    await openRefund();
    const details = page.getByRole('complementary', { name: 'Details' });
    await details.getByRole('heading', { name: 'run_shell' }).waitFor();
    const text = await details.textContent();
    expect(text).toContain('Deleting whole folders is not allowed.');
    expect(text).toContain('acme/no-mass-delete');
    expect(text).toContain('rm -rf /var/cache/orders');
  });

  it('a replaced value is marked, and the page does not have the original', async () => {
    await openRefund();
    await page.getByRole('treeitem', { name: /search_orders/ }).click();
    const input = page.getByRole('group', { name: 'Input' });
    expect(await input.locator('.line.added').allTextContents()).toEqual([
      expect.stringContaining('"includeArchived": false'),
      expect.stringContaining('"limit": 20'),
    ]);
    expect(await input.locator('.line.removed').count()).toBe(2);
    const output = page.getByRole('group', { name: 'Output' });
    expect(await output.locator('.line.added').textContent()).toContain('[redacted:api-key]');
    expect(await page.content()).not.toContain('sk-live');
  });

  it('the tree works with the keyboard', async () => {
    await openRefund();
    const chosen = () => page.locator('[role=treeitem][aria-selected=true] .label').textContent();
    await page.getByRole('tree').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await expect.poll(chosen).toBe('Prompt');
    await page.keyboard.press('ArrowDown');
    await expect.poll(chosen).toBe('Turn 1');
    const before = await page.getByRole('treeitem').count();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => page.getByRole('treeitem').count()).toBeLessThan(before);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await expect.poll(chosen).toBe('gpt-5');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(chosen).toBe('Turn 1');
    await page.keyboard.press('Enter');
    expect(await page.evaluate<string>('document.activeElement.id')).toBe('details');
    await page.keyboard.press('Escape');
    await rows().first().waitFor();
  });

  it('a run shows while it happens, and shows when it waits and when it is over', async () => {
    const sink = temporaryFolder();
    const store = memoryStore();
    await open({ journal: sink, store });
    await page.getByText('No run yet').waitFor();
    const log = journal({ sink });
    const hooks = policyWith(log);
    const playing = playRefund(hooks, { sessionId: 'live', approval: inbox({ store, pollMs: 5 }) });
    await page.getByRole('link', { name: /Refund order 4821/ }).click();
    await page.locator('.run-head').getByText('Waiting').waitFor();
    await page.getByRole('link', { name: /^Approvals/ }).click();
    await page.getByRole('heading', { name: 'refund' }).waitFor();
    await page.getByText('Refunds over 100 EUR need a person.').waitFor();
    await page.getByRole('link', { name: 'the run' }).waitFor();
    await page.getByRole('button', { name: 'Allow' }).click();
    await playing;
    await page.getByText('Allowed: refund').waitFor();
    await page.getByText('No call waits.').waitFor();
    await log.close();
    await page.getByRole('link', { name: 'Runs' }).click();
    await rows().first().getByText('Completed').waitFor();
    expect(complaints).toEqual([]);
  });

  it('the list of runs and its filters show invisible characters as codes', async () => {
    const folderOfIt = temporaryFolder();
    const log = journal({ sink: folderOfIt });
    const hooks = createHooks();
    hooks.use(log);
    const call = { session: hooks.session('s\u202et'), toolName: 're\u202efund', input: {} };
    await callTool(hooks, call, () => 'done');
    await hooks.close();
    await log.close();
    await open({ journal: folderOfIt });
    await page.getByRole('option', { name: 'reU+202Efund' }).waitFor({ state: 'attached' });
    await rows().first().waitFor();
    const labels =
      'document.body.innerText + [...document.querySelectorAll("[aria-label]")].map((each) => each.ariaLabel)';
    expect(await page.evaluate(labels)).not.toContain('\u202e');
  });

  it('no part of the page has an invisible character of a record or a request, and it says who approved', async () => {
    const unseen = '\u202e\u200b\u{e0041}\u2800\u001b';
    const text = (words: string): string => `${words}${unseen}`;
    const folderOfIt = temporaryFolder();
    const log = journal({ sink: folderOfIt });
    const hooks = createHooks();
    hooks.use(log);
    hooks.guard(BeforeToolCall.matching('(pay|drop).*'), ({ toolName }) =>
      toolName.startsWith('pay') ? requireApproval(text('why')) : block(text('no')),
    );
    const store = memoryStore();
    const answer = () => ({ decision: 'allow', by: text('ann') }) as const;
    const call = (words: string, approval: Approver = answer) => ({
      call: {
        session: hooks.session(text('session'), { principal: { id: text('user') } }),
        toolName: text(words),
        callId: text(words),
        agent: text('agent'),
        run: words,
        input: { [text('name')]: text('value') },
      },
      approval,
    });
    const played = ['search', 'pay', 'drop'].map((words) => call(words));
    for (const { call: one, approval } of played) await callTool(hooks, one, () => text('out'), { approval });
    await hooks.close();
    await log.close();
    const [file = ''] = readdirSync(folderOfIt).map((name) => join(folderOfIt, name));
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    // So that what is wrong names the session.
    writeFileSync(file, `${lines.toSpliced(4, 1).join('\n')}\n`);
    const other = createHooks();
    other.guard(BeforeToolCall, () => requireApproval(text('why')));
    const waiting = call('pay', inbox({ store, pollMs: 5 }));
    const asked = callTool(
      other,
      { ...waiting.call, session: other.session(text('session')) },
      () => 'paid',
      waiting,
    );
    await open({ journal: folderOfIt, store });
    const found = async (): Promise<readonly string[]> =>
      page.evaluate(`[...document.querySelectorAll('body, body *')].flatMap((each) => [
        ...[...each.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data),
        ...[...each.attributes].filter(({ name }) => name !== 'value' && name !== 'href').map(({ value }) => value),
      ]).filter((text) => /[${unseen}]/u.test(text))`);
    await rows().first().waitFor();
    expect(await found()).toEqual([]);
    const details = page.getByRole('complementary', { name: 'Details' });
    const openRun = async (nth: number): Promise<string> => {
      await rows().nth(nth).getByRole('link').click();
      await page.getByRole('tree').waitFor();
      const texts: string[] = [];
      for (const item of await page.getByRole('treeitem').all()) {
        await item.click();
        expect(await found()).toEqual([]);
        texts.push((await details.textContent()) ?? '');
      }
      await page.getByRole('navigation').getByRole('link', { name: 'Runs' }).click();
      return texts.join();
    };
    const shownOf = [await openRun(0), await openRun(1), await openRun(2)].join();
    expect(shownOf).toContain('agentU+202E');
    expect(shownOf).toContain('annU+202E');
    for (const nth of [0, 1]) await rows().nth(nth).getByRole('checkbox').check();
    await page.getByRole('link', { name: /^Compare 2/ }).click();
    await page.getByText('Not in this run').first().waitFor();
    expect(await found()).toEqual([]);
    await page.getByRole('link', { name: /^Approvals/ }).click();
    await page.getByText('Always').first().click();
    await page.getByRole('checkbox', { name: /Only for these arguments/ }).check();
    await page.getByRole('textbox', { name: 'nameU+202E' }).waitFor();
    expect(await found()).toEqual([]);
    await page.getByRole('link', { name: 'Integrity' }).click();
    await page.getByText('What is wrong').waitFor();
    expect(await found()).toEqual([]);
    await page.getByRole('link', { name: /^Approvals/ }).click();
    await page.getByRole('button', { name: 'Deny' }).click();
    await asked;
    expect(complaints).toEqual([]);
  });

  it('the model gets the reason of a denial', async () => {
    const store = memoryStore();
    const answer = inbox({ store, pollMs: 5 })(
      {
        callId: 'c',
        toolName: 'pay',
        input: { to: 'a\u202eb', 'blind\u2800copy': 'c\u3164\u00a0\u{e0101}d' },
        reason: 'It costs. The address is new.',
        reasons: ['It costs.', 'The address is new.'],
        severity: 'high',
        hash: '',
        sessionId: 's',
      },
      { signal: undefined },
    );
    await open({ journal: temporaryFolder(), store, user: 'ada' });
    await page.getByRole('link', { name: /^Approvals/ }).click();
    for (const code of ['202E', '2800', '3164', '00A0', 'E0101'])
      await page.getByText(`U+${code}`).first().waitFor();
    for (const text of ['It costs.', 'The address is new.', 'Severity: high'])
      await page.getByText(text, { exact: true }).waitFor();
    await page.getByLabel('Reason for a denial').fill('Use the test account.');
    await page.getByRole('button', { name: 'Deny' }).click();
    expect(await answer).toMatchObject({ decision: 'deny', reason: 'Use the test account.' });
  });

  it.each(['answered', 'withdrawn'] as const)(
    'a click that comes as its request is %s does not answer the one that takes its place',
    async (how) => {
      const store = memoryStore();
      const ask = (callId: string, signal?: AbortSignal) => {
        const about = {
          toolName: 'pay',
          input: { to: callId },
          reason: 'It costs.',
          hash: '',
          sessionId: 's',
        };
        return inbox({ store, pollMs: 5 })({ ...about, callId }, { signal });
      };
      const over = new AbortController();
      const first = ask('ann', over.signal);
      await open({ journal: temporaryFolder(), store });
      await page.getByRole('link', { name: /^Approvals/ }).click();
      await page.getByText('ann').waitFor();
      const second = ask('eve');
      await page.getByText('eve').waitFor();
      const allow = page.getByRole('button', { name: 'Allow once', disabled: false }).first();
      await allow.waitFor();
      const { x = 0, y = 0, width = 0, height = 0 } = (await allow.boundingBox()) ?? {};
      const [at, on] = [x + width / 2, y + height / 2];
      if (how === 'withdrawn') over.abort();
      else await page.mouse.click(at, on);
      await page.getByText('ann').waitFor({ state: 'detached' });
      await page.mouse.click(at, on);
      expect(await first).toMatchObject({ decision: how === 'withdrawn' ? 'canceled' : 'allow' });
      await page.getByRole('button', { name: 'Deny' }).click();
      expect(await second).toMatchObject({ decision: 'deny' });
    },
  );

  it('a request with very many arguments shows its beginning and how much is left out, and can be answered', async () => {
    const store = memoryStore();
    const input = Object.fromEntries(Array.from({ length: 300_000 }, (_, at) => [`k${at}`, at]));
    const about = { toolName: 'import', callId: 'c', reason: 'It is large.', hash: '', sessionId: 's' };
    const ask = inbox({ store });
    const answer = ask({ ...about, input }, { signal: undefined });
    await open({ journal: temporaryFolder(), store });
    await page.getByRole('link', { name: /^Approvals/ }).click();
    await page.getByText('Not shown: 299,000 values.').waitFor();
    await page.getByRole('button', { name: 'Show all 1,002 lines' }).click();
    await page.getByText('Always', { exact: true }).click();
    await page.getByRole('button', { name: 'Always allow' }).click();
    expect(await answer).toEqual({ decision: 'allow', remember: 'always', by: 'hooks view' });
    await store.set('approvals/remembered/g/r', { id: 'r', toolName: 'import', digest: '', at: 0, input });
    await page.getByText('… and 299,000 values').waitFor();

    const other = ask({ ...about, input: { text: 'x'.repeat(3_000_000) } }, { signal: undefined });
    await page.getByText('Not shown: 2,900,004 characters.').waitFor();
    await page.getByRole('button', { name: 'Deny' }).click();
    expect(await other).toMatchObject({ decision: 'deny' });
  });

  it('an allow is remembered for matching arguments, until a person forgets it', async () => {
    const store = memoryStore();
    await open({ journal: temporaryFolder(), store });
    const hooks = createHooks();
    hooks.use(rememberApprovals({ store }));
    hooks.guard(BeforeToolCall, () => requireApproval('Commands need a person.'));
    const session = hooks.session('s');
    const approval = inbox({ store, pollMs: 5 });
    const run = (command: string) =>
      callTool(hooks, { session, toolName: 'shell', input: { command } }, () => 'done', { approval });
    const first = run('npm run build');
    await page.getByRole('link', { name: /^Approvals/ }).click();
    await page.getByText('Always', { exact: true }).click();
    await page.getByLabel('command', { exact: true }).fill('cat src/*');
    await page.getByRole('button', { name: 'Always allow' }).click();
    await page.getByText('does not match the call').waitFor();
    await page.getByLabel('command', { exact: true }).fill('npm run *');
    await page.getByRole('button', { name: 'Always allow' }).click();
    expect(await first).toMatchObject({ status: 'ok' });
    await page.getByRole('heading', { name: 'Remembered' }).waitFor();
    await hooks.settled();
    expect(await run('npm run test')).toMatchObject({ status: 'ok' });

    await page.getByText('npm run *').waitFor();
    await page.getByRole('button', { name: 'Forget shell' }).click();
    await page.getByText('Forgotten: shell').waitFor();
    const again = run('npm run test');
    await page.getByRole('button', { name: 'Deny' }).click();
    expect(await again).toMatchObject({ status: 'denied' });
    expect(complaints).toEqual([expect.stringContaining('400')]);
  });

  it('an allow that a person leaves as it is covers that input alone, also where the model wrote a wildcard', async () => {
    const store = memoryStore();
    await open({ journal: temporaryFolder(), store });
    const hooks = createHooks();
    hooks.use(rememberApprovals({ store }));
    hooks.guard(BeforeToolCall, () => requireApproval('Queries need a person.'));
    const call = (query: string) => {
      const input = { query };
      const about = { session: hooks.session('s'), toolName: 'sql', input };
      return callTool(hooks, about, () => 'done', { approval: inbox({ store, pollMs: 5 }) });
    };
    const first = call('SELECT * FROM orders');
    await page.getByRole('link', { name: /^Approvals/ }).click();
    await page.getByText('Always', { exact: true }).click();
    await page.getByRole('button', { name: 'Always allow' }).click();
    expect(await first).toMatchObject({ status: 'ok' });
    await hooks.settled();
    expect(await call('SELECT * FROM orders')).toMatchObject({ status: 'ok' });
    const other = call('SELECT 1 FROM users UNION SELECT password FROM orders');
    await page.getByRole('button', { name: 'Deny' }).click();
    expect(await other).toMatchObject({ status: 'denied' });
  });

  it('an allow may have a time, a number of calls and several values', async () => {
    const store = memoryStore();
    await open({ journal: temporaryFolder(), store });
    const hooks = createHooks();
    hooks.use(rememberApprovals({ store }));
    hooks.guard(BeforeToolCall, () => requireApproval('Deployments need a person.'));
    const call = (input: object) => {
      const about = { session: hooks.session('s'), toolName: 'deploy', input };
      return callTool(hooks, about, () => 'done', { approval: inbox({ store, pollMs: 5 }) });
    };
    const first = call({ env: 'dev', replicas: 1 });
    await page.getByRole('link', { name: /^Approvals/ }).click();
    await page.getByText('This session', { exact: true }).click();
    await page.getByLabel('For how long').selectOption('30 minutes');
    await page.getByLabel('Calls', { exact: true }).fill('2');
    await page.getByRole('button', { name: 'or another value of env' }).click();
    await page.getByLabel('env, value 2').fill('test');
    await page.getByRole('button', { name: 'or another value of replicas' }).click();
    await page.getByLabel('replicas, value 2').fill('two');
    await page.getByRole('button', { name: 'Allow in session' }).click();
    await page.getByText('has to be JSON').waitFor();
    await page.getByLabel('replicas, value 2').fill('2');
    await page.getByRole('button', { name: 'Allow in session' }).click();
    expect(await first).toMatchObject({ status: 'ok' });
    await hooks.settled();
    expect(await call({ env: 'test', replicas: 2 })).toMatchObject({ status: 'ok' });
    await page.getByText('1 of 2 calls left').waitFor();
    await page.getByText('env: dev | test, replicas: 1 | 2').waitFor();
    expect(await call({ env: 'dev', replicas: 2 })).toMatchObject({ status: 'ok' });
    const third = call({ env: 'dev', replicas: 1 });
    await page.getByRole('button', { name: 'Deny' }).click();
    expect(await third).toMatchObject({ status: 'denied' });
  });

  it('the page shows whether the journal is intact, and where it is broken', async () => {
    const sink = temporaryFolder();
    const log = journal({ sink });
    const hooks = policyWith(log);
    await playQuestion(hooks, { sessionId: 'one' });
    await log.close();
    await open({ journal: sink });
    await page.getByRole('link', { name: 'Integrity' }).click();
    await page.locator('.verdict').getByText('Intact').waitFor();
    const { readdirSync, writeFileSync } = await import('node:fs');
    const [file = ''] = readdirSync(sink);
    const text = readFileSync(`${sink}/${file}`, 'utf8');
    writeFileSync(`${sink}/${file}`, text.replace('"name":"search_orders"', '"name":"delete_orders"'));
    await page.getByRole('button', { name: 'Verify again' }).click();
    await page.locator('.verdict').getByText('Broken').waitFor();
    await page
      .getByRole('cell', { name: new RegExp(`^${file}:\\d+$`) })
      .first()
      .waitFor();
  });

  it('another policy is compared with the recorded one, and a call links to its run', async () => {
    const stricter = {
      name: 'stricter',
      register: (hooks: Parameters<Parameters<typeof policyWith>[0]['register']>[0]) => {
        hooks.guard(BeforeToolCall.matching('refund'), () => block('No refunds this week.'), {
          id: 'no-refunds',
        });
      },
    };
    const sink = temporaryFolder();
    const log = journal({ sink });
    const refund = { toolName: 'refund', input: { amount: 20 } };
    await playQuestion(policyWith(log), { sessionId: 'small', ...refund });
    await log.close();
    const report = await replay(sink, stricter);
    await open({ journal: sink, compare: { name: 'stricter.ts', replay: async () => report } });
    await page.getByRole('link', { name: 'Comparison' }).click();
    await page.getByText('1 of 1 call').waitFor();
    await page.getByRole('button', { name: /Tightened/ }).click();
    const call = page.getByRole('table', { name: 'Calls that differ' }).locator('.call').last();
    expect(await call.textContent()).toContain('No refunds this week.');
    await call.getByRole('link').click();
    await page
      .getByRole('complementary', { name: 'Details' })
      .getByRole('heading', { name: 'refund' })
      .waitFor();
  });

  it('a page without the token shows nothing', async () => {
    const view = await open();
    const other = await browser.newContext();
    const stranger = await other.newPage();
    stranger.setDefaultTimeout(120_000);
    await stranger.goto(new URL(view.url).origin);
    await stranger.getByText('This page needs its token').waitFor();
    await other.close();
  });

  it('the token is removed from the address, and a reload still has it', async () => {
    await open();
    await rows().first().waitFor();
    expect(page.url()).not.toContain('token');
    await page.reload();
    await rows().first().waitFor();
  });

  it('the dark theme stays after a reload', async () => {
    await open();
    const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    expect(await background()).toBe('rgb(255, 255, 255)');
    await page.getByRole('switch', { name: 'Dark' }).click();
    await expect.poll(background).toBe('rgb(18, 18, 20)');
    await page.reload();
    await expect.poll(background).toBe('rgb(18, 18, 20)');
  });

  /** Two runs of the same agent. One is blocked at the step where the other one searches. */
  async function twoRuns(): Promise<ViewOptions> {
    const sink = temporaryFolder();
    const log = journal({ sink });
    const hooks = policyWith(log);
    await playQuestion(hooks, { sessionId: 'one', agent: 'first', prompt: 'Where is it?' });
    await playQuestion(hooks, {
      sessionId: 'other',
      agent: 'second',
      prompt: 'Where is it?',
      toolName: 'run_shell',
      input: { command: 'rm -rf exports' },
    });
    await hooks.close();
    await log.close();
    return { journal: sink };
  }

  it('selected runs are shown side by side, step by step, with differences marked', async () => {
    await open(await twoRuns());
    const boxes = page.getByRole('checkbox', { name: 'Compare Where is it?' });
    await boxes.first().focus();
    await page.keyboard.press('Space');
    await page.getByText('Select another run to compare').waitFor();
    await boxes.last().check();
    await page.getByRole('link', { name: 'Compare 2 runs' }).click();

    const table = page.getByRole('table', { name: 'Runs side by side' });
    const row = (name: RegExp) =>
      table.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });
    await table.waitFor();
    expect(await table.getByRole('columnheader').allInnerTexts()).toEqual([
      'Step',
      expect.stringMatching(/^(first|second)\n/),
      expect.stringMatching(/^(first|second)\n/),
    ]);
    expect(
      await row(/^Prompt$/)
        .getByRole('cell')
        .count(),
    ).toBe(2);
    expect(
      (
        await row(/^run_shell Differs/)
          .getByRole('cell')
          .allInnerTexts()
      ).toSorted(),
    ).toEqual([expect.stringMatching(/Blocked\s+rm -rf exports/), 'Not in this run']);

    const all = await table.getByRole('row').count();
    await page.getByLabel('Only differences').check();
    await expect.poll(() => table.getByRole('row').count()).toBeLessThan(all);
    expect(await row(/^Prompt$/).count()).toBe(0);
    await row(/^run_shell/)
      .getByRole('link')
      .first()
      .click();
    await page.getByRole('treeitem', { name: /run_shell/, selected: true }).waitFor();
    await page.goBack();
    await table.waitFor();
    await page.keyboard.press('Escape');
    await rows().first().waitFor();
    expect(complaints).toEqual([]);
  });

  it('the newest runs side by side have their own address, even before the token is removed', async () => {
    const { url } = await openView(await twoRuns()).then((view) => {
      opened.push(view);
      return view;
    });
    await page.goto(`${url}/runs/latest-2`);
    await page.getByRole('heading', { name: '2 runs side by side' }).waitFor();
    expect(page.url()).not.toContain('token');
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(390);
    expect(complaints).toEqual([]);
  });

  it('axe finds no problems, light and dark', async () => {
    const store = memoryStore();
    void inbox({ store })(
      {
        callId: 'c',
        toolName: 'pay',
        input: { to: 'ann' },
        reason: 'It costs. It is new.',
        reasons: ['It costs.', 'It is new.'],
        severity: 'high',
        hash: '',
        sessionId: 's',
      },
      { signal: undefined },
    );
    await store.set('approvals/remembered/g/r1', { id: 'r1', toolName: 'pay', digest: '', at: 0 });
    const sink = temporaryFolder();
    const log = journal({ sink });
    await playRefund(policyWith(log), { sessionId: 'refund' });
    await log.close();
    const report = await replay(sink, { name: 'none', register: () => {} });
    await open({ journal: sink, store, compare: { name: 'none.ts', replay: async () => report } });
    const found: string[] = [];
    const run = async (part: string, only: readonly string[]): Promise<void> => {
      const { violations } = (await page.evaluate(
        `axe.run(document, { runOnly: ${JSON.stringify(only)} })`,
      )) as { violations: { id: string; nodes: { html: string }[] }[] };
      found.push(...violations.map(({ id, nodes }) => `${part}: ${id} at ${nodes[0]?.html.slice(0, 160)}`));
    };
    await page.evaluate(axe);
    const look = async (part: string): Promise<void> => {
      await run(part, ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']);
      await page.emulateMedia({ colorScheme: 'dark' });
      await run(`${part}, dark`, ['color-contrast']);
      await page.emulateMedia({ colorScheme: 'light' });
    };
    await rows().first().waitFor();
    await look('runs');
    await page.getByRole('searchbox').fill('4821');
    await page.getByRole('link', { name: /Refund order 4821/ }).click();
    await page.getByRole('tree').waitFor();
    await look('run');
    await page.getByRole('treeitem', { name: /search_orders/ }).click();
    await look('call');
    const [, id = ''] = page.url().match(/runs\/(\w+)/) ?? [];
    await page.goto(page.url().replace(/#.*/, `#/runs/${id}+${id}`));
    await page.getByRole('table', { name: 'Runs side by side' }).waitFor();
    await look('side by side');
    await page.getByRole('link', { name: /^Approvals/ }).click();
    await page.getByText('Always', { exact: true }).click();
    await page.getByLabel('to', { exact: true }).waitFor();
    await look('approvals');
    await page.getByRole('link', { name: 'Comparison' }).click();
    await page.getByText('can be judged').waitFor();
    await look('comparison');
    await page.getByRole('link', { name: 'Integrity' }).click();
    await page.locator('.verdict').waitFor();
    await look('integrity');
    expect(found).toEqual([]);
  });

  it('a narrow screen does not scroll sideways, and details cover the run', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await openRefund();
    const width = () => page.evaluate<number>('document.documentElement.scrollWidth');
    expect(await width()).toBe(390);
    await page.getByRole('treeitem', { name: /run_shell/ }).click();
    const details = page.getByRole('complementary', { name: 'Details' });
    expect((await details.boundingBox())?.width).toBe(390);
    await page.getByRole('button', { name: 'Close the details' }).click();
    await details.waitFor({ state: 'detached' });
    const store = memoryStore();
    void inbox({ store })(
      { callId: 'c', toolName: 'pay', input: { to: 'ann' }, reason: 'It costs.', hash: '', sessionId: 's' },
      { signal: undefined },
    );
    const report = await replay(folder, [], { session: 'refund' });
    await open({ journal: folder, store, compare: { name: 'none.ts', replay: async () => report } });
    for (const part of ['Approvals', 'Comparison', 'Integrity', 'Runs']) {
      await page.getByRole('link', { name: part }).first().click();
      if (part === 'Approvals') await page.getByText('Always', { exact: true }).click();
      expect([part, await width()]).toEqual([part, 390]);
    }
  });
});
