import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

process.chdir(mkdtempSync(join(tmpdir(), 'example-')));
const { privateKey } = generateKeyPairSync('ed25519');
writeFileSync(
  'journal.key',
  privateKey.export({ type: 'pkcs8', format: 'pem' }),
);
