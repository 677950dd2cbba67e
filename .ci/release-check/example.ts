import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startModelServer } from '../../packages/conformance/src/index.ts';
import { asCommonJs, fileOf, firstBlock, firstExample, namesToInstall, packagesImported } from './readme.ts';
import { must } from './report.ts';
import { type Setting, settings } from './settings.ts';
import { run } from './shell.ts';
import type { Package } from './workspace.ts';

/** The first example of a README, ready to be run in a project that has its package. */
export interface Example {
  /** Its forms, by what they are called in the report. Each rejects where it does not do what the README says. */
  readonly forms: ReadonlyMap<string, (node: string) => Promise<void>>;
  /** Its files in TypeScript, for the type check. */
  readonly sources: readonly string[];
}

/** Writes the files of the example into a project. */
export function prepareExample(project: string, published: Package): Example {
  const setting = settings[published.name] ?? {};
  setting.prepare?.(project, published);
  if (setting.runner === 'shell') {
    const commands = (node: string): Promise<void> => runCommands(project, published, node);
    return { forms: new Map([['commands', commands]]), sources: [] };
  }
  const { code } = firstExample(published.readme);
  const missing = packagesImported(code).filter((name) => !namesToInstall(published.readme).includes(name));
  must(
    missing.length === 0,
    `the README does not say to install ${missing.join(', ')}, which its first example imports`,
  );
  if (setting.runner === 'vitest') {
    const test = 'example.test.mts';
    writeFileSync(join(project, test), code);
    return { forms: new Map([[test, (node) => runTests(project, test, node)]]), sources: [test] };
  }
  // Under the name that the README says, in the folder that `npm init -y` has made.
  const module = fileOf(published.readme);
  const commonJs = module.replace(/\.mts$/, '.cts');
  writeFileSync(join(project, module), code);
  writeFileSync(join(project, commonJs), asCommonJs(code));
  const forms = [module, commonJs].map(
    (file) => [file, (node: string) => runProgram(project, file, published, setting, node)] as const,
  );
  return { forms: new Map(forms), sources: [module] };
}

/** Why the example of a package cannot be run on this machine; empty where it can. */
export async function obstacleOf({ name }: Package, project: string, node: string): Promise<string> {
  const program = settings[name]?.obstacle;
  if (program === undefined) return '';
  writeFileSync(join(project, 'obstacle.mjs'), program);
  return (await run(node, ['obstacle.mjs'], { cwd: project, node })).trim();
}

async function runProgram(
  project: string,
  file: string,
  { readme }: Package,
  { script = [] }: Setting,
  node: string,
): Promise<void> {
  await using server = await startModelServer({ script });
  const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'none', OPENAI_AGENTS_DISABLE_TRACING: '1' };
  const printed = await run(node, [file], { cwd: project, env, node });
  const expected = firstExample(readme).prints;
  must(printed === expected, `it printed\n${printed}and the README says\n${expected}`);
}

/** vitest has no CommonJS. */
async function runTests(project: string, file: string, node: string): Promise<void> {
  await run(node, ['node_modules/vitest/vitest.mjs', 'run', file], { cwd: project, node });
}

/** The commands of the README, but for the installation, which is done. */
async function runCommands(project: string, { readme }: Package, node: string): Promise<void> {
  const commands = firstBlock(readme, 'sh').replace(/^npm install .*$/m, 'rm -f hooks.yaml');
  const printed = await run('bash', ['-e', '-c', commands], { cwd: project, env: { HOME: project }, node });
  const expected = firstBlock(readme, 'text');
  must(printed.endsWith(expected), `it printed\n${printed}and the README says\n${expected}`);
}
