// Bundles the page into `dist/page`: one script, one style sheet, and nothing that is loaded from elsewhere.
import { copyFileSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const page = new URL('../page/', import.meta.url);
const out = new URL('../dist/page/', import.meta.url);

mkdirSync(out, { recursive: true });
await build({
  entryPoints: [fileURLToPath(new URL('page.tsx', page)), fileURLToPath(new URL('page.css', page))],
  outdir: fileURLToPath(out),
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'inline',
});
for (const name of ['index.html', 'icon.svg'])
  copyFileSync(fileURLToPath(new URL(name, page)), fileURLToPath(new URL(name, out)));
