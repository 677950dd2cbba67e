// Writes into the pages what they show of other files: `pnpm --filter docs pages`.
import { writeShown } from './shown.ts';

writeShown();
