// biome-ignore-all format: a row stands in one line, or each way to call a program does
import { diskWrite } from '../../dangers.ts';
import { remove, removesToo } from '../../rules/filesystem.ts';
import { diskTool } from '../../rules/guarded-places.ts';
import type { Names } from '../pattern.ts';
import type { Known, Row } from '../program.ts';
import { destroys, stopsMachine, way } from './ways.ts';

/** A tool for disks, and what of its words changes one. */
function wipes(words: Names): Known {
  return { rules: [diskTool], wipes: words };
}

/** A tool that changes disks unless one of these words stands there. */
function wipesUnless(words: Names): Known {
  return { rules: [diskTool], looks: words };
}

const breaksFiles = way(diskWrite('a file system'));

/** Programs for disks. */
export const disks: readonly Row[] = [
  ['wipe', { rules: [remove, diskTool] }],
  ['truncate', { valued: 's size r reference', rules: [remove], empties: true, writes: 'operands' }],
  ['btrfs',
    destroys({ words: '{su,subvolume} del{ete,}', word: /^(?:.*\/)?(?:@\w*$|\.snapshots?\/)|^(?!.*(?:snap|te?mp|test|backup))\/./ }),
    { rules: [removesToo, diskTool], removes: { when: '{su,subvolume} del{*,}', from: 2 } },
  ],
  ['qemu-img bmaptool', { valued: 'O f o', writes: { operand: 2 } }],
  ['virt-resize', { writes: { operand: 1 } }],
  ['ddrescue', { valued: 'b c i K o r s', writes: { operand: 1 } }],
  [`mkfs mke2fs mkswap mkdosfs mkntfs newfs blkdiscard cgdisk cfdisk pvcreate scrub partclone mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs
    mkfs.btrfs mkfs.bcachefs mkfs.vfat mkfs.fat mkfs.ntfs mkfs.f2fs mkfs.exfat mkfs.msdos mkfs.minix mkfs.jfs mkfs.reiserfs
    mkfs.cramfs mkfs.bfs mkfs.erofs mkfs.nilfs2 mkfs.udf mkfs.ubifs newfs_hfs newfs_apfs newfs_msdos newfs_exfat`, wipesUnless('-n -N --dry-run --help')],
  ['diskpart nwipe', wipes(/(?:)/)],
  ['format', wipes(/^[a-z]:$/i)],
  ['sgdisk', wipesUnless('-P --pretend --info{*,} -p --print -i{*,} -v --verify -b{*,} --backup{*,}')],
  ['gdisk', wipesUnless('-l')],
  ['fdisk', wipesUnless('-l{*,} --list -s -x')],
  ['sfdisk', wipesUnless('-n --no-act -l --list -d --dump -J --json -V -F --verify')],
  ['parted', wipesUnless('print -l --list')],
  ['pvremove vgremove lvremove lvreduce vgreduce', { rules: [diskTool], looks: '-t -h --test --longhelp --help --version', wipes: '*' }],
  ['cryptsetup', wipes('luksFormat erase luksErase luksKillSlot luksRemoveKey reencrypt format')],
  ['dmsetup', wipes('remove remove_all wipe_table')],
  ['mdadm',
    { rules: [diskTool], looks: '--detail --monitor --assemble -D --examine -E --query -Q', wipes: '--zero-superblock --create -C --stop -S --remove -r' },
  ],
  ['hdparm', wipes('--security-erase{*,} --trim-sector-ranges{*,} --make-bad-sector --write-sector')],
  ['nvme', wipes('format sanitize write-* delete-ns dsm')],
  ['badblocks', wipes(/^-\w*[wn]/)],
  ['zpool', wipes('destroy labelclear create')],
  ['zfs', wipes('destroy rollback')],
  ['diskutil', wipes(/^(?:erase\w*|partitionDisk|zeroDisk|randomDisk|secureErase|reformat|delete\w+)$/i)],
  ['debugfs', wipes(/^-\w*w/)],
  ['sg_format', wipes('-F --format')],
  ['sg_sanitize', wipes('-B -C -O --{block,crypto,overwrite}')],
  ['fastboot heimdall odin4', wipes('erase format{:*,} flash -w flashing oem')],
  ['flashrom', wipes('-w --write -E --erase')],
  ['lvresize', wipes(/^(?:-L|--size|-l|--extents)=?\d|^-\d|^(?:-f|--force)$/)],
  ['resize2fs', breaksFiles('/dev/* *'), breaksFiles({ option: '-M' })],
  ['ntfsresize xfs_repair tune2fs', wipes(/^(?:-s|--size|-O)|^-L$/)],
  ['fsck e2fsck fsck.ext4 fsck.xfs fsck.vfat', breaksFiles({ words: '** {*,}/dev/*', option: '-y -f', not: '** *.img{*,}' }), { noOutput: true }],
  ['hdiutil', wipes('erasekeys eject resize')],
  ['asr', wipes('--erase')],
  ['esptool esptool.py esptool-py', wipes('erase{_,-}flash')],
  ['losetup', wipes('-D --detach-all')],
  ['hwclock', stopsMachine({ option: '--set{*,}' })],
  ['adb',
    destroys('{shell ,}{pm clear,wipe}, reboot bootloader, sideload'),
    destroys({ words: '{shell ,}rm', option: '-r -f', word: /^\/(?:sdcard|data(?!\/local\/tmp)|storage)\b/ }),
    destroys({ words: 'shell', word: /^(?:pm clear|wipe|rm -\w{0,16}[rf]\w{0,16} \/(?:sdcard|data(?!\/local\/tmp)|storage))\b/ }),
    { valued: 's', starts: { verbs: 'shell', valued: 's', joins: 'all' } },
  ],
];
