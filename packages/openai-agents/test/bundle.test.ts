import { build } from 'esbuild';
import { expect, test } from 'vitest';

/** What a bundle of these imports still imports from elsewhere. */
async function importsOf(code: string): Promise<readonly string[]> {
  const { metafile } = await build({
    stdin: { contents: code, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    conditions: ['@hooks/source'],
    external: ['@openai/agents', 'openai'],
    metafile: true,
    logLevel: 'silent',
  });
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports.map(({ path }) => path));
  return [...new Set(imports)].toSorted();
}

test('Hooking brings no copy of the SDK into a bundle; only `hookedTool`, which makes a tool, imports it', async () => {
  const hooking = await importsOf(`export { hookedRunner, attachHooks, hookTools } from '../src/index.ts';`);
  expect(hooking).toEqual(['node:async_hooks', 'node:stream']);
  expect(await importsOf(`export { hookedTool } from '../src/index.ts';`)).toEqual(['@openai/agents']);
  expect(await importsOf(`export { hookTools } from '../src/openai/index.ts';`)).toEqual([]);
});
