import { mkdirSync, writeFileSync } from 'node:fs';

/* Writes the JSON Schema of each dialect's files next to the build output, for editors. Runs after tsc. */

// The build has just written it, so the type checker does not know it.
const { DIALECTS, jsonSchemaOf } = await import(new URL('../dist/index.js', import.meta.url).href);
const folder = new URL('../dist/schemas/', import.meta.url);
mkdirSync(folder, { recursive: true });
for (const dialect of Object.keys(DIALECTS)) {
  writeFileSync(
    new URL(`${dialect}.json`, folder),
    `${JSON.stringify(jsonSchemaOf(dialect), undefined, 2)}\n`,
  );
}
