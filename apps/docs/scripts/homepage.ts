import { readFileSync } from 'node:fs';

const manifest = readFileSync(new URL('../../../packages/core/package.json', import.meta.url), 'utf8');

/** Where the site is published, with a slash at its end: the `homepage` of every package. */
export const { homepage }: { readonly homepage: string } = JSON.parse(manifest);
