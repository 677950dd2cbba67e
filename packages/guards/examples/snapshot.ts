import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { snapshot } from '@hooks/guards';

const cwd = mkdtempSync(join(tmpdir(), 'snapshot-'));
const file = join(cwd, 'notes.txt');
execFileSync('git', ['init', '-q'], { cwd });
writeFileSync(file, 'mine\n');

const recorder = snapshot({ cwd, dataDir: `${cwd}.snapshots` });
const hooks = createHooks();
hooks.use(recorder);
await callTool(
  hooks,
  { session: hooks.session('example'), toolName: 'write', input: {} },
  () => {
    writeFileSync(file, 'overwritten\n');
  },
);

const [checkpoint] = await recorder.snapshots.list();
console.log(checkpoint?.toolName, checkpoint?.files);
await recorder.snapshots.restore(checkpoint?.id ?? '');
console.log(readFileSync(file, 'utf8').trim());
// write [ { path: 'notes.txt', change: 'modified' } ]
// mine
