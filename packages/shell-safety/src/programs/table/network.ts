import {
  access,
  attacks,
  backdoor,
  destroysData,
  destroysResources,
  hostRights,
  opensTunnel,
  printsSecret,
  wipesContainers,
} from '../../dangers.ts';
import { servesFolder } from '../../rules/sensitive-files.ts';
import type { DangerousCall, Row } from '../program.ts';

/** A request that deletes: elsewhere, or in a database on this machine. */
const DELETES: readonly DangerousCall[] = [
  {
    line: /^(?=(?:.* )?(?:-X ?|--request[= ]|--method[= ])?['"]?DELETE['"]?(?: |$))(?!.*(?:\/\/|[ @])(?:localhost|127\.|0\.0\.0\.0|\[::1\]|host\.docker\.internal|[\w-]+\.(?:local|test|localhost)\b))(?=.*(?:\w\.\w|:\d))/i,
    is: destroysResources,
  },
  {
    line: /^(?=(?:.* )?(?:-X ?|--request[= ]|--method[= ])DELETE(?: |$))(?=.*(?::(?:9200|9243|8500|2379|5984|8123)\/|\/_all\b|\/\*(?: |$)))/i,
    is: destroysData,
  },
  { line: /\/_delete_by_query\b|<delete><query>\*:\*/, is: destroysData },
];
/** Machines of a cloud get the rights that they have, and the secrets that they start with, from one address. */
const METADATA: DangerousCall = {
  line: /(?:169\.254\.169\.254|169\.254\.170\.2|metadata\.google\.internal|100\.100\.100\.200|\[fd00:ec2::254\])\S{0,80}(?:credentials|api\/token|service-accounts|identity|user-data|userdata|ssh-keys|attributes\/?$)|169\.254\.170\.2/i,
  is: printsSecret,
};

/** It runs a program for whoever is on the other end. */
const NETCAT: DangerousCall = {
  line: /(?:^| )(?:-(?![zv46nuwlk]*(?: |$))[a-zA-Z]*[ec](?: |$)|--(?:exec|sh-exec|lua-exec)(?:[= ](?!(?:\/(?:usr\/)?bin\/)?(?:cat(?: \d|$)|(?:printf|echo|true|date)\b))|$)|-e\S)/,
  is: backdoor,
};
/** A shell as what a server starts for each who comes; `/:LOGIN` is shellinabox's way to say so. */
const SERVES_SHELL: DangerousCall = {
  line: /(?:^|[ /])(?:(?:ba|z|da|k|a|fi)?sh|login|tmux|screen)(?: |$)|:LOGIN(?: |$)/,
  is: backdoor,
};

/** Programs that talk to other machines. */
// biome-ignore format: a table has its rows in lines
export const network: readonly Row[] = [
  ['links lynx elinks w3m certutil', { files: ['shows'], remote: true }],
  ['scp', { valued: 'i P F o c S l J', files: ['sends', 'copies'], harmful: true, noOutput: true, carries: { patterns: [/^(?:-\w{0,8}o)?\s*(?:ProxyCommand|LocalCommand|KnownHostsCommand|PermitRemoteCommand)[= ](.+)$/gis], behind: '-S' }, fetches: 'remote', writes: 'target' }],
  ['sftp', { files: ['sends', 'uploads'], remote: true, prompts: true, noOutput: true, told: true, carries: { patterns: [/^(?:-\w{0,8}o)?\s*(?:ProxyCommand|LocalCommand|KnownHostsCommand|PermitRemoteCommand)[= ](.+)$/gis], behind: '-S' }, fetches: 'remote' }],
  ['sftp-put ftp-upload ncftpput curlftpfs sendmail swaks sendemail msmtp s-nail mpack croc magic-wormhole wormhole ffsend transfer gist pastebinit', { files: ['sends'] }],
  ['curl', { files: ['sends', 'tells'], remote: true, harmful: true, dangers: [
      ...DELETES,
      METADATA,
      { line: /^(?=.*\/(?:docker|podman)\.sock(?: |$))(?=.*(?:^| )(?:-X ?POST|--request[= ]POST|-d|--data\S*|--json)(?: |$))(?=.*\/volumes\/prune)/i, is: wipesContainers },
      { line: /^(?=.*\/(?:docker|podman)\.sock(?: |$))(?=.*(?:^| )(?:-X ?POST|--request[= ]POST|-d|--data\S*|--json)(?: |$))(?=.*\/(?:containers\/create|exec))/i, is: hostRights },
    ], valued: 'o H X d A u b c F e T m t U w output output-dir header request data user user-agent max-time retry', fetches: { file: '-o --output', folder: '--output-dir', byName: '-O --remote-name --remote-name-all' }, writes: { options: 'o output' }, reads: 'curl' }],
  ['wget', { files: ['sends'], remote: true, harmful: true, dangers: [...DELETES, METADATA], lists: '-i --input-file', valued: 'o O H X d A u b c F e T m P t U w output-document directory-prefix header user user-agent', fetches: { file: '-O --output-document', folder: '-P --directory-prefix' }, writes: { options: 'O output-document o a P directory-prefix' }, reads: { pattern: /^--(?:post|body)-f(?:i(?:le?)?)?=(.*)$/s } }],
  ['nc ncat netcat nc.traditional nc.openbsd', { files: ['sends'], remote: true, harmful: true, statements: true, dangers: [NETCAT] }],
  ['socat', { files: ['sends'], remote: true, harmful: true, writes: { pattern: /^(?:OPEN|FILE|GOPEN|CREATE):([^,]+)/i }, reads: { pattern: /^(?:G?OPEN|FILE|CREATE):"?([^",]+)/i }, carries: { patterns: [/^(?:EXEC|SYSTEM|SHELL):['"]?([^'"]+)/gi] }, dangers: [{ line: /^(?=(?:.* )?(?:exec|system|shell)(?::|$| ))(?=(?:.* )?(?:tcp|udp|openssl|ssl|sctp|dccp|socks|proxy|vsock|ip\d?|quic|dtls))/i, is: backdoor }] }],
  ['sbd cryptcat dbd powercat powercat.ps1 invoke-powershelltcp nishang', { dangers: [NETCAT, { line: /-reverse\b|(?:^| )-e(?: |$)/i, is: backdoor }] }],
  ['http xh https curlie httpie', { files: ['sends'], remote: true, dangers: DELETES, valued: 'o output', fetches: { file: '-o --output', byName: '-d --download' } }],
  ['telnet', { files: ['sends'], remote: true }],
  ['ftp lftp tftp', { files: ['sends', 'uploads'], remote: true, prompts: true, told: true, carries: { patterns: [/^!(.+)$/gs] } }],
  ['mail mutt', { files: ['sends', 'tells'], told: true, carries: { patterns: [/^!(.+)$/gs] } }],
  ['openssl', { files: ['feeds'], remote: [[/^s_client\b/]], prints: 'openssl' }],
  ['smbclient', { files: ['uploads'], remote: true, prompts: true }],
  ['fetch bitsadmin start-bitstransfer kdig whois finger gopher mosquitto_sub kcat kafkacat websocat wscat grpcurl lwp-request snarf', { remote: true }],
  ['iwr irm invoke-webrequest invoke-restmethod', { remote: true, files: ['sends'], reads: { pattern: /^-infile=(.+)$/i }, dangers: [METADATA, { line: /^(?=.*-method[ :]+delete(?: |$))(?!.*(?:localhost|127\.))/i, is: destroysResources }] }],
  ['aria2c axel', { remote: true, valued: 'o d out output dir', fetches: { file: '-o --out --output', folder: '-d --dir' } }],
  ['dig host nslookup drill', { remote: true, lists: '-f', asks: true }],
  ['ipfs', { remote: [[/\b(?:cat|get)\b/]] }],
  ['ping', { asks: true }],
  ['pwncat rcat', { dangers: [NETCAT, SERVES_SHELL] }],
  ['pwncat-cs', { dangers: [{ line: /\d/, is: backdoor }] }],
  ['rustcat ttyd gotty shellinaboxd telnetd in.telnetd tcpserver websocketd wetty', { dangers: [SERVES_SHELL] }],
  ['tailscale', { dangers: [{ words: 'funnel', unless: '--help', is: opensTunnel }, { words: 'up', option: /^--(?:auth-?key|ssh)/, is: opensTunnel }] }],
  ['lt localtunnel frpc rathole gost zerotier-cli', { dangers: [{ line: /^(?:-p ?\d|--port|-c |-L |join |\S+\.toml)/, is: opensTunnel }] }],
  ['teleconsole playit pagekite pagekite.py x11vnc', { dangers: [{ line: /^(?!-?-?(?:h|help|v|version)$)/, is: opensTunnel }] }],
  ['zrok inlets inlets-pro wstunnel devtunnel', { dangers: [{ words: 'share, tcp client, client, host', is: opensTunnel }] }],
  ['chisel', { dangers: [{ words: 'client, server', is: opensTunnel }] }],
  ['masscan zmap rustscan nikto hydra medusa sqlmap gobuster ffuf wfuzz dirb aircrack-ng responder ettercap bettercap arpspoof crackmapexec nxc linpeas linpeas.sh linenum.sh pspy pspy64', { dangers: [{ is: attacks }] }],
  ['ngrok bore cloudflared', { dangers: [{ words: 'tcp, tls, local, tunnel run, service install', is: opensTunnel }, { words: 'tunnel delete', is: destroysResources }, { line: /(?:^| )(?:22$|22 |(?:--url[= ])?(?:ssh:\/\/|tcp:\/\/\S*:22\b))/, is: access }] }],
  ['dropbear', { dangers: [{ unless: '-V -h', is: backdoor }] }],
  ['sshd', { dangers: [{ unless: '-t -T -V', is: { ...access, severity: 'medium' } }] }],
  ['socket', { dangers: [{ option: '-p', is: backdoor }] }],
  ['xterm', { dangers: [{ line: /(?:^| )-display (?!localhost:|unix:)[\w.-]+:\d/, is: backdoor }] }],
  ['ztcp msfvenom msfconsole weevely gs-netcat gsocket sshx tmate upterm', { dangers: [{ is: backdoor }] }],
  ['httpd darkhttpd miniserve serve http-server webfsd', { rules: [servesFolder], serves: { folderIn: '-h' } }],
  ['gunzip bunzip2 unxz unzstd uncompress', { prints: 'unpacked', fetches: 'unpacks' }],
];
