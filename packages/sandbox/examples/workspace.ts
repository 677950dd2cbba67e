import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSandbox, localSandbox } from '@hooks/sandbox';

const project = mkdtempSync(join(tmpdir(), 'project-'));
writeFileSync(`${project}/greeting.txt`, 'hello\n');

const sandbox = createSandbox(localSandbox(), {
  workspace: { kind: 'copy', path: project, exclude: ['node_modules', '.env'] },
});
await sandbox.execute(
  { id: 'demo' },
  { command: 'echo goodbye > greeting.txt' },
);
const session = await sandbox.session({ id: 'demo' });

console.log(readFileSync(`${project}/greeting.txt`, 'utf8').trim());
const diff = await session.changes(); // review it before you `git apply` it
const lines = diff.split('\n');
console.log(lines.filter((line) => /^[-+]\w/.test(line)).join('\n'));
await sandbox.close();
// hello
// -hello
// +goodbye
