import {
  accounts,
  changesSettings,
  cutsOff,
  enabled,
  erasesTraces,
  fillsUp,
  givesRights,
  hostRights,
  joinsDocker,
  killsAll,
  loadsIntoKernel,
  mines,
  remoteCode,
  removesSystem,
  rootShell,
  scheduled,
  stopsMachine,
  stopsService,
  switchesOff,
} from '../../dangers.ts';
import type { DangerousCall, Program, Row } from '../program.ts';

const HELP = '-h --help --version';
/** Who is in one of these groups is as good as root. */
const GROUP = '(?:0|sudo|wheel|root|admin|shadow|disk|kmem|lxd|incus|adm)';
const IN_GROUP = new RegExp(`(?:^| )(?:-\\w*[gG]|--groups|--gid)[= ]?(?:[\\w-]+,)*${GROUP}(?:[, ]|$)`);
const IN_DOCKER = /(?:^| )(?:-\w*[gG]|--groups)[= ]?(?:[\w-]+,)*(?:docker|libvirt)(?:[, ]|$)/;
const AS_ROOT = /(?:^| )(?:-\w*u[= ]?0|--uid[= ]0)(?: |$)|(?:^| )(?:-\w*o\w*|--non-unique)(?: |$)/;

/** A shell, or nothing, behind the options of `sudo` and the like. */
const SHELL_ONLY: DangerousCall = {
  line: /^(?:-[a-zA-Z]+ |-u (?:root|0) |\w+=\S* )*(?:-\w*[is]|--login|--shell|su|su (?:-|-l|--login|root|- root))$/,
  terminal: true,
  is: rootShell,
};
/** It reads the password, and a shell what is typed behind it. */
const SHELL_BEHIND_PASSWORD: DangerousCall = {
  line: /^(?:-\S+ )*-\w*S(?: -\S+)* (?:\/(?:usr\/)?bin\/)?(?:ba|z|da|k)?sh$/,
  is: rootShell,
};

/** What is no editor for people changes the file by itself. */
const ODD_EDITOR = /^(?:SUDO_EDITOR|EDITOR|VISUAL)=(?!\S*\b(?:n?vim?|nano|emacs|code|pico|joe|micro)\b)/;

/** What watches the machine, as services. */
const WATCHING =
  '(?:apparmor|auditd|firewalld|ufw|iptables|nftables|fail2ban|crowdsec|falco|clamav[\\w-]*|wazuh[\\w-]*|ossec|osqueryd|rsyslog|syslog(?:-ng)?|falcon-sensor|mdatp)';
/** What others use as long as it runs. */
const SHARED =
  '(?:postgres(?:ql)?(?:[@-][\\w.-]+)?|mysqld?|mariadb|mongod?|mongodb|redis(?:-server)?|memcached|elasticsearch|opensearch|rabbitmq(?:-server)?|kafka|zookeeper|cassandra|influxdb?|grafana(?:-server)?|prometheus|nginx|apache2?|httpd|caddy|haproxy|traefik|docker|containerd|podman|kubelet|k3s|etcd|libvirtd|lxd|cron|crond|atd|dbus|systemd-\\w+|gdm3?|lightdm|sddm|display-manager|postfix|dovecot|exim4|named|bind9|dnsmasq|vault|consul|nomad|jenkins|gitlab\\S*|slurmd?|nfs\\S*|smbd|multi-user\\.target|graphical\\.target)';
/** Killed by name, as against stopped; what people start for their project by hand is not among them. */
const KILLS_SHARED =
  /^(?:-\S+ )*(?:postgres|postmaster|mysqld|mariadbd?|mongod|etcd|dockerd|containerd|kubelet|sshd|cron|systemd-\w+)$/;
const KILLS_WATCH = new RegExp(`^(?:-\\S+ )*${WATCHING}$`);
const REACHED = '(?:sshd?|networking|network|NetworkManager|systemd-networkd)';
/** Services that come with packages, as against those that somebody wrote. */
const OF_PACKAGES = `(?:${SHARED}|${REACHED}|${WATCHING}|certbot|fstrim|chronyd?|ntpd?|snapd|bluetooth|cups|tailscaled|jenkins|php[\\d.]*-fpm|tomcat\\d*|smbd|nfs-\\w+|(?:serial-)?getty(?:@\\w+)?|pipewire\\S*|wireplumber|pulseaudio|qemu-guest-agent|amazon-ssm-agent|supervisor|mosquitto|apt-daily(?:-upgrade)?|avahi-daemon|open-vm-tools|irqbalance|sysstat|thermald)(?:\\.(?:service|socket|timer))?`;

/** Without these nothing works, neither the package manager nor the shell. */
const ESSENTIAL =
  '(?:libc6|glibc|coreutils|systemd|dpkg|rpm|apt|kernel|linux-image-(?:generic|amd64|\\*)|linux-generic|grub[\\w-]*|util-linux|alpine-baselayout|musl|\\*)';
const REMOVES: readonly DangerousCall[] = [
  { line: /^(?=(?:.* )?(?:remove|purge|erase|del|rm|-R\w*|-[er]|-P)(?: |$))(?=.*\ue003)/, is: removesSystem },
  {
    line: new RegExp(
      `^(?:-\\S+ )*(?:remove|purge|erase|autoremove|uninstall|del|rm|-e|-r|-P|--purge|--remove|-R\\w*) (?:-\\S+ )*(?:\\S+ )*${ESSENTIAL}(?: |$)`,
    ),
    unless: '-s --simulate --dry-run --just-print --assumeno --test',
    is: removesSystem,
  },
  {
    line: /^(?:-\S+ )*(?:remove|purge|erase) (?:-\S+ )*\^?(?:\.\*|python3?(?:-minimal)?(?:\.\*)?|perl-base|bash|sudo|openssh-server|network-manager|init|login|passwd)\*?$/,
    is: removesSystem,
  },
  { line: /^(?=(?:.* )?autoremove(?: |$))(?=.*--purge)/, is: removesSystem },
  {
    words:
      /^(?:remove|purge|erase|autoremove|del|-R\w*) (?:\S+ )*(?:auditd|apparmor|ufw|firewalld|fail2ban|clamav\S*|rkhunter|selinux-policy\S*|crowdsec|rsyslog|falcon-sensor|mdatp)$/,
    is: switchesOff,
  },
  {
    line: /^(?:-\S+ )*(?:i|-i|-\w*U\w*|--install|install|localinstall) (?:\S+ )*(?:https?:\/\/(?!localhost)\S+|\ue005?\ue001)/,
    is: remoteCode,
  },
  { line: /^(?:-\S+ )*(?:-Rdd|--force-(?:all|depends)|-e --nodeps|--nodeps -e)(?: |$)/, is: removesSystem },
];
/** What nobody has signed. */
const UNSIGNED: DangerousCall = {
  option:
    '--allow-unauthenticated --allow-untrusted --force-yes --nogpgcheck --no-gpg-checks --no-gpg-check --nosignature --force-bad-verify',
  is: remoteCode,
};
const PACKAGES: Program = { namesPrograms: true, dangers: [...REMOVES, UNSIGNED] };

/** Accounts, services, the kernel, what protects a machine and what stops it. */
// biome-ignore format: a table has its rows in lines
export const machine: readonly Row[] = [
  ['sudo', { files: ['uses'], harmful: true, starts: { root: true, valued: 'u g h p C T r t D R U user group host prompt chdir chroot close-from role type other-user', assigns: true, folderIn: '-D --chdir', idle: '-l --list -v -k -K -e --edit', shell: '-s -i --shell --login' }, dangers: [
      SHELL_ONLY,
      SHELL_BEHIND_PASSWORD,
      { line: /^(?=(?:.* )?(?:-e|--edit) )(?=.* \/etc\/(?:passwd|shadow|group|sudoers(?:\.d\/\S+)?)(?: |$))/, is: accounts },
    ] }],
  ['doas', { files: ['uses'], starts: { root: true, valued: 'u C a', assigns: true, shell: '-s' }, dangers: [SHELL_ONLY] }],
  ['pkexec', { starts: { root: true, valued: 'user' }, dangers: [{ line: /^$/, is: rootShell }] }],
  ['su', { starts: { root: true, valued: 's g G w shell group', commandIn: '-c --command', skip: 'all', shell: true }, namesPrograms: true, dangers: [
      { line: /^(?:(?:-|-l|-m|-p|--login)(?: |$))*(?:root)?$/, terminal: true, is: rootShell },
    ] }],
  ['runuser', { starts: { root: true, valued: 's g G w u shell group user', commandIn: '-c --command' } }],
  ['setpriv', { starts: { valued: 'reuid regid groups ruid rgid euid egid' }, dangers: [{ line: /(?:^| )--(?:re|e)?uid[= ](?:0|root)(?: |$)/, is: rootShell }] }],
  ['capsh', { starts: { commandIn: '-c' }, dangers: [{ line: /(?:^| )--uid=0(?: |$)/, is: rootShell }] }],
  ['nsenter', { starts: { valued: 't S G target', shell: true }, dangers: [{ line: /(?:^| )(?:-t ?|--target[= ])1(?: |$)/, is: hostRights }] }],
  ['systemd-run', { starts: { valued: 'u p M unit property slice uid gid on-calendar on-active on-boot on-startup on-unit-active' }, dangers: [
      { line: /(?:^| )--on-(?:calendar|boot|startup|active|unit-active)[= ]/, is: scheduled },
      { line: /(?:^| )--uid[= ](?:0|root)(?: |$)/, is: rootShell },
    ] }],
  ['useradd', { files: ['uses', 'names'], dangers: [{ line: /^(?=.*\S)(?!.*(?:nologin|\/false|--help|(?:^| )-[hD](?: |$)))(?=.*(?:^| )(?:-s|--shell)[= ]\S|(?!.*(?:^| )(?:-[a-zA-Z]*r[a-zA-Z]*|--system)(?: |$)))/, is: accounts }, { line: AS_ROOT, is: accounts }, { line: IN_GROUP, is: accounts }, { line: IN_DOCKER, is: joinsDocker }] }],
  ['usermod', { files: ['uses', 'names'], dangers: [
      { line: AS_ROOT, is: accounts }, { line: IN_GROUP, is: accounts }, { line: IN_DOCKER, is: joinsDocker },
      { line: /(?:^| )(?:-L|--lock|-e ?1|--expiredate[= ]1)(?: |$)/, is: accounts },
      { line: /(?:^| )(?:-\w*[pU]|--password|--unlock)(?:[= ]|$)|(?:^| )(?:-s|--shell)[= ]\S+ (?:root|nobody|daemon|bin|www-data)$/, is: accounts },
    ] }],
  ['adduser', { valued: 'home shell uid gid ingroup gecos firstuid lastuid conf h s G g u k', dangers: [{ words: '* $', unless: '--system -S -D -r --disabled-login -s=/sbin/nologin -s=/bin/false --shell=/usr/sbin/nologin --shell=/bin/false', is: accounts }, { line: AS_ROOT, is: accounts }, { line: IN_GROUP, is: accounts }, { words: new RegExp(`^\\S+ ${GROUP}$`), is: accounts }, { words: '* docker $', is: joinsDocker }] }],
  ['addgroup', { dangers: [{ words: new RegExp(`^\\S+ ${GROUP}$`), is: accounts }] }],
  ['gpasswd dseditgroup', { dangers: [{ line: new RegExp(`^(?=.*(?:^| )(?:-[aM]|--add|--members)[= ]).*(?: |=)${GROUP}$`), is: accounts }, { line: /^(?:-a|--add) \S+ docker$/, is: joinsDocker }, { line: /^(?:-d|--delete) \S+ (?:sudo|wheel|admin)$/, is: accounts }] }],
  ['groupmems', { dangers: [{ line: new RegExp(`(?:^| )-g ${GROUP}(?: |$)`), is: accounts }] }],
  ['userdel deluser', { dangers: [{ line: new RegExp(`(?:^| )${GROUP}$`), is: accounts }, { option: '-r --remove --remove-home --remove-all-files', is: accounts }] }],
  ['groupdel delgroup', { dangers: [{ line: new RegExp(`(?:^| )${GROUP}$`), is: accounts }] }],
  ['passwd', { files: ['uses', 'names'], dangers: [
      { option: '-d --delete --stdin -u --unlock', is: accounts },
      { line: /^(?!(?:.* )?(?:-S|--status)(?: |$))(?:.* )?root$/, is: accounts },
    ] }],
  ['chpasswd newusers', { dangers: [{ unless: HELP, is: accounts }] }],
  ['visudo', { files: ['uses', 'names'], dangers: [{ terminal: false, is: accounts }, { variable: ODD_EDITOR, is: accounts }] }],
  ['vipw', { dangers: [{ unless: HELP, is: accounts }], writes: 'operands' }],
  ['vigr', { dangers: [{ unless: HELP, is: accounts }] }],
  ['chsh', { dangers: [{ line: /(?:^| )(?:-s|--shell)[= ]\/(?:tmp|var\/tmp|dev|home|opt(?!\/homebrew))\//, is: accounts }, { line: /(?:^| )(?:root|nobody|daemon|bin|www-data)$/, is: accounts }] }],
  ['chage', { dangers: [{ line: /^(?!(?:.* )?-l ).* root$/, is: accounts }] }],
  ['sysadminctl', { dangers: [{ line: /(?:^| )-admin(?: |$)|(?:^| )-(?:resetPasswordFor|deleteUser)(?: |$)/, is: accounts }] }],
  ['dscl', { dangers: [{ line: /(?:^| )-(?:append|create|merge) \/Groups\/(?:admin|wheel)\b|(?:^| )-passwd |(?:^| )-delete \/(?:Users|Groups)\/|(?:^| )-create \/Users\//i, is: accounts }] }],
  ['setcap', { dangers: [{ line: /\bcap_(?:set[ug]id|setfcap|sys_\w+|dac_\w+|chown|fowner|bpf|perfmon|mknod|net_admin)\b|(?:^| )(?:all)?=\w*[ep]/i, is: givesRights }] }],
  ['dpkg-statoverride', { dangers: [{ line: /(?:^| )[2467][0-7]{3} /, is: givesRights }] }],
  ['groupmod', { dangers: [{ line: /(?:^| )(?:-\w*g ?|--gid[= ])0(?: |$)|(?:^| )(?:-o|--non-unique)(?: |$)/, is: accounts }] }],
  ['pw', { dangers: [{ words: 'userdel, groupdel, usermod, useradd, usermod, userdel, groupmod', is: accounts }] }],
  ['newgrp', { dangers: [{ line: new RegExp(`^${GROUP}$`), is: rootShell }] }],
  ['systemctl', { namesPrograms: true, variables: /^(?:--user )?(?:show-environment|show .*(?:-p ?|--property[= ])Environment)/, valued: 's signal p property H host t type', dangers: [
      { words: 'poweroff, reboot, halt, kexec, rescue, emergency, isolate, suspend, hibernate, hybrid-sleep, suspend-then-hibernate', is: stopsMachine },
      { words: new RegExp(`^(?:stop|disable|mask|kill) (?:\\S+ )*${WATCHING}(?:\\.service)?(?: |$)`), is: switchesOff },
      { words: new RegExp(`^(?:stop|disable|mask|kill) (?:\\S+ )*${REACHED}(?:\\.service)?(?: |$)`), is: cutsOff },
      { words: new RegExp(`^(?:stop|disable|mask|kill) (?:\\S+ )*${SHARED}(?:\\.(?:service|socket))?(?: |$)`), unless: '--user', is: stopsService },
      { words: /^(?:stop|disable|mask|kill) (?:\S+ )*(?:\*|\ue003)/, is: stopsService },
      { words: /^(?:enable|link|reenable) (?:\S+ )*(?:\/(?:tmp|var\/tmp|home|root|dev\/shm)|\.|~)\S*\//, is: scheduled },
      { words: new RegExp(`^(?:enable|reenable) (?:.* )?(?!${OF_PACKAGES}(?: |$))[^\\s\ue000]`), is: scheduled },
      { words: 'enable, edit, link, set-default', is: enabled },
      { words: /^(?:set-environment|import-environment) (?:LD_|PATH=)/, is: changesSettings },
    ] }],
  ['service', { namesPrograms: true, dangers: [
      { words: new RegExp(`^${WATCHING} stop\\b`), is: switchesOff },
      { words: new RegExp(`^${REACHED} stop\\b`), is: cutsOff },
      { words: new RegExp(`^${SHARED} stop\\b`), is: stopsService },
    ] }],
  ['rc-service', { dangers: [{ words: new RegExp(`^(?:${SHARED}|${REACHED}) stop\\b`), is: stopsService }] }],
  ['sv s6-svc runsvctrl', { dangers: [{ line: new RegExp(`^(?:stop|down|exit|force-stop|-d) (?:\\S*/)?${SHARED}$`), is: stopsService }] }],
  ['fuser', { files: ['names'], dangers: [{ line: /^(?=(?:.* )?-\w*k)(?=.* \/(?:home|usr|var|etc)?\/?$)/, is: killsAll }] }],
  ['skill slay', { dangers: [{ words: /\S/, is: killsAll }] }],
  ['stress stress-ng', { dangers: [{ line: /--vm-bytes[ =](?:\d{2,}G|9\d%|100%)/i, is: fillsUp }] }],
  ['dmesg', { dangers: [{ option: '-C -c --clear --read-clear', is: erasesTraces }] }],
  ['log', { dangers: [{ words: 'erase', is: erasesTraces }] }],
  ['touch', { files: ['uses', 'names'], dangers: [{ line: /(?:^| )(?:-r ?|--reference[= ])\/(?:s?bin|etc|usr)\//, is: erasesTraces }, { line: /^(?=(?:.* )?(?:-[tdr]|--date))(?=.*\/var\/log\/)/, is: erasesTraces }] }],
  ['update-rc.d rc-update chkconfig', { dangers: [
      { line: new RegExp(`^(?=(?:.* )?(?:defaults|enable|add|--add|on)(?: |$))(?!(?:.* )?${OF_PACKAGES}(?: |$))`), is: scheduled },
      { line: /(?:^| )(?:defaults|enable|add|--add|on)(?: |$)/, is: enabled },
    ] }],
  ['loginctl', { dangers: [{ words: 'enable-linger', is: enabled }, { words: 'kill-user, terminate-user, poweroff, reboot, halt', is: stopsMachine }] }],
  ['crontab', { valued: 'u', dangers: [
      { option: '-r', is: scheduledLost() },
      { words: /^\S/, is: scheduled },
      { line: /^(?:-u \S+)?$/, is: scheduled },
      { variable: ODD_EDITOR, option: '-e', is: scheduled },
    ], namesPrograms: true, runs: 'input' }],
  ['incrontab fcrontab', { namesPrograms: true, dangers: [{ unless: '-l --list -V', is: scheduled }] }],
  ['anacron', { dangers: [{ option: '-t', is: scheduled }] }],
  ['at', { starts: { commandIn: '', skip: 'all' }, runs: 'input', dangers: [{ words: /^\S/, unless: '-l -c -d -r -q -V', is: scheduled }] }],
  ['batch', { runs: 'input', dangers: [{ is: scheduled }] }],
  ['launchctl', { printsSecret: [{ words: /^getenv \S*(?:KEY|TOKEN|SECRET|PASSW)/i }], dangers: [
      { words: /^setenv (?:PATH|DYLD_|NODE_OPTIONS)/, is: changesSettings },
      { words: 'load, bootstrap, submit, enable', is: scheduled },
      { words: /^(?:unload|bootout|disable) (?:\S+ )*\S*(?:\/System\/|crowdstrike|sentinelone|jamf|carbonblack|sophos|osquery|santa|defender)/i, is: switchesOff },
      { words: /^(?:bootout system|remove|stop) ?\/?(?=.*(?:com\.apple|postgres|mysql|redis|mongo|docker|nginx))/, is: stopsService },
      { words: 'reboot', is: stopsMachine },
    ] }],
  ['defaults', { oneDash: true, dangers: [
      { words: /^write .*(?:Log(?:in|out)Hook|loginitems|AutoLaunchedApplicationDictionary)\b/, is: scheduled },
      { words: /^write .*(?:LSQuarantine|GKAutoRearm|DisableGatekeeper)\b/, is: switchesOff },
      { words: /^delete (?:-g|NSGlobalDomain|com\.apple\.\w+)$/, is: changesSettings },
    ] }],
  ['socketfilterfw', { dangers: [{ line: /--setglobalstate off|--setblockall off/, is: switchesOff }] }],
  ['plutil plistbuddy', { dangers: [{ line: /^(?!-(?:p|lint)\b|.*\bPrint\b|.* -o - ).*launch(?:agents|daemons)\//i, is: scheduled }] }],
  ['pwpolicy', { dangers: [{ line: /-clearaccountpolicies|-setglobalpolicy/, is: switchesOff }] }],
  ['trust', { dangers: [{ words: 'anchor', is: changesSettings }] }],
  ['ssh-import-id', { dangers: [{ words: /\S/, is: scheduled }] }],
  ['pm2', { dangers: [{ words: 'startup', is: scheduled }, { words: 'delete all, kill', is: killsAll }] }],
  ['insmod', { dangers: [{ words: /\S/, is: loadsIntoKernel }] }],
  ['modprobe', { dangers: [{ words: /^(?!(?:br_netfilter|overlay|kvm|vbox|nbd|loop|fuse|tun|tap|zram|dummy|v?can|v4l2|nf_|nft_|ip|x_tables|snd|usb|i2c|spi|nvidia|amdgpu|i915|wireguard|btrfs|zfs|xfs|ext4|dm_|md|raid|bonding|8021q|tcp_|sch_|act_|cls_|msr|cpuid|uinput|veth|bridge|vhost|vfio|ceph|rbd|nfs|cifs|mac|vxlan|bluetooth|iwl|ath|r8|e1000|virtio|xt_|configfs|netconsole|softdog|pcspkr|kheaders|vsock|vmw))\S/, unless: /^(?:-n|-c|-D|-R|--dry-run|--show\S*|--resolve\S*)$/, is: loadsIntoKernel }, { option: /^(?:-r|--remove|--force\S*)$/, is: loadsIntoKernel }] }],
  ['rmmod kldload kldunload dkms', { dangers: [{ words: /^(?!status\b)\S/, is: loadsIntoKernel }] }],
  ['kexec grub-install grub2-install kextload kextunload kmutil bless mokutil lilo extlinux dracut-install', { dangers: [{ line: /\S/, unless: HELP, is: loadsIntoKernel }] }],
  ['update-grub grub-mkconfig grub2-mkconfig', { dangers: [{ is: { ...loadsIntoKernel, severity: 'medium' } }] }],
  ['efibootmgr', { dangers: [{ option: '-c -B -b', is: loadsIntoKernel }] }],
  ['nvram', { dangers: [{ option: '-c -d', is: loadsIntoKernel }, { words: /^(?:boot-args|csr-active-config|SystemAudioVolume)=/, is: loadsIntoKernel }] }],
  ['update-initramfs', { dangers: [{ option: '-d', is: loadsIntoKernel }] }],
  ['sysctl', { dangers: [
      { line: /\bkernel\.panic(?:_on_oops)?\s?=\s?[1-9]/, is: stopsMachine },
      { line: /\bkernel\.(?:core_pattern|modprobe|kptr_restrict|dmesg_restrict|unprivileged_bpf_disabled|randomize_va_space|yama\.ptrace_scope|sysrq|kexec_load_disabled|unprivileged_userns_clone)\s?=|\bfs\.(?:suid_dumpable|protected_\w+)\s?=|\bnet\.ipv4\.(?:ip_forward\s?=\s?1|tcp_syncookies\s?=\s?0|conf\.\w+\.(?:rp_filter\s?=\s?0|accept_redirects\s?=\s?1))|\bvm\.overcommit_memory\s?=\s?2/, is: switchesOff },
    ] }],
  ['setenforce', { dangers: [{ words: /^(?:0|permissive)$/i, is: switchesOff }] }],
  ['xhost', { dangers: [{ words: /^\+$/, is: switchesOff }, { line: /^\+(?!si:|local|localhost)/, is: switchesOff }] }],
  ['tccutil', { dangers: [{ words: 'reset', is: switchesOff }] }],
  ['pmset', { dangers: [{ words: 'sleepnow, restoredefaults, schedule', is: { ...stopsMachine, severity: 'medium' } }] }],
  ['setsebool', { dangers: [{ words: / (?:on|1|true)$/, is: { ...switchesOff, severity: 'medium' } }] }],
  ['semanage', { dangers: [{ line: /^permissive (?:-a|--add)/, is: switchesOff }] }],
  ['fail2ban-client', { dangers: [{ words: 'stop, unban --all', is: switchesOff }] }],
  ['falconctl', { dangers: [{ words: 'unload, uninstall, disable', is: switchesOff }] }],
  ['mdatp', { dangers: [{ words: /^(?:config real-time-protection .*disabled|exclusion\b.* add|threat allow)/, is: switchesOff }] }],
  ['esxcli', { dangers: [{ words: /^(?:system shutdown|vm process kill|storage filesystem unmount|network firewall set)/, is: stopsMachine }] }],
  ['timedatectl', { dangers: [{ words: 'set-time, set-local-rtc', is: stopsMachine }, { words: /^set-ntp (?:0|false|no)/, is: switchesOff }] }],
  ['xmrig minerd cgminer bfgminer ethminer t-rex nbminer xmr-stak cpuminer', { dangers: [{ is: mines }] }],
  ['aa-teardown', { dangers: [{ is: switchesOff }] }],
  ['aa-disable aa-complain', { dangers: [{ words: /\S/, is: switchesOff }] }],
  ['auditctl', { files: ['names'], dangers: [{ line: /(?:^| )-(?:e ?0|D)(?: |$)/, is: switchesOff }] }],
  ['ufw', { dangers: [{ words: /^(?:disable|reset|default allow(?: incoming)?$|allow (?:from any|in|proto))/, is: switchesOff }, { words: 'default deny outgoing $, default reject outgoing $', is: cutsOff }] }],
  ['iptables ip6tables', { valued: 't A I D P s d p m j i o dport sport', dangers: [
      { line: /(?:^| )(?:-F|--flush|-X)(?: |$)|(?:^| )(?:-P|--policy) (?:INPUT|FORWARD) ACCEPT(?: |$)|^-[AI] (?:INPUT|FORWARD)(?: \d+)? -j ACCEPT$/, is: switchesOff },
      { line: /(?:^| )(?:-P|--policy) (?:INPUT|OUTPUT) (?:DROP|REJECT)(?: |$)|^-[AI] (?:INPUT|OUTPUT)(?: \d+)? -j (?:DROP|REJECT)$/, is: cutsOff },
    ] }],
  ['nft', { dangers: [{ words: 'flush ruleset, flush table, flush chain, delete table, delete chain', is: switchesOff }] }],
  ['iptables-restore ip6tables-restore', { dangers: [{ line: /^$|\/dev\/null/, is: switchesOff }] }],
  ['ipset', { dangers: [{ words: 'flush, destroy', is: { ...switchesOff, severity: 'medium' } }] }],
  ['pfctl', { dangers: [{ option: '-d -F', is: switchesOff }] }],
  ['firewall-cmd', { dangers: [{ option: /^--set-default-zone=trusted/, is: switchesOff }, { option: '--panic-on', is: cutsOff }, { option: /^--add-port=0?-?1?-65535|^--remove-service=ssh/, is: switchesOff }] }],
  ['spctl', { dangers: [{ option: '--master-disable --global-disable', is: switchesOff }] }],
  ['csrutil', { dangers: [{ words: 'disable, authenticated-root disable', is: switchesOff }] }],
  ['fdesetup', { dangers: [{ words: 'disable, removeuser', is: switchesOff }] }],
  ['tmutil', { dangers: [{ words: 'disable, delete, deletelocalsnapshots', is: switchesOff }] }],
  ['xattr', { dangers: [{ line: /^(?=.*com\.apple\.quarantine)-\w*d/, is: { ...switchesOff, severity: 'medium' } }] }],
  ['ip', { oneDash: true, dangers: [
      { words: /^link set (?:dev )?(?!lo\b|veth|br|docker|tun|tap|wg|dummy|vcan|can)\S+ down\b|^(?:route flush|addr(?:ess)? flush)\b|^route del default\b/, is: cutsOff },
    ] }],
  ['route', { dangers: [{ line: /^-?(?:n )?(?:del|delete|flush)\b.*(?:default|0\.0\.0\.0)|^-?n? ?flush$/, is: cutsOff }] }],
  ['rfkill', { dangers: [{ words: 'block all, block wlan, block wifi', is: cutsOff }] }],
  ['networksetup', { oneDash: true, dangers: [{ line: /^-set(?:dnsservers|webproxy|securewebproxy|socksfirewallproxy|autoproxyurl|networkserviceenabled)\b/i, is: changesSettings }] }],
  ['ifconfig', { dangers: [{ words: /^(?!lo\b|veth|br|docker|tun|tap)\S+ down$/, is: cutsOff }] }],
  ['ifdown', { dangers: [{ words: /^(?!lo$)\S/, is: cutsOff }] }],
  ['shutdown poweroff halt', { dangers: [{ unless: '-c -k --help --show -w --wtmp-only', is: stopsMachine }] }],
  ['pm-suspend pm-hibernate', { dangers: [{ is: stopsMachine }] }],
  ['dbus-send busctl gdbus', { dangers: [{ line: /^(?=.*\blogin1\b)(?=.*\b(?:PowerOff|Reboot|Halt|Suspend|Hibernate|HybridSleep)\b)/, is: stopsMachine }] }],
  ['dconf', { dangers: [{ words: 'reset', option: '-f', is: changesSettings }] }],
  ['reboot', { dangers: [{ unless: '--help -w --wtmp-only', is: stopsMachine }] }],
  ['init telinit', { dangers: [{ words: /^[016]$/, is: stopsMachine }] }],
  ['kill', { namesPrograms: true, dangers: [
      { line: /^(?!-l)(?:-s ?\w+ |-n ?\d+ |-\S+ )*(?:-- )?-1$/, is: killsAll },
      { line: /\ue003/, is: killsAll },
    ] }],
  ['pkill', { namesPrograms: true, dangers: [{ line: KILLS_SHARED, is: stopsService }, { line: KILLS_WATCH, is: switchesOff }, { line: /^(?:-\S+ )*-\w*u ?\S+$|^(?:-\S+ )*(?:\.\*?|-v \S+|(?= *$)|(?:systemd|init|sshd|Xorg|gnome-shell|bash))$/, is: killsAll }] }],
  ['killall', { namesPrograms: true, dangers: [{ line: KILLS_SHARED, is: stopsService }, { line: KILLS_WATCH, is: switchesOff }, { line: /^(?:-\S+ )*(?:-u \S+|\.\*?|systemd|init|sshd|Xorg|gnome-shell|bash)$/, is: killsAll }] }],
  ['killall5', { dangers: [{ is: killsAll }] }],
  ['swapoff', { dangers: [{ option: '-a --all', is: killsAll }] }],
  ['journalctl', { namesPrograms: true, dangers: [{ line: /(?:^| )--vacuum-(?:time=\d{0,2}s|size=\d{0,2}[KM]?|files=[01])(?: |$)/, is: erasesTraces }] }],
  ['apt apt-get', { ...PACKAGES, noOutput: true }],
  ['yum dnf apk zypper microdnf emerge xbps-remove xbps-install opkg eopkg pkg_delete swupd urpme', PACKAGES],
  ['pacman', { ...PACKAGES, listsAll: /^-Qq?e?$/ }],
  ['dpkg', { ...PACKAGES, listsAll: /^-l$|^--get-selections$/ }],
  ['rpm rpmquery rpmbuild', { ...PACKAGES, carries: { patterns: [/%\(([^)]{1,400})\)/g] } }],
];

function scheduledLost(): typeof scheduled {
  return {
    ...scheduled,
    rule: 'lost-work/crontab',
    category: 'lost-work',
    reason:
      'This deletes all scheduled commands of the user. Save them with `crontab -l` first, and take out the one line.',
  };
}
