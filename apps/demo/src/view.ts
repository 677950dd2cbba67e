import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { openView } from '@hooks/view';

/** Serves the page over a journal until the process ends. It opens with the newest runs side by side. */
export async function viewJournal(folder: string, runs: number): Promise<void> {
  // The demo runs on the sources of the packages: only the page has to be built.
  const view = fileURLToPath(new URL('.', import.meta.resolve('@hooks/view/package.json')));
  execFileSync(process.execPath, ['scripts/build-page.ts'], { cwd: view });
  const { url } = await openView({ journal: folder });
  console.log(`\nOpen ${url}/runs/latest-${runs}\nCtrl+C ends it.`);
}
