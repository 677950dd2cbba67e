import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { openBrowser } from '@hooks/testing/browser';
import type { Browser } from 'playwright-core';
import { serve } from 'vitepress';

/** A real browser, and the built site behind real HTTP. */
export interface Site extends AsyncDisposable {
  readonly browser: Browser;
  readonly url: string;
}

export async function openSite(): Promise<Site> {
  const { server } = await serve({ root: fileURLToPath(new URL('..', import.meta.url)), port: 0 });
  const { port } = server.address() as AddressInfo;
  const browser = await openBrowser();
  return {
    browser,
    url: `http://localhost:${port}`,
    [Symbol.asyncDispose]: async () => {
      await browser.close();
      server.close();
    },
  };
}
