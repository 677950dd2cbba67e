import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { describe, expect, it } from 'vitest';

const src = new URL('../src/', import.meta.url);
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

async function bundle(contents: string): Promise<{ readonly text: string; readonly gzipped: number }> {
  const entry = new URL('entry.ts', src).pathname;
  const bundled = await rolldown({
    input: entry,
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === entry ? id : null),
        load: (id) => (id === entry ? contents : null),
      },
    ],
  });
  const { output } = await bundled.generate({ minify: true, comments: false });
  const text = output[0].code;
  return { text, gzipped: gzipSync(text, { level: 9 }).length };
}

describe('core', () => {
  it('has no dependency', () => {
    const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    expect([manifest.dependencies, manifest.peerDependencies, manifest.optionalDependencies]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('imports nothing but its own files', () => {
    for (const file of files) {
      const imports = [
        ...readFileSync(new URL(file, src), 'utf8').matchAll(/^\s*(?:import|export)\b[^;]*?from '([^']+)'/gm),
      ];
      for (const [, from] of imports) expect(`${file}: ${from}`).toMatch(/: \.{1,2}\/.*\.ts$/);
    }
  });

  it('has comments for those who use it, not about the documents that it was made from', () => {
    for (const file of files)
      expect(readFileSync(new URL(file, src), 'utf8'), file).not.toMatch(
        /\bseeds?\b|\bDESIGN\b|ai4j|docker-agent/,
      );
  });

  it('has no preset such as openclawTools in its main entry', async () => {
    const main: object = await import('../src/index.ts');
    expect(Object.keys(main)).not.toContain('openclawTools');
    const { text } = await bundle(`export * from './index.ts'`);
    expect(text.includes('apply_patch')).toBe(false);
  });

  it('touches Node in node.ts only', () => {
    for (const file of files.filter((name) => name !== 'node.ts')) {
      const code = readFileSync(new URL(file, src), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
      expect(code, file).not.toMatch(/\b(process\.\w|Buffer\b|require\(|__dirname|NodeJS\.)/);
    }
  });
});

// The copy is what was checked. The types cannot say that a result must be used.
it('every package uses the copy that checkOptions returns', () => {
  const packages = new URL('../../', import.meta.url);
  const ignoring = readdirSync(packages).flatMap((name) => {
    const folder = new URL(`${name}/src/`, packages);
    const sources = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
    return sources.filter(
      (file) =>
        file.endsWith('.ts') &&
        /^\s*checkOptions(?:<\w+>)?\('/m.test(readFileSync(new URL(file, folder), 'utf8')),
    );
  });
  expect(ignoring).toEqual([]);
});

// By the bundler of Vite and tsdown. esbuild's minifier makes a quarter of a kilobyte more of it.
describe('size, minified and gzipped', () => {
  it('of everything that the main entry has', async () => {
    const { gzipped } = await bundle(`export * from './index.ts'`);
    expect(gzipped).toBeLessThan(16_500);
  });

  it('of decisions, createHooks and BeforeToolCall', async () => {
    const { gzipped } = await bundle(
      `export { proceed, block, modify, retry, createHooks, BeforeToolCall } from './index.ts'`,
    );
    expect(gzipped).toBeLessThan(14_850);
  });

  it('unused event tokens shake out', async () => {
    const { text } = await bundle(`export { proceed, createHooks, BeforeToolCall } from './index.ts'`);
    expect(text).toContain('before_tool_call');
    for (const unused of [
      'after_compaction',
      'agent_switch',
      'after_model_call',
      'user_prompt_submit',
      'did not approve',
    ]) {
      expect(text).not.toContain(unused);
    }
  });
});
