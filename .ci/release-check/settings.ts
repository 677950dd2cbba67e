import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Step } from '../../packages/conformance/src/index.ts';
import { firstBlock } from './readme.ts';
import type { Package } from './workspace.ts';

/** What the first example of a README takes to be run, and leaves to its reader. */
export interface Setting {
  /** What the model says in it. */
  readonly script?: readonly Step[];
  /** Puts files beside it. */
  readonly prepare?: (project: string, example: Package) => void;
  /** What those files import. */
  readonly alsoInstall?: readonly string[];
  /** A program in the project that prints why the example cannot be run on this machine; nothing where it can. */
  readonly obstacle?: string;
  /** Leaves out optional dependencies, because one is a large program. */
  readonly withoutOptional?: boolean;
  /** What runs it, where it is no program: it is a file of tests, or commands for a shell. */
  readonly runner?: 'vitest' | 'shell';
}

const deletes = { toolCalls: [{ name: 'shell', arguments: { command: 'rm -rf /' } }] };

/** By package; those that are not here need nothing. */
export const settings: Readonly<Record<string, Setting>> = {
  '@hooks/ai-sdk': {
    script: [deletes, { text: 'I was told: Name the folder that you want to delete.' }],
  },
  '@hooks/claude-agent-sdk': {
    withoutOptional: true,
    obstacle: "console.log('its program of 400 MB is not installed');\n",
  },
  '@hooks/cli': { runner: 'shell' },
  '@hooks/config': {
    prepare: (project, { readme }) => writeFileSync(join(project, 'hooks.yaml'), firstBlock(readme, 'yaml')),
  },
  '@hooks/conformance': {
    prepare: copyReferenceAdapter,
    alsoInstall: ['openai', '@modelcontextprotocol/client'],
    runner: 'vitest',
  },
  '@hooks/langchain': { script: [deletes, { text: 'Which folder shall go?' }] },
  '@hooks/mastra': {
    script: [deletes, { text: 'I was told: Name the folder that you want to delete.' }],
  },
  // Beside today's SDK, whose API package is its peer.
  '@hooks/otel': { alsoInstall: ['@opentelemetry/sdk-trace', '@opentelemetry/sdk-metrics'] },
  '@hooks/openai-agents': {
    script: [deletes, { text: 'I may not delete everything; which folder shall go?' }],
  },
  '@hooks/sandbox': {
    obstacle:
      "import { localSandbox } from '@hooks/sandbox';\n" +
      "console.log((await localSandbox().supports({})).join(' '));\n",
  },
};

/** The harness that the reader is to write is here that of the reference adapter, out of conformance's own tests. */
function copyReferenceAdapter(project: string, { folder }: Package): void {
  const manifest = join(project, 'package.json');
  const { type: _, ...rest }: { readonly type?: string } = JSON.parse(readFileSync(manifest, 'utf8'));
  writeFileSync(manifest, JSON.stringify({ ...rest, type: 'module' }));
  const reference = join(project, 'reference');
  cpSync(join(folder, 'test/reference'), reference, { recursive: true });
  for (const name of readdirSync(reference)) {
    const file = join(reference, name);
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replaceAll("'../../src/index.ts'", "'@hooks/conformance'"),
    );
  }
  writeFileSync(
    join(project, 'harness.ts'),
    "import type { AdapterHarness } from '@hooks/conformance';\n" +
      "import { referenceHarness } from './reference/harness.ts';\n\n" +
      'export const harness: AdapterHarness = referenceHarness();\n',
  );
}
