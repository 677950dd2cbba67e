import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { startModelServer } from '@hooks/conformance';
import { createHooks } from '@hooks/core';
import { journal } from '@hooks/journal';
import { createSandbox, localSandbox } from '@hooks/sandbox';
import Table from 'cli-table3';
import { aiSdk } from './agents/ai-sdk.ts';
import type { Framework } from './agents/index.ts';
import { langchain } from './agents/langchain.ts';
import { mastra } from './agents/mastra.ts';
import { mcpProxy } from './agents/mcp-proxy.ts';
import { openaiAgents } from './agents/openai-agents.ts';
import { showFlow } from './flow.ts';
import { type Outcome, Outcomes } from './outcome.ts';
import { policyFrom } from './policy.ts';
import { reportLive } from './report.ts';
import { scriptOf, situations, TASK } from './situations.ts';
import { makeTools } from './tools.ts';
import { viewJournal } from './view.ts';
import { openWorkplace, SECRET } from './workplace.ts';

const FRAMEWORKS: { readonly [name: string]: Framework } = {
  'MCP proxy': mcpProxy,
  LangChain: langchain,
  'OpenAI Agents': openaiAgents,
  Mastra: mastra,
  'AI SDK': aiSdk,
};
const JOURNAL = join(import.meta.dirname, '../.hooks/journal');
const args = process.argv.slice(2);
if (args.includes('--flow')) process.exit((await showFlow(FRAMEWORKS)) ? 0 : 1);
const view = args.includes('--view');
const applyPolicy = await policyFrom(args.filter((arg) => arg !== '--view'));
const key = process.env['OPENAI_API_KEY'];
const real =
  key === undefined
    ? undefined
    : {
        url: process.env['OPENAI_BASE_URL'] ?? 'https://api.openai.com/v1',
        apiKey: key,
        name: process.env['OPENAI_MODEL'] ?? 'gpt-4o-mini',
      };

console.log(
  `${styleText('bold', 'One policy, four frameworks and an MCP proxy.')} The model is ${real === undefined ? 'scripted' : real.name}.`,
);
const results: { [framework: string]: readonly Outcome[] } = {};
for (const [name, framework] of Object.entries(FRAMEWORKS)) {
  console.log(`\n${styleText(['bold', 'underline'], name)}`);
  results[name] = await runOne(framework);
}
const same = judge();
if (real === undefined) {
  console.log(
    same ? styleText('green', '\nThe outcomes are the same.') : styleText('red', '\nThe outcomes differ.'),
  );
  process.exitCode = same ? 0 : 1;
}
// Behind the MCP proxy each call stands for itself.
if (view) await viewJournal(JOURNAL, Object.keys(FRAMEWORKS).length - 1);
else
  console.log('\nWhat was decided is in the journal apps/demo/.hooks/journal. Look at it: pnpm demo --view');

async function runOne(framework: Framework): Promise<readonly Outcome[]> {
  await using workplace = await openWorkplace();
  await using log = journal({ sink: JOURNAL });
  await using hooks = createHooks();
  await using sandbox = createSandbox(localSandbox());
  hooks.use(sandbox);
  await applyPolicy(hooks, sandbox);
  reportLive(hooks);
  hooks.use(log);
  const outcomes = new Outcomes(hooks);
  const tools = makeTools(workplace.folder, (_, input) => outcomes.ran(input));
  if (real !== undefined) {
    const words = await framework({
      hooks,
      tools,
      model: real,
      task: `${TASK} The price is at ${workplace.priceUrl}.`,
    });
    console.log(`\n  ${words}`);
    return outcomes.list;
  }
  await using server = await startModelServer({ script: scriptOf(workplace.priceUrl) });
  const words = await framework({
    hooks,
    tools,
    model: { url: server.url, apiKey: 'none', name: 'gpt-5' },
    task: TASK,
  });
  console.log(`\n  ${words}`);
  outcomes.readFrom(server.requests);
  if (!existsSync(join(workplace.folder, 'notes.txt')))
    throw new Error('An isolated command has deleted files of this machine.');
  const [port] = /:\d+/.exec(workplace.priceUrl) ?? [''];
  // The port is another one each time, and the placeholder of a secret in each session; everything else has to be the same.
  const told = JSON.stringify(outcomes.list).replaceAll(port, '');
  return JSON.parse(told.replaceAll(/(\[REDACTED:[\w-]+)#[\da-f]{8}\]/g, '$1]'));
}

/** Prints the table of outcomes; whether all frameworks came to the same ones. */
function judge(): boolean {
  const names = Object.keys(results);
  const table = new Table({ head: ['', ...names], style: { head: [], border: [] }, wordWrap: true });
  const rows =
    real === undefined
      ? situations('').map(({ name }) => name)
      : (results[names[0] ?? '']?.map(({ tool }) => tool) ?? []);
  let agree = true;
  for (const [index, row] of rows.entries()) {
    const cells = names.map((name) => results[name]?.[index]);
    const equal = new Set(cells.map((cell) => JSON.stringify(cell))).size === 1 && cells[0] !== undefined;
    agree &&= equal;
    table.push([
      row,
      ...cells.map((cell) => (cell === undefined ? styleText('red', 'nothing') : show(cell, equal))),
    ]);
  }
  console.log(`\n${table.toString()}`);
  const leaked = JSON.stringify(results).includes(SECRET);
  if (leaked) console.log(styleText('red', 'The secret was read.'));
  return agree && !leaked && rows.length === situations('').length;
}

function show({ status, ran, read }: Outcome, equal: boolean): string {
  const runs =
    ran.length > 1
      ? `ran ${ran.length} times`
      : ran.length === 1
        ? 'ran'
        : status === 'ok'
          ? 'ran elsewhere'
          : 'did not run';
  return `${styleText(equal ? 'green' : 'red', `${status}, ${runs}`)}
${firstWords(read)}`;
}

/** As much of a text as stands in a column. */
function firstWords(text: string): string {
  const line = text.trim().replaceAll('\n', ' ');
  return line.length > 30 ? `${line.slice(0, 29)}…` : line;
}
