import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

process.chdir(
  process.env['EXAMPLE_FOLDER'] ?? mkdtempSync(join(tmpdir(), 'example-')),
);
