import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** The path of Chromium: `CHROMIUM`, else the first on the PATH, else the one that Playwright has installed. */
const executable = [
  process.env['CHROMIUM'] ?? '',
  ...(process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name))),
  chromium.executablePath(),
].find(isExecutable);

/** Whether a browser is installed. */
export const hasBrowser: boolean = executable !== undefined;

/** A suffix for the names of skipped tests. */
export const notRun: string = hasBrowser ? '' : ' (not run: no Chromium; set CHROMIUM to its path)';

export function openBrowser(): Promise<Browser> {
  return chromium.launch({ ...(executable && { executablePath: executable }), args: ['--no-sandbox'] });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return path !== '';
  } catch {
    return false;
  }
}
