import type { Hooks } from '@hooks/core';
import { attachAdapter } from '@hooks/core/adapter';
import type { Attached, AttachOptions } from './options.ts';
import { supports } from './supports.ts';

/** Tells the hooks what this adapter can do. */
export function attachment(hooks: Hooks, options: AttachOptions): Attached {
  const attached = { hooks, options };
  tellTools(attached, []);
  return attached;
}

/** Tells the hooks of tools that an agent has. */
export function tellTools({ hooks, options }: Attached, tools: readonly string[]): void {
  const { allowUnsupported } = options;
  attachAdapter(hooks, { supports, tools, ...(allowUnsupported && { allowUnsupported }) });
}
