import { mkdirSync, writeFileSync } from 'node:fs';

/* Writes the JSON Schema of each dialect's files beside the build, for editors. Runs after tsc. */

// Built just now, and so not known when this is checked.
const { DIALECTS, jsonSchemaOf } = await import(new URL('../dist/index.js', import.meta.url).href);
const folder = new URL('../dist/schemas/', import.meta.url);
mkdirSync(folder, { recursive: true });
for (const dialect of Object.keys(DIALECTS)) {
  writeFileSync(
    new URL(`${dialect}.json`, folder),
    `${JSON.stringify(jsonSchemaOf(dialect), undefined, 2)}\n`,
  );
}
