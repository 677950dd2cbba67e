// What the pages show of the sources: `pnpm generate`, before every build.
import { writeParts } from './parts.ts';
import { writeReference } from './reference.ts';

writeParts();
await writeReference();
