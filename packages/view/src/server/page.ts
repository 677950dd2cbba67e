import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { HooksError } from '@hooks/core';
import { HEADERS } from './respond.ts';

/** The output of `scripts/build-page.ts`, at the same relative path from the sources and from `dist`. */
const folder = new URL('../../dist/page/', import.meta.url);

const TYPES: Readonly<Record<string, string>> = {
  'index.html': 'text/html; charset=utf-8',
  'page.js': 'text/javascript; charset=utf-8',
  'page.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};

/** The files of the page, by name. */
export function readPage(): ReadonlyMap<string, Buffer> {
  try {
    return new Map(Object.keys(TYPES).map((name) => [name, readFileSync(new URL(name, folder))]));
  } catch (cause) {
    throw new HooksError(
      'CONFIG_INVALID',
      'The page of @hooks/view is missing. In a clone, build it: pnpm --filter @hooks/view build:page. Otherwise, install the package again.',
      { cause },
    );
  }
}

/** Sends the page's file at a path. Returns false if there is none. */
export function sendPage(page: ReadonlyMap<string, Buffer>, path: string, response: ServerResponse): boolean {
  const name = path === '/' ? 'index.html' : path.slice(1);
  const file = page.get(name);
  if (file === undefined) return false;
  response.writeHead(200, { ...HEADERS, 'content-type': TYPES[name] });
  response.end(file);
  return true;
}
