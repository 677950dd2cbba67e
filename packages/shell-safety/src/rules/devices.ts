import { type Finding, finding } from '../effect.ts';
import { place } from '../paths/places.ts';
import type { Invocation } from '../programs/program.ts';
import { options } from '../shell/options.ts';
import type { Rule } from './rule.ts';

/** Writing on a disk past its file system, or making a new one on it. */
export const deviceRules: readonly Rule[] = [
  {
    programs: ['dd', 'gdd', 'dcfldd', 'dc3dd'],
    check: ({ args, cwd }) =>
      onDisk(
        args.flatMap((arg) => /^(?:of|ofile|wipe)=(.+)$/s.exec(arg)?.[1] ?? []),
        cwd,
      ),
  },
  {
    programs: ['socat'],
    check: ({ args, cwd }) =>
      onDisk(
        args.flatMap((arg, i) =>
          i > 0 ? (/^(?:OPEN|FILE|GOPEN|CREATE):([^,]+)/i.exec(arg)?.[1] ?? []) : [],
        ),
        cwd,
      ),
  },
  {
    programs: ['qemu-img', 'bmaptool', 'virt-resize'],
    check: ({ args, cwd }) =>
      /^(?:info|check)$/.test(args[0] ?? '') ? undefined : onDisk(args.slice(-1), cwd),
  },
  {
    programs: ['ddrescue'],
    check: ({ args, cwd }) => onDisk(options(args, [...'bciKors']).operands.slice(1, 2), cwd),
  },
  {
    programs: ['cp', 'mv', 'install', 'ln'],
    check: (call) => onDisk([options(call.args).operands.at(-1) ?? ''], call.cwd),
  },
  {
    programs: ['tee', 'sponge', 'truncate'],
    check: (call) => onDisk(options(call.args, ['s']).operands, call.cwd),
  },
  {
    programs: [
      ...[
        'mkfs',
        'mke2fs',
        'mkswap',
        'mkdosfs',
        'mkntfs',
        'newfs',
        'wipefs',
        'blkdiscard',
        'shred',
        'sgdisk',
        'gdisk',
        'cgdisk',
      ],
      ...[
        'cfdisk',
        'fdisk',
        'sfdisk',
        'parted',
        'pvcreate',
        'pvremove',
        'vgremove',
        'lvremove',
        'cryptsetup',
        'dmsetup',
        'mdadm',
        'hdparm',
      ],
      ...[
        'nvme',
        'badblocks',
        'wipe',
        'scrub',
        'nwipe',
        'partclone',
        'zpool',
        'zfs',
        'diskutil',
        'diskpart',
        'format',
        'btrfs',
      ],
      ...'ext2 ext3 ext4 xfs btrfs bcachefs vfat fat ntfs f2fs exfat msdos minix jfs reiserfs cramfs bfs erofs nilfs2 udf ubifs'
        .split(' ')
        .map((type) => `mkfs.${type}`),
      ...'newfs_hfs newfs_apfs newfs_msdos newfs_exfat debugfs sg_format sg_sanitize fastboot flashrom clear-disk format-volume initialize-disk remove-partition'.split(
        ' ',
      ),
    ],
    check: diskTool,
  },
];

/** A path that is a disk or a part of one. */
export function isDisk(path: string): boolean {
  return DISK.test(path);
}

const DISK =
  /^\/dev\/(?:dev\/)?(?:r?disk\d|[shv]d[a-z*?[]|xvd[a-z]|nvme\d|mmcblk\d|md\d|dm-\d|mapper\/|disk\/by-|zvol\/|sr\d|(?:sd|hd|vd|nvme|disk|mmcblk)$|\ue000|[^/]*\ue000|block\/|mem$|kmem$|port$)|^\/proc\/sysrq-trigger$|^\/sys\/block\/[^/]+\/device\/(?:delete|state)$|^\\\\\.\\physicaldrive/i;

export function diskWrite(path: string): Finding {
  return finding(
    'device/write',
    `This writes straight to ${path} and would destroy what is on it.`,
    'Write to an image file instead (`of=disk.img`), and leave disks to the user.',
  );
}

function onDisk(targets: readonly string[], cwd: string): Finding | undefined {
  const target = targets.find((path) => isDisk(place(path, cwd)));
  return target === undefined ? undefined : diskWrite(target);
}

/** Calls of these tools that only look. */
const LOOKS: ReadonlyMap<string, RegExp> = new Map([
  ['fdisk', /^(?:-l\w*|--list|-s|-x)$/],
  ['sfdisk', /^(?:-l|--list|-d|--dump|-J|--json|-V|-F|--verify)$/],
  ['sgdisk', /^(?:-p|--print|-i.*|-v|--verify|-b.*|--backup.*)$/],
  ['gdisk', /^-l$/],
  ['parted', /^(?:print|-l|--list)$/],
  ['wipefs', /^(?:-n|--no-act|-J)$/],
  ['mdadm', /^(?:--detail|-D|--examine|-E|--query|-Q)$/],
]);

/** Tools that do many things: what of it destroys. */
const DESTROYS: ReadonlyMap<string, RegExp> = new Map([
  ['cryptsetup', /^(?:luksFormat|erase|luksErase|luksKillSlot|luksRemoveKey|reencrypt|format)$/i],
  ['mdadm', /^(?:--zero-superblock|--create|-C)$/],
  ['hdparm', /^(?:--security-erase.*|--trim-sector-ranges.*|--make-bad-sector|--write-sector)$/],
  ['nvme', /^(?:format|sanitize|write-\w+|delete-ns|dsm)$/],
  ['badblocks', /^-\w*[wn]/],
  ['vgremove', /^(?!-h|--help|-t|--test)/],
  ['lvremove', /^(?!-h|--help|-t|--test)/],
  ['pvremove', /^(?!-h|--help|-t|--test)/],
  ['dmsetup', /^(?:remove|remove_all|wipe_table)$/],
  ['zpool', /^(?:destroy|labelclear|create)$/],
  ['zfs', /^destroy$/],
  ['debugfs', /^-\w*w/],
  ['sg_format', /^(?:-F|--format)$/],
  ['sg_sanitize', /^(?:-[BCO]|--(?:block|crypto|overwrite))$/],
  ['fastboot', /^(?:erase|format(?::\w+)?|flash|-w)$/],
  ['flashrom', /^(?:-w|--write|-E|--erase)$/],
  ...['clear-disk', 'format-volume', 'initialize-disk', 'remove-partition'].map((name): [string, RegExp] => [
    name,
    /^-(?:Number|DriveLetter|DiskNumber|FriendlyName|InputObject)$/i,
  ]),
  ['diskutil', /^(?:erase\w*|partitionDisk|zeroDisk|randomDisk|secureErase|reformat|apfs)$/i],
]);

function diskTool(call: Invocation): Finding | undefined {
  const { name, args } = call;
  if (args.length === 0 && name !== 'diskpart') return undefined;
  const destroys = DESTROYS.get(name);
  if (destroys) return args.some((arg) => destroys.test(arg)) ? wipes(name) : undefined;
  if (name === 'diskpart') return wipes(name);
  if (name === 'format') return args.some((arg) => /^[a-z]:$/i.test(arg)) ? wipes(name) : undefined;
  const looks = LOOKS.get(name);
  if (looks && args.some((arg) => looks.test(arg))) return undefined;
  if (name === 'wipefs' && !args.some((arg) => /^(?:-\w*[afo]|--all|--force|--offset)/.test(arg)))
    return undefined;
  const disk = args.find(
    (arg) =>
      isDisk(place(arg, call.cwd)) ||
      /^\/dev\/(?!null|zero|u?random|stdin|stdout|stderr|tty|shm|fd)/.test(arg),
  );
  return disk === undefined ? undefined : wipes(name, disk);
}

function wipes(tool: string, disk?: string): Finding {
  return finding(
    'device/format',
    `This ${tool} call changes or erases ${disk ?? 'a disk'} itself.`,
    'Use an image file, list with a read-only call (`lsblk`, `fdisk -l`), and leave disks to the user.',
  );
}
