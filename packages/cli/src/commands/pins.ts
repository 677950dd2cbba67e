import type { ToolPin } from '@hooks/core/tool-call';
import type { Store } from '@hooks/store';
import { type Program, UserError } from '../program.ts';
import { inStore, type StoreOption } from '../store.ts';
import { codesOf, table } from '../table.ts';

/** The prefixes of the pins of `@hooks/guards` and `@hooks/mcp`. */
const PREFIXES = ['tool-pins/', 'mcp-pins/'];

interface Pin extends ToolPin {
  readonly key: string;
}

/** Shows the pinned tools. */
export async function listPins(
  { json, ...options }: StoreOption & { readonly json?: boolean },
  program: Program,
): Promise<number> {
  const pins = await inStore(options, program, pinsIn);
  if (json) program.stdout.write(`${JSON.stringify(pins, undefined, 2)}\n`);
  else if (pins.length === 0) program.stdout.write('No tool is pinned.\n');
  else {
    const rows = pins.map(({ tool, hashes, key }) => [tool, Object.keys(hashes).join(', '), key]);
    program.stdout.write(table(['tool', 'pinned', 'key'], rows));
  }
  return 0;
}

/** Deletes the pin of a tool. Its next use pins it again. */
export async function forgetPin(nameOrKey: string, options: StoreOption, program: Program): Promise<number> {
  return inStore(options, program, async (store) => {
    const pins = await pinsIn(store);
    const [pin, ...others] = pins.filter(({ tool, key }) => tool === nameOrKey || key === nameOrKey);
    if (others.length > 0)
      throw new UserError(
        `<tool>: ${others.length + 1} pinned tools have this name; give the key of one of them, which "hooks pins list" shows`,
      );
    if (pin === undefined || !(await store.delete(pin.key)))
      throw new UserError('<tool>: no pinned tool has this name or key; see "hooks pins list"');
    program.stdout.write(`forgotten: ${codesOf(pin.tool)} (${pin.key})\n`);
    return 0;
  });
}

async function pinsIn(store: Store): Promise<readonly Pin[]> {
  const pins: Pin[] = [];
  for (const prefix of PREFIXES)
    for await (const { key, value } of store.list(prefix)) {
      const { tool, hashes }: { readonly [field: string]: unknown } = Object(value);
      if (typeof tool === 'string' && hashes instanceof Object)
        pins.push({ key, tool, hashes: hashes as ToolPin['hashes'] });
    }
  return pins;
}
