import { mkdirSync, writeFileSync } from 'node:fs';

/* Writes the JSON Schema of a journal's lines beside the build. Runs after tsc. */

// Built just now, and so not known when this is checked.
const { journalJsonSchema } = await import(new URL('../dist/index.js', import.meta.url).href);
const folder = new URL('../dist/schemas/', import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL('line.json', folder), `${JSON.stringify(journalJsonSchema(), undefined, 2)}\n`);
