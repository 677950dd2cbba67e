import type { Row } from '../program.ts';

/** Programs that talk to other machines. */
// biome-ignore format: a table has its rows in lines
export const network: readonly Row[] = [
  ['links lynx elinks w3m certutil', { files: ['shows'], remote: true }],
  ['duplicity', { files: ['shows', 'sends'] }],
  ['scp', { files: ['sends', 'copies'], harmful: true, noOutput: true }],
  ['sftp', { files: ['sends', 'uploads'], remote: true, prompts: true, noOutput: true, told: true }],
  ['s3cmd', { files: ['sends'], remote: [[/\bget\b/, / -$/]] }],
  ['mc', { files: ['sends'], remote: [[/\bcat\b/]] }],
  ['b2 sftp-put sendmail mpack croc magic-wormhole wormhole transfer gist pastebinit', { files: ['sends'] }],
  ['curl', { files: ['sends', 'tells'], remote: true, harmful: true }],
  ['wget', { files: ['sends'], remote: true, harmful: true, lists: /^(?:-i|--input-file)$/ }],
  ['nc ncat socat', { files: ['sends'], remote: true, harmful: true }],
  ['netcat http xh httpie telnet', { files: ['sends'], remote: true }],
  ['ftp', { files: ['sends', 'uploads'], remote: true, prompts: true, told: true }],
  ['lftp', { files: ['sends', 'uploads'], remote: true, told: true }],
  ['tftp', { files: ['sends', 'uploads'], remote: true, prompts: true }],
  ['mail', { files: ['sends', 'tells'], told: true }],
  ['mutt', { files: ['sends', 'tells'] }],
  ['openssl', { files: ['feeds'], remote: [[/^s_client\b/]] }],
  ['smbclient', { files: ['uploads'], remote: true, prompts: true }],
  ['fetch aria2c axel https curlie iwr irm invoke-webrequest invoke-restmethod bitsadmin kdig whois finger gopher mosquitto_sub kcat kafkacat nats websocat wscat grpcurl', { remote: true }],
  ['dig', { remote: true, lists: /^-f$/, asks: true }],
  ['host nslookup drill', { remote: true, asks: true }],
  ['ipfs', { remote: [[/\b(?:cat|get)\b/]] }],
  ['ping', { asks: true }],
];
