// The built site's own index, asked without a browser.
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { beforeAll, describe, expect, test } from 'vitest';
import { search } from '../.vitepress/search.ts';
import { homepage } from '../scripts/homepage.ts';
import { dist, isBuilt } from './browser.ts';

interface Index {
  search(words: string): readonly { readonly id: string }[];
}

interface MiniSearch {
  loadJSON(json: string, options: object): Index;
}

// VitePress's own copy, so that a reader finds the same.
const vitepress = createRequire(import.meta.url).resolve('vitepress/package.json');
const MiniSearch: MiniSearch = createRequire(vitepress)('minisearch');

async function openIndex(): Promise<Index> {
  const [file = ''] = globSync('assets/chunks/@localSearchIndexroot.*.js', { cwd: dist });
  const { default: json } = await import(new URL(file, dist).href);
  const { options, searchOptions } = search.provider === 'local' ? (search.options?.miniSearch ?? {}) : {};
  return MiniSearch.loadJSON(json, { ...options, searchOptions });
}

const pages = new URL('../pages/', import.meta.url);

/** The words of each comment `<!-- search: … -->`, with the page that it stands in. */
const searchWords = globSync('**/*.md', { cwd: pages, exclude: ['reference/api/**'] }).flatMap((page) =>
  [...readFileSync(new URL(page, pages), 'utf8').matchAll(/<!-- search: (.*?) -->/gs)].flatMap(
    ([, words = '']) => words.split(', ').map((word) => ({ word, page: page.replace(/\.md$/, '') })),
  ),
);

describe.skipIf(!isBuilt)(`the search${isBuilt ? '' : ' (not run: the site is not built)'}`, () => {
  let index: Index;
  beforeAll(async () => {
    index = await openIndex();
  });

  const firstThree = (question: string): readonly string[] =>
    index
      .search(question)
      .slice(0, 3)
      .map(({ id }) => id.slice(new URL(homepage).pathname.length).replace(/#.*/, ''));

  test('finds the page of each search word among the first three', () => {
    expect(searchWords.length).toBeGreaterThan(200);
    expect(searchWords.filter(({ word, page }) => !firstThree(word).includes(page))).toEqual([]);
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
  ])('finds for "%s" the page %s among the first three', (question, expected) => {
    expect(firstThree(question)).toContain(expected);
  });
});
