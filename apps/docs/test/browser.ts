import { accessSync, constants } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { serve } from 'vitepress';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** Where this machine's Chromium is: `CHROMIUM`, else the first on the PATH, else the one that playwright has installed. */
const executable = [
  process.env['CHROMIUM'] ?? '',
  ...(process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name))),
  chromium.executablePath(),
].find(isExecutable);

/** Whether there is a browser to open the site in. */
export const hasBrowser: boolean = executable !== undefined;

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return path !== '';
  } catch {
    return false;
  }
}

/** A real browser, and the built site behind real HTTP. */
export interface Site extends AsyncDisposable {
  readonly browser: Browser;
  readonly url: string;
}

export async function openSite(): Promise<Site> {
  const { server } = await serve({ root: fileURLToPath(new URL('..', import.meta.url)), port: 0 });
  const { port } = server.address() as AddressInfo;
  const browser = await chromium.launch({
    ...(executable && { executablePath: executable }),
    args: ['--no-sandbox'],
  });
  return {
    browser,
    url: `http://localhost:${port}`,
    [Symbol.asyncDispose]: async () => {
      await browser.close();
      server.close();
    },
  };
}
