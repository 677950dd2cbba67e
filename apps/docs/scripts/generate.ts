// The reference of the API: `pnpm generate`, before every build.
import { writeReference } from './reference.ts';

await writeReference();
