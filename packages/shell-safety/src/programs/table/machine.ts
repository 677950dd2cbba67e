// biome-ignore-all format: a row stands in one line, or each way to call a program does
import type { CallPattern, Known, Row } from '../program.ts';
import {
  accounts, anyOf, changesSettings, cutsOff, enabled, erasesTraces, fillsUp, givesRights, hostRights, joinsDocker,
  killsAll, loadsIntoKernel, losesSchedule, medium, mines, prints, rootShell, scheduled, secretBehind, stopsMachine,
  stopsService, switchesOff,
} from './ways.ts';

const HELP = '-h --help --version';

/** Who is in one of these groups is as good as root. */
const GROUP = '{0,sudo,wheel,root,admin,shadow,disk,kmem,lxd,incus,adm}';
const ANY_GROUP = `(?:${GROUP.slice(1, -1).replaceAll(',', '|')})`;

/** Accounts that root has by another name, or that may become root. */
const GETS_ROOT: readonly Known[] = [
  accounts({ option: '-u=0 --uid=0 -o --non-unique' }),
  accounts({ option: new RegExp(`^(?:-[gG]|--groups|--gid)=(?:[\\w-]+,)*${ANY_GROUP}(?:,|$)`) }),
  joinsDocker({ option: /^(?:-[gG]|--groups)=(?:[\w-]+,)*(?:docker|libvirt)(?:,|$)/ }),
  { valued: 'u uid g gid G groups s shell e expiredate c comment d home p password k skel h conf ingroup gecos firstuid lastuid' },
];

/** A shell of root, and nothing that it is to run. */
const SHELL_ONLY = rootShell({ words: '{*=*... ,}$', option: '-i -s --login --shell', unless: /^(?:-u|--user)=(?!(?:root|#?0)$)/, terminal: true });
const SUDO_VALUED = 'u g h p C T r t D R U user group host prompt chdir chroot close-from role type other-user';

/** What is no editor for people changes the file by itself. */
const ODD_EDITOR = /^(?:SUDO_EDITOR|EDITOR|VISUAL)=(?!\S*\b(?:n?vim?|nano|emacs|code|pico|joe|micro)\b)/;

/** What watches the machine, as services. */
const WATCHING = anyOf(
  'apparmor|auditd|firewalld|ufw|iptables|nftables|fail2ban|crowdsec|falco|clamav[\\w-]*|wazuh[\\w-]*|ossec|osqueryd|rsyslog',
  'syslog(?:-ng)?|falcon-sensor|mdatp',
);

/** What others use as long as it runs. */
const SHARED = anyOf(
  'postgres(?:ql)?(?:[@-][\\w.-]+)?|mysqld?|mariadb|mongod?|mongodb|redis(?:-server)?|memcached|elasticsearch|opensearch',
  'rabbitmq(?:-server)?|kafka|zookeeper|cassandra|influxdb?|grafana(?:-server)?|prometheus|nginx|apache2?|httpd|caddy|haproxy',
  'traefik|docker|containerd|podman|kubelet|k3s|etcd|libvirtd|lxd|cron|crond|atd|dbus|systemd-\\w+|gdm3?|lightdm|sddm',
  'display-manager|postfix|dovecot|exim4|named|bind9|dnsmasq|vault|consul|nomad|jenkins|gitlab\\S{0,80}|slurmd?|nfs\\S{0,80}|smbd',
  'multi-user\\.target|graphical\\.target',
);

const REACHED = '(?:sshd?|networking|network|NetworkManager|systemd-networkd)';

/** Services that come with packages, as against those that somebody wrote. */
const OF_PACKAGES = `${anyOf(
  SHARED, REACHED, WATCHING,
  'certbot|fstrim|chronyd?|ntpd?|snapd|bluetooth|cups|tailscaled|jenkins|php[\\d.]*-fpm|tomcat\\d*|smbd|nfs-\\w+',
  '(?:serial-)?getty(?:@\\w+)?|pipewire\\S*|wireplumber|pulseaudio|qemu-guest-agent|amazon-ssm-agent|supervisor|mosquitto',
  'apt-daily(?:-upgrade)?|avahi-daemon|open-vm-tools|irqbalance|sysstat|thermald',
)}(?:\\.(?:service|socket|timer))?`;

/** What modules of the kernel that people load begin with. */
const MODULES = anyOf(
  'br_netfilter|overlay|kvm|vbox|nbd|loop|fuse|tun|tap|zram|dummy|v?can|v4l2|nf_|nft_|ip|x_tables|snd|usb|i2c|spi|nvidia|amdgpu',
  'i915|wireguard|btrfs|zfs|xfs|ext4|dm_|md|raid|bonding|8021q|tcp_|sch_|act_|cls_|msr|cpuid|uinput|veth|bridge|vhost|vfio|ceph',
  'rbd|nfs|cifs|mac|vxlan|bluetooth|iwl|ath|r8|e1000|virtio|xt_|configfs|netconsole|softdog|pcspkr|kheaders|vsock|vmw',
);

/** `systemctl stop` and the like, of one of some services. */
function stops(services: string, words = '{stop,disable,mask,kill}'): CallPattern {
  return { words, word: new RegExp(`^(?:\\S*/)?${services}(?:\\.(?:service|socket))?$`) };
}

/** Links of this machine alone. */
const OWN_LINKS = '{lo,{veth,br,docker,tun,tap,wg,dummy,vcan,can}*}';

/** Programs whose end is the end of all others. */
const EVERYBODYS = '{.,.\\*,systemd,init,sshd,Xorg,gnome-shell,bash}';

/** What others use; what people start for their project by hand is not among these. */
const KILLS_SHARED = '{postgres,postmaster,mysqld,mariadb{d,},mongod,etcd,dockerd,containerd,kubelet,sshd,cron,systemd-*} $';
/** Jobs of launchd that others use. */
const JOB = '{*,}{com.apple,postgres,mysql,redis,mongo,docker,nginx}{*,}';
const WATCHES = new RegExp(`^${WATCHING}$`);

/** Accounts, services, the kernel, what protects a machine and what stops it. */
export const machine: readonly Row[] = [
  ['sudo',
    SHELL_ONLY,
    // It reads the password, and a shell what is typed behind it.
    rootShell('{,/bin/,/usr/bin/}{sh,bash,zsh,dash,ksh} $', '-S --stdin'),
    accounts({ option: '-e --edit', word: /^\/etc\/(?:passwd|shadow|group|sudoers(?:\.d\/\S+)?)$/ }),
    {
      files: ['uses'], harmful: true, valued: SUDO_VALUED,
      starts: {
        root: true, assigns: true, folderIn: '-D --chdir', idle: '-l --list -v -k -K -e --edit', shell: '-s -i --shell --login',
        valued: SUDO_VALUED,
      },
    },
  ],
  ['doas', SHELL_ONLY, { files: ['uses'], valued: 'u C a', starts: { root: true, valued: 'u C a', assigns: true, shell: '-s' } }],
  ['pkexec', rootShell({ words: '$', unless: '--help --version --user' }), { starts: { root: true, valued: 'user' } }],
  ['su',
    rootShell({ words: '{- ,}{root ,}$', unless: '-c --command -s --shell -g -G', terminal: true }),
    { namesPrograms: true, starts: { root: true, valued: 's g G w shell group', commandIn: '-c --command', skip: 'all', shell: true } },
  ],
  ['runuser', { starts: { root: true, valued: 's g G w u shell group user', commandIn: '-c --command' } }],
  ['setpriv', rootShell({ option: '--{re,e,}uid={0,root}' }), { valued: 'reuid euid uid regid groups', starts: { valued: 'reuid regid groups ruid rgid euid egid' } }],
  ['capsh', rootShell({ option: '--uid=0' }), { starts: { commandIn: '-c' } }],
  ['nsenter', hostRights({ option: '-t=1 --target=1' }), { valued: 't target', starts: { valued: 't S G target', shell: true } }],
  ['systemd-run',
    scheduled({ option: '--on-{calendar,boot,startup,active,unit-active}' }),
    rootShell({ option: '--uid={0,root}' }),
    { valued: 'uid', starts: { valued: 'u p M unit property slice uid gid on-calendar on-active on-boot on-startup on-unit-active' } },
  ],
  ['useradd',
    accounts({ words: '*', unless: /^(?:-r|--system|-D|-h|--help|(?:-s|--shell)=.*(?:nologin|\/false))$/ }),
    accounts({ option: /^(?:-s|--shell)=(?!.*(?:nologin|\/false)$)/, unless: '-D' }),
    ...GETS_ROOT,
    { files: ['uses', 'names'] },
  ],
  ['usermod',
    accounts({ option: '-L --lock -U --unlock -p --password -e=1 --expiredate=1' }),
    accounts('{root,nobody,daemon,bin,www-data} $', '-s --shell'),
    ...GETS_ROOT,
    { files: ['uses', 'names'] },
  ],
  ['adduser',
    accounts({ words: '* $', unless: '--system -S -D -r --disabled-login -s={/sbin/nologin,/bin/false} --shell={/usr/sbin/nologin,/bin/false}' }),
    accounts(`* ${GROUP} $`),
    joinsDocker('* docker $'),
    ...GETS_ROOT,
  ],
  ['addgroup', accounts(`* ${GROUP} $`)],
  ['gpasswd dseditgroup',
    accounts(`** ${GROUP} $`, '-a -M --add --members'),
    accounts('{sudo,wheel,admin} $', '-d --delete'),
    joinsDocker('docker $', '-a --add'),
    { valued: 'a d M A o t n u add delete members administrators' },
  ],
  ['groupmems', accounts({ option: `-g=${GROUP} --group=${GROUP}` }), { valued: 'a d g add delete group' }],
  ['userdel deluser', accounts(`** ${GROUP} $`), accounts({ option: '-r --remove --remove-home --remove-all-files' })],
  ['groupdel delgroup', accounts(`${GROUP} $`)],
  ['passwd', accounts({ option: '-d --delete --stdin -u --unlock' }), accounts({ words: 'root $', unless: '-S --status' }), { valued: 'x n w i maxdays mindays warndays inactive', files: ['uses', 'names'] }],
  ['chpasswd newusers vigr', accounts({ unless: HELP })],
  ['visudo', accounts({ terminal: false }), accounts({ variable: ODD_EDITOR }), { files: ['uses', 'names'] }],
  ['vipw', accounts({ unless: HELP }), { writes: 'operands' }],
  ['chsh',
    accounts({ option: /^(?:-s|--shell)=\/(?:tmp|var\/tmp|dev|home|opt(?!\/homebrew))\// }),
    accounts('{root,nobody,daemon,bin,www-data} $'),
    { valued: 's shell' },
  ],
  ['chage', accounts({ words: 'root $', unless: '-l' }), { valued: 'E I M W d m maxdays mindays lastday expiredate inactive warndays' }],
  ['sysadminctl', accounts({ option: '--{admin,resetPasswordFor,deleteUser}' }), { style: 'one-dash' }],
  ['dscl',
    accounts({ argument: '-{append,create,merge}', word: /^\/Groups\/(?:admin|wheel)\b/i }),
    accounts({ argument: '-passwd' }),
    accounts({ words: '** /{Users,Groups}/*', argument: '-delete' }),
    accounts({ words: '** /Users/*', argument: '-create' }),
  ],
  ['setcap', givesRights({ word: /\bcap_(?:set[ug]id|setfcap|sys_\w+|dac_\w+|chown|fowner|bpf|perfmon|mknod|net_admin)\b|^(?:all)?=\w*[ep]/i })],
  ['dpkg-statoverride', givesRights({ word: /^[2467][0-7]{3}$/ })],
  ['groupmod', accounts({ option: '-g=0 --gid=0 -o --non-unique' }), { valued: 'g gid' }],
  ['pw', accounts('user{del,mod,add}, group{del,mod}')],
  ['newgrp', rootShell(`${GROUP} $`)],
  ['systemctl',
    stopsMachine('poweroff, reboot, halt, kexec, rescue, emergency, isolate, suspend, hibernate, hybrid-sleep'),
    switchesOff(stops(WATCHING)),
    cutsOff(stops(REACHED)),
    stopsService({ ...stops(SHARED), unless: '--user' }),
    stopsService('{stop,disable,mask,kill} ** {*,}\\*{*,}'),
    stopsService({ words: 'stop, disable, mask, kill', everything: true }),
    scheduled('{enable,link,reenable} ** {/tmp,/var/tmp,/home,/root,/dev/shm,.,~}{*,}/{*,}'),
    scheduled({ words: 'enable, reenable', word: new RegExp(`^(?!(?:enable|reenable|${OF_PACKAGES})$)[^\ue000]`) }),
    changesSettings('{set-environment,import-environment} {LD_,PATH=}{*,}'),
    enabled('enable, edit, link, set-default'),
    {
      namesPrograms: true, syntax: 'systemctl',
      variables: [{ words: 'show-environment' }, { words: 'show', option: '-p=Environment{*,} --property=Environment{*,}' }],
    },
  ],
  ['service',
    switchesOff(stops(WATCHING, '* stop')),
    cutsOff(stops(REACHED, '* stop')),
    stopsService(stops(SHARED, '* stop')),
    { namesPrograms: true },
  ],
  ['rc-service', stopsService(stops(SHARED, '* stop')), stopsService(stops(REACHED, '* stop'))],
  ['sv s6-svc runsvctrl', stopsService(stops(SHARED, 'stop, down, exit, force-stop')), stopsService(stops(SHARED, '*'), '-d')],
  ['fuser', killsAll('** /{home,usr,var,etc,}{/,} $', '-k'), { files: ['names'] }],
  ['skill slay', killsAll('*')],
  ['stress stress-ng', fillsUp({ option: /^--vm-bytes=(?:\d{2,}G|9\d%|100%)/i }), { valued: 'vm-bytes' }],
  ['dmesg', erasesTraces({ option: '-C -c --clear --read-clear' })],
  ['log', erasesTraces('erase')],
  ['touch',
    erasesTraces({ option: /^(?:-r|--reference)=\/(?:s?bin|etc|usr)\// }),
    erasesTraces('** {*,}/var/log/*', '-t -d -r --date'),
    { files: ['uses', 'names'], valued: 't d r date reference' },
  ],
  ['update-rc.d rc-update chkconfig',
    scheduled({ argument: 'defaults enable add --add on', lacks: new RegExp(`^${OF_PACKAGES}$`) }),
    enabled({ argument: 'defaults enable add --add on' }),
  ],
  ['loginctl', stopsMachine('kill-user, terminate-user, poweroff, reboot, halt'), enabled('enable-linger')],
  ['crontab',
    losesSchedule({ option: '-r' }),
    scheduled('*'),
    scheduled({ words: '$', unless: '-l -r -e -i -T -V -h --help' }),
    scheduled({ variable: ODD_EDITOR, option: '-e' }),
    { namesPrograms: true, valued: 'u', runs: 'input' },
  ],
  ['incrontab fcrontab', scheduled({ unless: '-l --list -V' }), { namesPrograms: true }],
  ['anacron', scheduled({ option: '-t' })],
  ['at', scheduled({ words: '*', unless: '-l -c -d -r -q -V' }), { runs: 'input', starts: { commandIn: '', skip: 'all' } }],
  ['batch', scheduled(), { runs: 'input' }],
  ['launchctl',
    changesSettings('setenv {PATH,NODE_OPTIONS,DYLD_*}'),
    scheduled('load, bootstrap, submit, enable'),
    switchesOff('{unload,bootout,disable} ** {*,}{/System/,crowdstrike,sentinelone,jamf,carbonblack,sophos,osquery,santa,defender}{*,}'),
    stopsService(`bootout system${JOB}, {bootout system{*,},remove,stop} ** ${JOB}`),
    stopsMachine('reboot'),
    prints(secretBehind('getenv')),
  ],
  ['defaults',
    scheduled({ words: 'write', word: /(?:Log(?:in|out)Hook|loginitems|AutoLaunchedApplicationDictionary)\b/ }),
    switchesOff('write ** {*,}{LSQuarantine,GKAutoRearm,DisableGatekeeper}{*,}'),
    changesSettings('delete {NSGlobalDomain,com.apple.*} $'),
    changesSettings('delete $', '-g'),
    { style: 'one-dash' },
  ],
  ['socketfilterfw', switchesOff({ option: '--{setglobalstate,setblockall}=off' }), { valued: 'setglobalstate setblockall' }],
  ['plutil plistbuddy', scheduled({ word: /launch(?:agents|daemons)\//i, lacks: /\bPrint\b/, unless: '-p --lint -o=-' }), { style: 'one-dash', valued: 'o' }],
  ['pwpolicy', switchesOff({ option: '--clearaccountpolicies --setglobalpolicy' }), { style: 'one-dash' }],
  ['trust', changesSettings('anchor')],
  ['ssh-import-id', scheduled('*')],
  ['pm2', scheduled('startup'), killsAll('delete all, kill')],
  ['insmod', loadsIntoKernel('*')],
  ['modprobe',
    loadsIntoKernel({ words: '*', lacks: new RegExp(`^${MODULES}`), unless: '-n -c -D -R --dry-run --show{*,} --resolve-alias' }),
    loadsIntoKernel({ option: '-r --remove --force{*,}' }),
  ],
  ['rmmod kldload kldunload dkms', loadsIntoKernel({ words: '*', not: 'status' })],
  ['kexec grub-install grub2-install kextload kextunload kmutil bless mokutil lilo extlinux dracut-install', loadsIntoKernel({ argument: '*', unless: HELP })],
  ['update-grub grub-mkconfig grub2-mkconfig', medium(loadsIntoKernel())],
  ['efibootmgr', loadsIntoKernel({ option: '-c -B -b' })],
  ['nvram', loadsIntoKernel({ option: '-c -d' }), loadsIntoKernel('{boot-args,csr-active-config,SystemAudioVolume}={*,}')],
  ['update-initramfs', loadsIntoKernel({ option: '-d' })],
  ['sysctl',
    stopsMachine({ word: /\bkernel\.panic(?:_on_oops)?\s?=\s?[1-9]/ }),
    switchesOff({ word: /\bkernel\.(?:core_pattern|modprobe|sysrq|kexec_load_disabled|randomize_va_space|yama\.ptrace_scope)\s?=/ }),
    switchesOff({ word: /\bkernel\.(?:(?:kptr|dmesg)_restrict|unprivileged_(?:bpf_disabled|userns_clone))\s?=/ }),
    switchesOff({ word: /\bnet\.ipv4\.(?:ip_forward\s?=\s?1|tcp_syncookies\s?=\s?0|conf\.\w+\.(?:rp_filter\s?=\s?0|accept_redirects\s?=\s?1))/ }),
    switchesOff({ word: /\bfs\.(?:suid_dumpable|protected_\w+)\s?=|\bvm\.overcommit_memory\s?=\s?2/ }),
  ],
  ['setenforce', switchesOff('{0,permissive,Permissive} $')],
  ['xhost', switchesOff({ argument: /^\+(?!si:|local)/ })],
  ['tccutil', switchesOff('reset')],
  ['pmset', medium(stopsMachine('sleepnow, restoredefaults, schedule'))],
  ['setsebool', medium(switchesOff('* {on,1,true} $'))],
  ['semanage', switchesOff('permissive', '-a --add')],
  ['fail2ban-client', switchesOff('stop, unban --all')],
  ['falconctl', switchesOff('unload, uninstall, disable')],
  ['mdatp', switchesOff('config real-time-protection ** {*,}disabled{*,}, exclusion ** add, threat allow')],
  ['esxcli', stopsMachine('system shutdown, vm process kill, storage filesystem unmount, network firewall set')],
  ['timedatectl', stopsMachine('set-time, set-local-rtc'), switchesOff('set-ntp {0,false,no}')],
  ['xmrig minerd cgminer bfgminer ethminer t-rex nbminer xmr-stak cpuminer', mines()],
  ['aa-teardown', switchesOff()],
  ['aa-disable aa-complain', switchesOff('*')],
  ['auditctl', switchesOff({ option: '-e=0 -D' }), { files: ['names'], valued: 'e' }],
  ['ufw', switchesOff('disable, reset, default allow {incoming ,}$, allow {from any,in,proto}'), cutsOff('default {deny,reject} outgoing $')],
  ['iptables ip6tables',
    switchesOff({ option: '-F --flush -X' }),
    switchesOff('ACCEPT', '-P={INPUT,FORWARD} --policy={INPUT,FORWARD}'),
    switchesOff({ option: '-A={INPUT,FORWARD} -I={INPUT,FORWARD}', and: '-j=ACCEPT', unless: '-s -d -p -m -i -o' }),
    cutsOff('{DROP,REJECT}', '-P={INPUT,OUTPUT} --policy={INPUT,OUTPUT}'),
    cutsOff({ option: '-A={INPUT,OUTPUT} -I={INPUT,OUTPUT}', and: '-j={DROP,REJECT}', unless: '-s -d -p -m -i -o' }),
    { valued: 't A I D P s d p m j i o dport sport policy' },
  ],
  ['nft', switchesOff('flush {ruleset,table,chain}, delete {table,chain}')],
  ['iptables-restore ip6tables-restore', switchesOff('$, ** /dev/null')],
  ['ipset', medium(switchesOff('flush, destroy'))],
  ['pfctl', switchesOff({ option: '-d -F' })],
  ['firewall-cmd', switchesOff({ option: '--set-default-zone=trusted --remove-service=ssh{d,} --add-port={0,1}-65535{/*,}' }), cutsOff({ option: '--panic-on' })],
  ['spctl', switchesOff({ option: '--master-disable --global-disable' })],
  ['csrutil', switchesOff('disable, authenticated-root disable')],
  ['fdesetup', switchesOff('disable, removeuser')],
  ['tmutil', switchesOff('disable, delete, deletelocalsnapshots')],
  ['xattr', medium(switchesOff('** com.apple.quarantine', '-d'))],
  ['ip',
    cutsOff({ words: 'link set {dev ,}* down', not: `link set {dev ,}${OWN_LINKS}` }),
    cutsOff('route flush, addr{ess,} flush, route del default'),
    { style: 'one-dash' },
  ],
  ['route', cutsOff('{del,delete,flush} ** {default,0.0.0.0{*,}}, flush $')],
  ['rfkill', cutsOff('block {all,wlan,wifi}')],
  ['networksetup',
    changesSettings({ option: '--set{dnsservers,webproxy,securewebproxy,socksfirewallproxy,autoproxyurl,networkserviceenabled}' }),
    { style: 'one-dash' },
  ],
  ['ifconfig', cutsOff({ words: '* down $', not: OWN_LINKS })],
  ['ifdown', cutsOff({ words: '*', not: 'lo $' })],
  ['shutdown poweroff halt reboot', stopsMachine({ unless: '-c -k --help --show -w --wtmp-only' })],
  ['pm-suspend pm-hibernate', stopsMachine()],
  ['dbus-send busctl gdbus', stopsMachine({ argument: /\blogin1\b/, word: /\b(?:PowerOff|Reboot|Halt|Suspend|Hibernate|HybridSleep)\b/ })],
  ['dconf', changesSettings('reset', '-f')],
  ['init telinit', stopsMachine('{0,1,6} $')],
  ['kill',
    // The process `-1` is all of them. As the first argument, `-1` is a signal.
    killsAll({ option: '-1', and: /^-(?!1(?:=|$))/, unless: '-l -L' }),
    killsAll('-- -1', '', '-l -L'),
    killsAll({ option: '-1=-1' }),
    killsAll({ everything: true }),
    { namesPrograms: true, valued: 's n q 1', style: 'one-dash' },
  ],
  ['killall',
    stopsService(KILLS_SHARED),
    switchesOff({ words: '* $', word: WATCHES }),
    killsAll(`${EVERYBODYS} $`),
    killsAll('$', '-u --user'),
    { namesPrograms: true, valued: 'u user s signal' },
  ],
  ['pkill',
    stopsService(KILLS_SHARED),
    switchesOff({ words: '* $', word: WATCHES }),
    killsAll(`${EVERYBODYS} $`),
    killsAll({ words: '$', unless: '-l --help -P --parent -t -g -s --session' }),
    killsAll('{,} $'),
    killsAll('* $', '-v --inverse'),
    { namesPrograms: true, valued: 'u U P t g s G signal parent session euid uid' },
  ],
  ['killall5', killsAll()],
  ['swapoff', killsAll({ option: '-a --all' })],
  ['journalctl', erasesTraces({ option: /^--vacuum-(?:time=\d{0,2}s|size=\d{0,2}[KM]?|files=[01])$/ }), { namesPrograms: true }],
];
