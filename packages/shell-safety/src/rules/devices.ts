import { wipes } from '../dangers.ts';
import type { Finding } from '../effect.ts';
import { place } from '../paths/places.ts';
import { isNamed } from '../programs/pattern.ts';
import type { Invocation } from '../programs/program.ts';

/** A path that is a disk or a part of one. */
export function isDisk(path: string): boolean {
  return DISK.test(path);
}

const DISK =
  /^\/dev\/(?:dev\/)?(?:r?disk\d|[shv]d[a-z*?[]|xvd[a-z]|nvme\d|mmcblk\d|md\d|dm-\d|mapper\/|disk\/by-|zvol\/|sr\d|(?:sd|hd|vd|nvme|disk|mmcblk)$|\ue000|[^/]*\ue000|block\/|mem$|kmem$|port$)|^\/proc\/sysrq-trigger$|^\/sys\/(?:class\/)?block\/[^/]+\/device\/(?:delete|state)$|^\/proc\/sys\/kernel\/sysrq$|^\\\\\.\\physicaldrive/i;

export function diskTool(call: Invocation): Finding | undefined {
  const { name, args } = call;
  if (args.length === 0 && name !== 'diskpart') return undefined;
  const { wipes: destroys, looks } = call.known;
  if (looks && isNamed(args, looks)) return undefined;
  if (destroys) return isNamed(args, destroys) ? wipes(name) : undefined;
  if (/^(?:diskpart|nwipe)$/.test(name)) return wipes(name);
  if (name === 'format') return args.some((arg) => /^[a-z]:$/i.test(arg)) ? wipes(name) : undefined;
  if (name === 'wipefs' && !args.some((arg) => /^(?:-\w*[afo]|--all|--force|--offset)/.test(arg)))
    return undefined;
  const disk = args.find(
    (arg) =>
      isDisk(place(arg, call.cwd)) ||
      /^\/dev\/(?!zram|null|zero|u?random|stdin|stdout|stderr|tty|shm|fd)/.test(arg),
  );
  return disk === undefined ? undefined : wipes(name, disk);
}
