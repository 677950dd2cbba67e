// biome-ignore-all format: a row stands in one line, or each way to call a program does
import { diskWrite } from '../../dangers.ts';
import { remove, removesToo } from '../../rules/filesystem.ts';
import { diskTool } from '../../rules/guarded-places.ts';
import type { Row } from '../program.ts';
import { destroys, stopsMachine, way } from './ways.ts';

const breaksFiles = way(diskWrite('a file system'));

/** Programs for disks, accounts and rights. */
export const disks: readonly Row[] = [
  ['wipe', { rules: [remove, diskTool] }],
  ['truncate', { valued: 's size r reference', rules: [remove], empties: true, writes: 'operands' }],
  ['btrfs',
    destroys(/^(?:su|subvolume) del(?:ete)? (?:(?:.*\/)?(?:@\w*|\.snapshots?\/.*)$|(?!\S*(?:snap|te?mp|test|backup))\/\S+)/),
    { rules: [removesToo, diskTool], removes: { when: /^(?:su|subvolume) del/, from: 2 } },
  ],
  ['qemu-img bmaptool', { valued: 'O f o', writes: { operand: 2 } }],
  ['virt-resize', { writes: { operand: 1 } }],
  ['ddrescue', { valued: 'b c i K o r s', writes: { operand: 1 } }],
  [`mkfs mke2fs mkswap mkdosfs mkntfs newfs blkdiscard cgdisk cfdisk pvcreate scrub partclone mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs
    mkfs.btrfs mkfs.bcachefs mkfs.vfat mkfs.fat mkfs.ntfs mkfs.f2fs mkfs.exfat mkfs.msdos mkfs.minix mkfs.jfs mkfs.reiserfs
    mkfs.cramfs mkfs.bfs mkfs.erofs mkfs.nilfs2 mkfs.udf mkfs.ubifs newfs_hfs newfs_apfs newfs_msdos newfs_exfat`,
    { rules: [diskTool], looks: '-n -N --dry-run --help' },
  ],
  ['diskpart nwipe', { rules: [diskTool], wipes: /(?:)/ }],
  ['format', { rules: [diskTool], wipes: /^[a-z]:$/i }],
  ['sgdisk', { rules: [diskTool], looks: /^(?:-P|--pretend|--info.*|-p|--print|-i.*|-v|--verify|-b.*|--backup.*)$/ }],
  ['gdisk', { rules: [diskTool], looks: '-l' }],
  ['fdisk', { rules: [diskTool], looks: /^(?:-l\w*|--list|-s|-x)$/ }],
  ['sfdisk', { rules: [diskTool], looks: '-n --no-act -l --list -d --dump -J --json -V -F --verify' }],
  ['parted', { rules: [diskTool], looks: 'print -l --list' }],
  ['pvremove vgremove lvremove lvreduce vgreduce', { rules: [diskTool], looks: '-t -h --test --longhelp --help --version', wipes: /./ }],
  ['cryptsetup', { rules: [diskTool], wipes: /^(?:luksFormat|erase|luksErase|luksKillSlot|luksRemoveKey|reencrypt|format)$/i }],
  ['dmsetup', { rules: [diskTool], wipes: 'remove remove_all wipe_table' }],
  ['mdadm',
    { rules: [diskTool], looks: '--detail --monitor --assemble -D --examine -E --query -Q', wipes: '--zero-superblock --create -C --stop -S --remove -r' },
  ],
  ['hdparm', { rules: [diskTool], wipes: /^(?:--security-erase.*|--trim-sector-ranges.*|--make-bad-sector|--write-sector)$/ }],
  ['nvme', { rules: [diskTool], wipes: /^(?:format|sanitize|write-\w+|delete-ns|dsm)$/ }],
  ['badblocks', { rules: [diskTool], wipes: /^-\w*[wn]/ }],
  ['zpool', { rules: [diskTool], wipes: 'destroy labelclear create' }],
  ['zfs', { rules: [diskTool], wipes: 'destroy rollback' }],
  ['diskutil', { rules: [diskTool], wipes: /^(?:erase\w*|partitionDisk|zeroDisk|randomDisk|secureErase|reformat|delete\w+)$/i }],
  ['debugfs', { rules: [diskTool], wipes: /^-\w*w/ }],
  ['sg_format', { rules: [diskTool], wipes: '-F --format' }],
  ['sg_sanitize', { rules: [diskTool], wipes: '-B -C -O --{block,crypto,overwrite}' }],
  ['fastboot heimdall odin4', { rules: [diskTool], wipes: /^(?:erase|format(?::\w+)?|flash|-w|flashing|oem)$/ }],
  ['flashrom', { rules: [diskTool], wipes: '-w --write -E --erase' }],
  ['lvresize', { rules: [diskTool], wipes: /^(?:-L|--size|-l|--extents)=?\d|^-\d|^(?:-f|--force)$/ }],
  ['resize2fs', breaksFiles('/dev/* *'), breaksFiles({ option: '-M' })],
  ['ntfsresize xfs_repair tune2fs', { rules: [diskTool], wipes: /^(?:-s|--size|-O)|^-L$/ }],
  ['fsck e2fsck fsck.ext4 fsck.xfs fsck.vfat',
    breaksFiles({ line: /^(?=(?:.* )?-\w*[yf])(?!.*\.img)(?=.*\/dev\/)/ }),
    { noOutput: true },
  ],
  ['hdiutil', { rules: [diskTool], wipes: 'erasekeys eject resize' }],
  ['asr', { rules: [diskTool], wipes: '--erase' }],
  ['esptool esptool.py esptool-py', { rules: [diskTool], wipes: /^erase[_-]flash$/ }],
  ['losetup', { rules: [diskTool], wipes: '-D --detach-all' }],
  ['hwclock', stopsMachine({ option: '--set{*,}' })],
  ['adb',
    destroys({ line: /^(?:-s \S+ )?(?:shell )?(?:["']?pm clear|["']?rm -\w*[rf]\w* \/(?:sdcard|data(?!\/local\/tmp)|storage)|reboot bootloader|sideload|["']?wipe)\b/ }),
    { starts: { verbs: 'shell', valued: 's', joins: 'all' } },
  ],
];
