// Bundles the page into `dist/page`: one script and one style sheet, which load nothing from elsewhere.
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const page = new URL('../page/', import.meta.url);
const out = new URL('../dist/page/', import.meta.url);

mkdirSync(out, { recursive: true });
const { metafile, outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL('page.tsx', page)), fileURLToPath(new URL('page.css', page))],
  outdir: fileURLToPath(out),
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  metafile: true,
  write: false,
});
for (const { path, contents } of outputFiles) put(path, contents);
for (const name of ['index.html', 'icon.svg'])
  put(fileURLToPath(new URL(name, out)), readFileSync(new URL(name, page)));
const notices = fileURLToPath(new URL('THIRD-PARTY-NOTICES.txt', out));
put(notices, noticesOf(Object.keys(metafile.inputs)));

/** Writes atomically, because another process may be serving the page. */
function put(path: string, contents: string | Uint8Array): void {
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, contents);
  renameSync(temporary, path);
}

/** Name, version and licence of each package that is part of the bundle. */
function noticesOf(inputs: readonly string[]): string {
  const folders = new Set(
    inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []),
  );
  return [...folders]
    .toSorted()
    .map((folder) => {
      const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const file = readdirSync(folder).find((each) => /^(licen[cs]e|copying)(\.|$)/i.test(each));
      if (file === undefined) throw new Error(`${name} is bundled but has no licence file in ${folder}`);
      return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8')}`;
    })
    .join('\n');
}
