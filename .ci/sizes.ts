import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/*
 * `pnpm check` runs this: what the main entry of each package weighs with its dependencies, minified and gzipped, without its
 * peers and without our other packages. A limit is raised in the commit that needs it, which says what for.
 */

/** In bytes. */
const limits: Readonly<Record<string, number>> = {
  // A third of it checks JSON Schemas, which the AI SDK does not. With the results and approvals of a hostile client.
  'ai-sdk': 24_500,
  // With the callbacks of a query, the JSON-RPC of servers in this process, and the support table.
  // With what Claude Code reads and sends beside calls: mentions, compactions, its commands.
  // With the proxy for calls of models: its server, and the Messages API in terms of hooks.
  'claude-agent-sdk': 28_700,
  cli: 600,
  // Nothing of zod and openai is shaken out of it: they are loaded only when used.
  // With `flow:` and its schema, TOML for Codex, and the schemas of `journal:`, `sandbox:`, `telemetry:` and `principal:`.
  config: 203_000,
  // The sequences of events that all adapters must tell are data in it.
  // With the conversations of a hostile model and a hostile client, and renamed calls, the watch over what a harness reads, and repeated requests.
  conformance: 75_700,
  // With schemas of inputs and events, and principals; inputs that are read as plain data, and matchers in linear time.
  // Histories that are bounded in bytes, registering in linear time, and values that only a tool gets.
  // Options, principals and decisions that are read once, and renamed calls, and the resuming of paused runs.
  core: 17_100,
  // Three quarters of it are chrono-node, which reads dates in four languages.
  // With what tells that a provider reads by itself, results that a client replaced, and what a service decodes.
  // With the list of all top-level domains (5 kB).
  flow: 59_500,
  // With the limits that count in a store, soft landings, prices, valid histories, injections, revealed values, templates, and a check of each option.
  guards: 65_500,
  // Nothing of zod is shaken out of it.
  journal: 80_000,
  // With arguments parsed anew, results that a client brings, and all that a message has beside its content.
  langchain: 28_600,
  'language-model': 4_000,
  // With what tells whose output a renamed call has, and which call of an id a person denied.
  mastra: 23_600,
  // Most of it is the official client and undici, which are loaded only where a URL is behind. Our own part has 20 kB.
  mcp: 355_500,
  'openai-agents': 26_300,
  otel: 1_300,
  sandbox: 8_500,
  // With portions of large values, and our own words for the errors of clients, whose messages may hold a password.
  store: 7_400,
  // What parses and judges shell commands came here from guards, with a table of 1,500 programs.
  'shell-safety': 155_500,
  // Most of it is zod, which is not shaken out.
  view: 80_000,
};

const packages = join(import.meta.dirname, '../packages');
for (const name of readdirSync(packages).toSorted()) {
  if (manifestOf(name).private) continue;
  const limit = limits[name] ?? 0;
  const size = await sizeOf(name);
  if (size <= limit) continue;
  console.error(`@hooks/${name} has ${size} bytes; its limit in .ci/sizes.ts is ${limit}`);
  process.exitCode = 1;
}

async function sizeOf(name: string): Promise<number> {
  const { peerDependencies = {} } = manifestOf(name);
  const peers = Object.keys(peerDependencies).flatMap((peer) => [peer, `${peer}/*`]);
  const { outputFiles } = await build({
    entryPoints: [join(packages, name, 'src/index.ts')],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'es2023',
    external: ['@hooks/*', ...peers],
  });
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
}

function manifestOf(name: string): { private?: boolean; peerDependencies?: Record<string, string> } {
  return JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8'));
}
