/** Calls as everyday agents make them, with schemas like those of well-known servers, written from memory. Each opens a link that was read, or none. */

const url = 'https://docs.example/guide';
const string = { type: 'string' };
const integer = { type: 'integer' };
const boolean = { type: 'boolean' };
const strings = { type: 'array', items: string };

const FETCH = {
  properties: {
    url: { type: 'string', format: 'uri', minLength: 1 },
    max_length: { type: 'integer', default: 5000, exclusiveMinimum: 0, exclusiveMaximum: 1_000_000 },
    start_index: { type: 'integer', default: 0, minimum: 0 },
    raw: { type: 'boolean', default: false },
  },
  required: ['url'],
};
const FIRECRAWL = {
  properties: {
    url: { type: 'string', format: 'uri' },
    formats: {
      type: 'array',
      items: {
        enum: ['markdown', 'html', 'rawHtml', 'screenshot', 'links', 'summary', 'changeTracking', 'branding'],
      },
    },
    parsers: { type: 'array', items: { enum: ['pdf'] } },
    onlyMainContent: boolean,
    includeTags: strings,
    excludeTags: strings,
    waitFor: { type: 'number' },
    actions: { type: 'array', items: { type: 'object' } },
    mobile: boolean,
    skipTlsVerification: boolean,
    removeBase64Images: boolean,
    location: { type: 'object', properties: { country: string, languages: strings } },
    storeInCache: boolean,
    zeroDataRetention: boolean,
    maxAge: { type: 'number' },
    proxy: { enum: ['basic', 'stealth', 'auto'] },
  },
  required: ['url'],
};
const MAP = {
  properties: {
    url: { type: 'string', format: 'uri' },
    search: string,
    sitemap: { enum: ['include', 'skip', 'only'] },
    includeSubdomains: boolean,
    limit: { type: 'number' },
    ignoreQueryParameters: boolean,
  },
  required: ['url'],
};
const TAVILY_EXTRACT = {
  properties: {
    urls: strings,
    extract_depth: { enum: ['basic', 'advanced'], default: 'basic' },
    include_images: { type: 'boolean', default: false },
    format: { enum: ['markdown', 'text'], default: 'markdown' },
    include_favicon: { type: 'boolean', default: false },
  },
  required: ['urls'],
};
const TAVILY_SEARCH = {
  properties: {
    query: string,
    search_depth: { enum: ['basic', 'advanced'], default: 'basic' },
    topic: { enum: ['general', 'news'], default: 'general' },
    days: { type: 'number', default: 3 },
    time_range: { enum: ['day', 'week', 'month', 'year'] },
    max_results: { type: 'number', default: 10, minimum: 5, maximum: 20 },
    include_images: { type: 'boolean', default: false },
    include_raw_content: { type: 'boolean', default: false },
    include_domains: { ...strings, default: [] },
    exclude_domains: { ...strings, default: [] },
    country: string,
  },
  required: ['query'],
};
const BRAVE = { properties: { query: string, count: integer, offset: integer }, required: ['query'] };
const EXA = {
  properties: { query: string, numResults: integer, livecrawl: { enum: ['fallback', 'preferred'] } },
  required: ['query'],
};
const EXA_CRAWL = { properties: { url: string, maxCharacters: integer }, required: ['url'] };
const JINA = {
  properties: { url: string, withAllLinks: boolean, withAllImages: boolean },
  required: ['url'],
};
const HTTP = {
  properties: { url: string, headers: { type: 'object' }, params: { type: 'object' }, timeout: integer },
  required: ['url'],
};
const MARKDOWN = { properties: { uri: string }, required: ['uri'] };
const GITHUB_FILE = {
  properties: { owner: string, repo: string, path: string, ref: string, sha: string },
  required: ['owner', 'repo', 'path'],
};
const GITHUB_ISSUES = {
  properties: {
    query: string,
    owner: string,
    repo: string,
    sort: { enum: ['comments', 'created', 'updated'] },
    order: { enum: ['asc', 'desc'] },
    page: { type: 'number', minimum: 1 },
    perPage: { type: 'number', minimum: 1, maximum: 100 },
  },
  required: ['query'],
};
const READ_TEXT = {
  properties: { path: string, head: { type: 'number' }, tail: { type: 'number' } },
  required: ['path'],
};
const CONTEXT7 = {
  properties: { context7CompatibleLibraryID: string, topic: string, tokens: { type: 'number' } },
  required: ['context7CompatibleLibraryID'],
};
const NOTION = { properties: { id: string }, required: ['id'] };
const SLACK = {
  properties: { channel_id: string, limit: { type: 'number' }, cursor: string },
  required: ['channel_id'],
};
const SENTRY = {
  properties: { issueUrl: { type: 'string', format: 'uri' }, organizationSlug: string, eventId: string },
};

export const PROMPT: string =
  'Read https://acme.example/start and tell me how to set up a cluster with three nodes and a load balancer in markdown, and what it costs';

export const PAGE: string = `See ${url}, https://docs.example/prices, https://docs.example/limits, https://blog.example/a, https://other.example/b,
https://acme.sentry.io/issues/77, docs.example and notion://page/1`;

/** The tool, its input, and the schema where an adapter knows one. */
export type EverydayCall = [string, object, object?];

export const EVERYDAY: readonly EverydayCall[] = [
  ['mcp__fetch__fetch', { url }, FETCH],
  ['mcp__fetch__fetch', { url, max_length: 5000 }, FETCH],
  ['mcp__fetch__fetch', { url, max_length: 20_000 }, FETCH],
  ['mcp__fetch__fetch', { url, max_length: 5000, start_index: 5000 }, FETCH],
  ['mcp__fetch__fetch', { url, max_length: 10_000, start_index: 20_000, raw: false }, FETCH],
  ['mcp__fetch__fetch', { url: 'https://acme.example/start', max_length: 10_000, raw: true }, FETCH],
  ['firecrawl_scrape', { url }, FIRECRAWL],
  ['firecrawl_scrape', { url, formats: ['markdown'] }, FIRECRAWL],
  ['firecrawl_scrape', { url, formats: ['markdown'], onlyMainContent: true }, FIRECRAWL],
  ['firecrawl_map', { url, limit: 100 }, MAP],
  ['tavily_extract', { urls: [url] }, TAVILY_EXTRACT],
  ['tavily_extract', { urls: [url, 'https://blog.example/a'], extract_depth: 'advanced' }, TAVILY_EXTRACT],
  [
    'tavily_extract',
    { urls: [url, 'https://docs.example/prices', 'https://docs.example/limits', 'https://blog.example/a'] },
    TAVILY_EXTRACT,
  ],
  [
    'tavily_search',
    { query: 'kubernetes load balancer cost', max_results: 5, search_depth: 'advanced' },
    TAVILY_SEARCH,
  ],
  [
    'tavily_search',
    { query: 'set up a cluster with three nodes and a load balancer', include_domains: ['docs.example'] },
    TAVILY_SEARCH,
  ],
  ['brave_web_search', { query: 'cluster setup three nodes', count: 20, offset: 1 }, BRAVE],
  ['web_search', { query: 'what does a cluster with three nodes cost', numResults: 5 }, EXA],
  ['crawling_exa', { url, maxCharacters: 3000 }, EXA_CRAWL],
  ['read_url', { url }, JINA],
  ['read_url', { url, withAllLinks: true }, JINA],
  ['http_get', { url, headers: { Accept: 'application/json' } }, HTTP],
  ['http_get', { url, params: { page: 2 } }, HTTP],
  ...Array.from({ length: 20 }, (_, nth): [string, object, object] => [
    'http_get',
    { url, params: { page: nth + 1 } },
    HTTP,
  ]).slice(2, 20),
  ['http_get', { url, timeout: 30 }, HTTP],
  ['convert_to_markdown', { uri: url }, MARKDOWN],
  ['get_file_contents', { owner: 'acme', repo: 'web', path: 'README.md', ref: 'main' }, GITHUB_FILE],
  [
    'search_issues',
    { query: 'is:open label:bug', owner: 'acme', repo: 'web', perPage: 30, sort: 'created' },
    GITHUB_ISSUES,
  ],
  ['read_text_file', { path: '/data/notes.md', head: 100 }, READ_TEXT],
  [
    'get_library_docs',
    { context7CompatibleLibraryID: '/vercel/next.js', topic: 'routing', tokens: 5000 },
    CONTEXT7,
  ],
  ['notion-fetch', { id: 'notion://page/1' }, NOTION],
  ['get_channel_history', { channel_id: 'C0123', limit: 50 }, SLACK],
  ['get_issue_details', { issueUrl: 'https://acme.sentry.io/issues/77' }, SENTRY],
  // Claude Code and the like: no schema.
  ['Grep', { pattern: 'user.map', path: '/src', output_mode: 'content', '-n': true }],
  ['Grep', { pattern: 'res.send', glob: '*.ts', head_limit: 20 }],
  ['Grep', { pattern: 'console.log', path: 'src' }],
  ['Read', { file_path: '/src/index.ts', offset: 1201, limit: 400 }],
  ['Read', { file_path: 'main.rs', limit: 50 }],
  ['Read', { file_path: 'archive.zip', limit: 50 }],
  ['Glob', { pattern: '**/*.ts', path: 'src' }],
  ['LS', { path: 'src' }],
  ['get_setting', { key: 'editor.tab', scope: 'workspace' }],
  ['get_symbol', { name: 'Array.map', depth: 2 }],
  ['mcp__fetch__fetch', { url }],
  ['mcp__fetch__fetch', { url, max_length: 5000 }],
  ['mcp__brave__brave_web_search', { query: 'bread recipes', count: 20 }],
  ['mcp__context7__get_library_docs', { context7CompatibleLibraryID: '/vercel/next.js', topic: 'routing' }],
];

/** The same, where the call chooses as much as a PIN says, or words that the user has not written. */
export const DOUBTFUL: readonly EverydayCall[] = [
  ['firecrawl_scrape', { url, formats: ['markdown'], onlyMainContent: true, waitFor: 1000 }, FIRECRAWL],
  ['firecrawl_scrape', { url, formats: ['markdown'], maxAge: 172_800_000 }, FIRECRAWL],
  ['firecrawl_map', { url, search: 'prices', limit: 50 }, MAP],
  ['http_get', { url, headers: { Accept: 'text/html', 'Accept-Language': 'en' } }, HTTP],
  ['http_get', { url, headers: { 'User-Agent': 'Mozilla/5.0' } }, HTTP],
  ['mcp__fetch__fetch', { url, max_length: 10_000, start_index: 10_000, raw: false }],
  ['mcp__firecrawl__firecrawl_scrape', { url, formats: ['markdown'], onlyMainContent: true }],
];

/** Claude Code's own tools that reach the web. */
export const OF_CLAUDE_CODE: readonly [string, object][] = [
  ['WebFetch', { url, prompt: 'What does it say about prices?' }],
  ['WebSearch', { query: 'cluster prices' }],
  ['WebSearch', { query: 'cluster prices', allowed_domains: ['docs.example'] }],
];

/** Those of them that only read, which their names do not say. Their servers do, by annotations. */
export const READ_ONLY: readonly string[] = [
  'firecrawl_scrape',
  'mcp__firecrawl__firecrawl_scrape',
  'firecrawl_map',
  'tavily_extract',
  'crawling_exa',
  'convert_to_markdown',
  'notion-fetch',
  'http_get',
];
