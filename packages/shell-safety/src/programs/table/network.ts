// biome-ignore-all format: a row stands in one line, or each way to call a program does
import { servesFolder } from '../../rules/sensitive-files.ts';
import type { Known, Row } from '../program.ts';
import {
  access, attacks, backdoor, destroys, destroysData, hostRights, medium, opensTunnel, takesSecret, wipesContainers,
} from './ways.ts';

const DELETE = '-X=DELETE --request=DELETE --method=DELETE';
const THIS_MACHINE = /(?:\/\/|^|@)(?:localhost|127\.|0\.0\.0\.0|\[::1\]|host\.docker\.internal|[\w-]+\.(?:local|test|localhost)\b)/i;

/** A request that deletes: elsewhere, or in a database on this machine. */
const DELETES = [
  destroys({ option: DELETE, word: /\w\.\w|:\d/, lacks: THIS_MACHINE }),
  destroys({ words: 'DELETE', word: /\w\.\w|:\d/, lacks: THIS_MACHINE }),
  destroysData({ option: DELETE, word: /:(?:9200|9243|8500|2379|5984|8123)\/|\/_all\b|\/\*$/ }),
  destroysData({ argument: /\/_delete_by_query\b|<delete><query>\*:\*/ }),
];

/** Machines of a cloud get the rights that they have, and the secrets that they start with, from one address. */
const METADATA = takesSecret({ argument: /(?:169\.254\.169\.254|169\.254\.170\.2|metadata\.google\.internal|100\.100\.100\.200|\[fd00:ec2::254\])\S{0,80}(?:credentials|api\/token|service-accounts|identity|user-data|userdata|ssh-keys|attributes\/?$)|169\.254\.170\.2/i });

/** It runs a program for whoever is on the other end. */
const NETCAT: Known[] = [
  backdoor({ option: /^(?:-[ec]|--(?:sh-|lua-)?exec)=(?!(?:\/(?:usr\/)?bin\/)?(?:cat(?: \d|$)|(?:printf|echo|true|date)\b))/ }),
  { valued: 'e c exec sh-exec lua-exec' },
];

/** A shell as what a server starts for each who comes; `/:LOGIN` is shellinabox's way to say so. */
const SERVES_SHELL = backdoor({ argument: /(?:^|[ /])(?:(?:ba|z|da|k|a|fi)?sh|login|tmux|screen)(?: |$)|:LOGIN(?: |$)/ });

/** Commands that programs of SSH are given as options. */
const SSH_OPTIONS: Known = {
  carries: { patterns: [/^(?:-\w{0,8}o)?\s*(?:ProxyCommand|LocalCommand|KnownHostsCommand|PermitRemoteCommand)[= ](.+)$/gis], behind: '-S' },
};

const DAEMON = '{*,}/{docker,podman}.sock';
const POSTS = '-X=POST --request=POST -d --data{*,} --json';

/** Programs that talk to other machines. */
export const network: readonly Row[] = [
  ['links lynx elinks w3m certutil', { files: ['shows'], remote: true }],
  ['ssh autossh',
    // A port made reachable from elsewhere; that of `ssh` lets somebody in.
    access({ option: /^-R=(?:\S{1,200}:)?22$/ }),
    opensTunnel({ option: /^(?:-D=(?:0\.0\.0\.0|\*|\[::\]):\d|-R=(?:0\.0\.0\.0|\*):\d+:\S{1,200}:\d+$)/ }),
    opensTunnel('{*@,}{serveo.net,localhost.run,*pinggy.*}', '-R'),
    SSH_OPTIONS,
    {
      files: ['uses'], namesPrograms: true, noOutput: true, remote: true,
      valued: 'B b c D E e F I i J L l M m O o P p Q R S W w', starts: { valued: 'B b c D E e F I i J L l M m O o P p Q R S W w', skip: 1, joins: 'all', shell: true },
    },
  ],
  ['scp', SSH_OPTIONS, { files: ['sends', 'copies'], harmful: true, valued: 'i P F o c S l J', noOutput: true, writes: 'target', fetches: 'remote' }],
  ['sftp', SSH_OPTIONS, { files: ['sends', 'uploads'], prompts: true, told: true, noOutput: true, fetches: 'remote', remote: true }],
  ['check_by_ssh', SSH_OPTIONS],
  [`sftp-put ftp-upload ncftpput curlftpfs sendmail swaks sendemail msmtp s-nail mpack croc magic-wormhole wormhole ffsend transfer
    gist pastebinit`, { files: ['sends'] }],
  ['curl',
    ...DELETES,
    METADATA,
    wipesContainers({ words: '** {*,}/volumes/prune{*,}', argument: DAEMON, option: POSTS }),
    hostRights({ words: '** {*,}/{containers/create,exec}{*,}', argument: DAEMON, option: POSTS }),
    {
      files: ['sends', 'tells'], harmful: true, long: 'head upload-file',
      valued: 'o H X d A u b c F e T m t U w request output output-dir header request data user user-agent max-time retry',
      writes: { options: 'o output' }, reads: 'curl',
      fetches: { file: '-o --output', folder: '--output-dir', byName: '-O --remote-name --remote-name-all' }, remote: true,
    },
  ],
  ['wget',
    ...DELETES,
    METADATA,
    {
      files: ['sends'], harmful: true, valued: 'o O H X d A u b c F e T m P t U w method output-document directory-prefix header user user-agent',
      writes: { options: 'O output-document o a P directory-prefix' }, reads: { pattern: /^--(?:post|body)-f(?:i(?:le?)?)?=(.*)$/s },
      fetches: { file: '-O --output-document', folder: '-P --directory-prefix' }, remote: true, lists: '-i --input-file',
    },
  ],
  ['nc ncat netcat nc.traditional nc.openbsd', ...NETCAT, { files: ['sends'], harmful: true, statements: true, remote: true }],
  ['socat',
    backdoor({ argument: /^(?:exec|system|shell)(?::|$)/i, word: /^(?:tcp|udp|openssl|ssl|sctp|dccp|socks|proxy|vsock|ip\d?|quic|dtls)/i }),
    {
      files: ['sends'], harmful: true, writes: { pattern: /^(?:OPEN|FILE|GOPEN|CREATE):([^,]+)/i },
      reads: { pattern: /^(?:G?OPEN|FILE|CREATE):"?([^",]+)/i }, carries: { patterns: [/^(?:EXEC|SYSTEM|SHELL):['"]?([^'"]+)/gi] }, remote: true,
    },
  ],
  ['sbd cryptcat dbd powercat powercat.ps1 invoke-powershelltcp nishang', ...NETCAT, backdoor({ argument: /-reverse\b|^-e$/i })],
  ['http xh https curlie httpie',
    ...DELETES,
    { files: ['sends'], valued: 'o output', fetches: { file: '-o --output', byName: '-d --download' }, remote: true },
  ],
  ['telnet', { files: ['sends'], remote: true }],
  ['ftp lftp tftp', { files: ['sends', 'uploads'], prompts: true, told: true, carries: { patterns: [/^!(.+)$/gs] }, remote: true }],
  ['mail mutt', { files: ['sends', 'tells'], told: true, carries: { patterns: [/^!(.+)$/gs] } }],
  ['openssl', { files: ['feeds'], remote: 's_client', prints: 'openssl' }],
  ['smbclient', { files: ['uploads'], prompts: true, remote: true }],
  [`fetch bitsadmin start-bitstransfer kdig whois finger gopher mosquitto_sub kcat kafkacat websocat wscat grpcurl lwp-request snarf`, { remote: true }],
  ['iwr irm invoke-webrequest invoke-restmethod',
    METADATA,
    destroys({ words: '** delete', not: '** {*,}{localhost,127.}{*,}', argument: /^-method:?(?:delete)?$/i }),
    { files: ['sends'], reads: { pattern: /^-infile=(.+)$/i }, remote: true },
  ],
  ['aria2c axel', { valued: 'o d out output dir', fetches: { file: '-o --out --output', folder: '-d --dir' }, remote: true }],
  ['dig host nslookup drill', { asks: true, remote: true, lists: '-f' }],
  ['ipfs', { remote: '{cat,get}, * {cat,get}' }],
  ['ping', { asks: true }],
  ['pwncat rcat', ...NETCAT, SERVES_SHELL],
  ['pwncat-cs', backdoor({ argument: /\d/ })],
  ['rustcat ttyd gotty shellinaboxd telnetd in.telnetd tcpserver websocketd wetty', SERVES_SHELL],
  ['tailscale', opensTunnel('funnel'), opensTunnel('up', '--auth-key --authkey --ssh')],
  ['lt localtunnel frpc rathole gost zerotier-cli', opensTunnel('join, *.toml'), opensTunnel({ option: '-p --port -c -L' })],
  ['teleconsole playit pagekite pagekite.py x11vnc', opensTunnel({ argument: /^(?!-?-?(?:h|help|v|version)$)/ }), opensTunnel({ words: '$', unless: /./ })],
  ['zrok inlets inlets-pro wstunnel devtunnel', opensTunnel('share, tcp client, client, host')],
  ['chisel', opensTunnel('client, server')],
  [`masscan zmap rustscan nikto hydra medusa sqlmap gobuster ffuf wfuzz dirb aircrack-ng responder ettercap bettercap arpspoof
    crackmapexec nxc linpeas linpeas.sh linenum.sh pspy pspy64`, attacks()],
  ['ngrok bore cloudflared',
    opensTunnel('tcp, tls, local, tunnel run, service install'),
    destroys('tunnel delete, api * delete, api * * delete'),
    access({ argument: /^(?:22|(?:--url=)?(?:ssh:\/\/|tcp:\/\/\S*:22\b).*)$/ }),
  ],
  ['dropbear', backdoor({ unless: '-V -h' })],
  ['sshd', medium(access({ unless: '-t -T -V' }))],
  ['socket', backdoor({ option: '-p' })],
  ['xterm', backdoor({ option: /^--display=(?!localhost:|unix:)[\w.-]+:\d/ }), { style: 'one-dash', valued: 'display' }],
  ['ztcp msfvenom msfconsole weevely gs-netcat gsocket sshx tmate upterm', backdoor()],
  ['httpd darkhttpd miniserve serve http-server webfsd', { rules: [servesFolder], serves: { folderIn: '-h' } }],
  ['gunzip bunzip2 unxz unzstd uncompress', { fetches: 'unpacks', prints: 'unpacked' }],
];
