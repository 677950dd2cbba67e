// biome-ignore-all format: a row stands in one line, or each way to call a program does
import { deletion, diskWrite, moving } from '../../dangers.ts';
import { windowsRemove } from '../../rules/filesystem.ts';
import { diskTool } from '../../rules/guarded-places.ts';
import { changeList } from '../../rules/permissions.ts';
import type { DangerousCall, Row } from '../program.ts';
import {
  accounts, changes, changesSettings, critical, cutsOff, destroys, destroysData, erasesTraces, givesRights,
  hostRights, killsAll, medium, prints, registry, remoteCode, removesSystem, rootShell, scheduled, showsStore,
  stopsMachine, stopsService, switchesOff, way,
} from './ways.ts';

/*
 * Options of Windows begin with one dash or a slash, so `argument` looks at arguments as they stand.
 */

/** A key of the registry. */
const KEY = /(?:^|["'\s])(?:registry::)?hk(?:lm|cu|cr|u|ey_\w+):?\\/i;
const REGISTRY_PATH = registry({ argument: KEY });

/** What Windows starts by itself. */
const RUN_KEYS = String.raw`\\currentversion\\(?:run|policies\\explorer\\run)|\\(?:winlogon|image file execution options|silentprocessexit|active setup|command processor|appcertdlls)|\\currentcontrolset\\services\\|appinit_dlls|userinitmprlogonscript|\\shell\\open\\command|\\inprocserver32`;
/** What protects Windows. */
const SAFEGUARDS = String.raw`windows defender|\\control\\lsa|wdigest|enablelua|consentprompt|localaccounttokenfilter|fdenytsconnections|firewallpolicy|smartscreen|scriptblocklogging|\\amsi|disableregistrytools|disabletaskmgr|noautoupdate`;

function setsKey(words = '**'): readonly DangerousCall[] {
  return [
    critical(scheduled({ words, argument: KEY, word: new RegExp(RUN_KEYS, 'i') })),
    switchesOff({ words, argument: KEY, word: new RegExp(SAFEGUARDS, 'i') }),
  ];
}

const WATCHING =
  '(?:windefend|mpssvc|wscsvc|sense|wdnissvc|wuauserv|eventlog|mssecflt|securityhealthservice|sysmon\\w*|vss|wbengine|windows (?:defender|firewall|update))';
const STOPS_WATCH = switchesOff({ argument: new RegExp(`(?:^|[ "'=,])${WATCHING}(?:[ "',]|$)`, 'i') });

/** What others use as long as it runs. */
const SERVICES =
  /(?:^|[ "'=,])(?:sshd|mssql\S{0,80}|sqlserver\S{0,80}|mysql\d*|postgresql\S{0,80}|mongodb|redis|w3svc|iisadmin|spooler|dns|dhcp\w*|ntds|lanmanserver|lanmanworkstation|termservice|docker|com\.docker\.service)(?:[ "',]|$)/i;
const ADMINS =
  /(?:^|[ "'])(?:administrators|domain admins|enterprise admins|remote desktop users)(?:[ "']|$)/i;
const ADDRESS = remoteCode({ argument: /(?:https?|javascript|vbscript):/i });
const EVERYONE = /(?:everyone|users|authenticated users|\*s-1-1-0)"?:\(?(?:\(|[^ ]{0,40}[fm]\b|$)/i;
const SYSTEM_FOLDER = /(?:^|[ "'])[a-z]:\\(?:windows|program files|users\\[^\\ ]+(?=[ "']|$))(?:\\|["' ]|$)/i;
const HIVES = String.raw`"?(?:hklm|hkey_local_machine)\\(?:sam|system|security)\b`;

/** Programs and cmdlets of Windows, in lower case. */
export const windows: readonly Row[] = [
  ['del rd remove-item ri erase', REGISTRY_PATH, { rules: [windowsRemove] }],
  ['remove-itemproperty rp clear-item', REGISTRY_PATH],
  ['clear-content', way(deletion('a system file'))({ argument: SYSTEM_FOLDER }), { rules: [windowsRemove], deletes: true, empties: true, writes: { operand: 0 } }],
  ['move ren rename-item move-item', way(moving('a system folder'))({ argument: SYSTEM_FOLDER }), { writes: 'cmdlet' }],
  ['copy xcopy copy-item', { files: ['shows', 'copies'], writes: 'cmdlet' }],
  ['set-content add-content out-file tee-object', { writes: 'cmdlet', fetches: 'input' }],
  ['new-item ni', ...setsKey(), { writes: 'cmdlet' }],
  ['set-itemproperty new-itemproperty sp', ...setsKey()],
  ['set-item', ...setsKey(), switchesOff('** {*,}wsman:*trustedhosts{*,}')],
  ['reg',
    registry('delete'),
    showsStore({ words: 'save, export', word: new RegExp(`^${HIVES}`, 'i') }),
    showsStore({ words: 'query', argument: '/{f,F}', word: /^"?(?:password|passwd|pwd|autologon)/i }),
    showsStore({ words: 'query', word: /winlogon|\\putty\\sessions|\\realvnc/i }),
    ...setsKey('add, copy, import'),
  ],
  ['get-itemproperty gp', showsStore({ argument: new RegExp(`^${HIVES}`, 'i') })],
  ['vssadmin wbadmin bcdedit', registry({ argument: /^(?:\/?delete\w*|\/set|resize)$/i })],
  ['get-process gps get-service gsv', { listsAll: '$' }],
  ['get-wmiobject gwmi get-ciminstance gcim', registry('** {*,}win32_shadowcopy{*,}')],
  ['disable-computerrestore', registry()],
  ['wmic', ADDRESS, registry('shadowcopy ** {*,}delete{*,}'), scheduled('** process call create'), scheduled({ argument: /\/node:|__eventfilter|eventconsumer/i })],
  ['hh mshta regsvr32 msiexec', ADDRESS],
  ['rundll32', ADDRESS, showsStore({ argument: /comsvcs/i, word: /minidump|#/i })],
  ['set-executionpolicy', switchesOff({ words: '** {unrestricted,bypass}', not: '** process' })],
  ['set-mppreference add-mppreference',
    switchesOff({ option: '-disable*={$,}{true,1} -exclusion* -*threatdefaultaction -mapsreporting -submitsamplesconsent' }),
    { style: 'windows' },
  ],
  ['uninstall-windowsfeature remove-windowsfeature disable-windowsoptionalfeature', switchesOff('** {*,}defender{*,}')],
  ['stop-service set-service suspend-service spsv', STOPS_WATCH, stopsService({ argument: SERVICES }), stopsService({ everything: true })],
  ['sc',
    switchesOff({ words: '{\\\\\\\\* ,}{stop,delete,config,pause}', word: new RegExp(`^"?${WATCHING}\\b`, 'i') }),
    stopsService('{\\\\\\\\* ,}{stop,delete} {",}{mssql,mysql,postgresql,spooler,w3svc,docker}{*,}'),
    scheduled('{\\\\\\\\* ,}create, {\\\\\\\\* ,}config ** {*,}binpath{*,}, {\\\\\\\\* ,}failure ** {*,}command{*,}'),
    changes('{\\\\\\\\* ,}delete'),
  ],
  [`new-service register-scheduledtask register-scheduledjob set-scheduledtask new-scheduledtask register-wmievent set-wmiinstance`, scheduled()],
  ['schtasks', scheduled({ option: '-create -change' }), registry({ words: '** {",}\\*{*,}', option: '-delete' }), { style: 'windows' }],
  ['new-scheduledtaskaction', medium(scheduled())],
  ['set-netfirewallprofile', switchesOff({ option: '-enabled={$,}{false,0}' }), { style: 'windows', long: 'enabled' }],
  ['new-netfirewallrule', medium(switchesOff({ option: '-direction=inbound', and: '-action=allow' })), { style: 'windows', long: 'direction action' }],
  ['netsh',
    switchesOff('advfirewall ** state off, firewall set opmode {mode=,}disable, advfirewall reset'),
    switchesOff({ words: 'advfirewall firewall add rule ** dir=in', word: /^action=allow$/i, lacks: /^(?:program=|localport=(?!(?:22|3389|445|598[56]|any)\b))/i }),
    hostRights('interface portproxy add'),
    showsStore('wlan ** {*,}key=clear'),
  ],
  ['auditpol', erasesTraces({ option: '-clear -success=disable -failure=disable' }), { style: 'windows' }],
  ['clear-history clear-eventlog remove-eventlog limit-eventlog', erasesTraces()],
  ['manage-bde', switchesOff({ option: '-off -delete -forcerecovery' }), { style: 'windows' }],
  ['disable-bitlocker enable-psremoting', switchesOff()],
  ['clear-recyclebin', destroys()],
  ['remove-computer reset-computermachinepassword new-localuser enable-localuser remove-localuser disable-localuser', accounts()],
  ['forfiles', way(deletion('a drive'))({ option: /^-p="?[a-z]:\\?"?$/, and: /^-c=.*\b(?:del|rd|erase|rmdir)\b/ }), { style: 'windows' }],
  [`convertto-json convertto-csv convertto-xml convertto-html out-string format-table format-list ft fl select-object sort-object`,
    { files: ['shows'], prints: 'content' },
  ],
  ['set-clipboard scb', { files: ['tells'] }],
  ['clear-variable remove-variable rv', { files: ['text'] }],
  ['compress-archive', { files: ['shows'], writes: { behind: /^-dest\w*$/i } }],
  ['remove-psdrive remove-smbmapping', changes('** {*,}\\*{*,}')],
  ['disable-pnpdevice', cutsOff('** {*,}\\*{*,}'), cutsOff({ everything: true })],
  ['unregister-scheduledtask', registry('** {*,}\\*{*,}'), registry({ everything: true }), changes()],
  ['import-module ipmo', remoteCode({ argument: /^\\\\/ })],
  ['logoff stop-computer restart-computer', stopsMachine()],
  ['sdelete sdelete64', way(diskWrite('files'))({ argument: /\w/ })],
  ['remove-windowsdriver', removesSystem()],
  ['attrib', givesRights({ word: /^[a-z]:\\\*?$/i, argument: '/{s,S}' })],
  ['get-secret get-azkeyvaultsecret get-secsecretvalue get-azaccesstoken convertfrom-securestring get-stssessiontoken', prints({ unless: '-securekey' }), { style: 'windows', long: 'securekey' }],
  ['wevtutil', erasesTraces('cl, clear-log'), switchesOff({ words: 'sl, set-log', option: '-e=false -enabled=false' }), { style: 'windows' }],
  ['set-localuser', accounts({ argument: /-password|administrator/i })],
  ['add-localgroupmember add-adgroupmember', accounts({ argument: ADMINS })],
  ['net net1',
    accounts({ words: 'localgroup, group', argument: /^\/add$/i }),
    accounts({ words: 'user', argument: /^\/(?:add$|active:yes)/i }),
    accounts('user administrator *'),
    switchesOff({ words: 'stop', word: new RegExp(`^"?${WATCHING}\\b`, 'i') }),
    stopsService('stop {",}{mssql,mysql,postgresql,spooler,w3svc,docker}{*,}'),
    givesRights({ words: 'share *=*', argument: /\/grant:everyone/i }),
  ],
  ['runas', rootShell({ option: '-user={*,}{administrator,system}{*,}' }), { style: 'windows' }],
  ['start-process saps start', rootShell({ option: '-verb=runas', word: /\b(?:powershell|pwsh|cmd)\b/i }), { style: 'windows', starts: { valued: '' } }],
  ['psexec psexec64', rootShell({ argument: /^-\w*s$/ })],
  ['icacls',
    givesRights({ argument: EVERYONE, word: /^["']?[a-z]:\\(?:windows|users|program files)?(?:[\\"']|$)/i }),
    { rules: [changeList] },
  ],
  ['takeown', givesRights({ argument: SYSTEM_FOLDER }), { rules: [changeList] }],
  ['set-acl', givesRights({ argument: SYSTEM_FOLDER })],
  ['setx', changesSettings('path'), { style: 'windows' }],
  ['cmdkey', medium(showsStore({ option: '-list' })), { style: 'windows' }],
  ['vaultcmd', showsStore({ option: '-list{*,}' }), { style: 'windows' }],
  [`mimikatz invoke-mimikatz procdump procdump64 ntdsutil secretsdump secretsdump.py lazagne get-storedcredential sharpdpapi rubeus
    invoke-kerberoast invoke-bloodhound get-gpppassword invoke-dcsync get-credentialmanager`, showsStore()],
  ['cipher', way(diskWrite('free space'))({ option: '-w={*,}' }), { style: 'windows' }],
  ['fsutil', way(diskWrite('a file system'))('file setzerodata, usn deletejournal, volume dismount')],
  ['clear-disk format-volume initialize-disk remove-partition', { rules: [diskTool], wipes: /^-\w|^\d+$/ }],
  ['taskkill',
    killsAll({ word: /^(?:(?:lsass|csrss|winlogon|services|svchost|explorer)(?:\.exe)?$|\*)/i }),
    killsAll({ option: /^-(?:im=(?:(?:lsass|csrss|winlogon|services|svchost|explorer)(?:\.exe)?$|\*)|fi="?(?:username|pid (?:ge|gt|ne)|status|memusage))/ }),
    { style: 'windows' },
  ],
  ['stop-process spps', killsAll({ everything: true }), killsAll('** {lsass,csrss,winlogon,services,svchost,explorer,\\*}')],
  ['disable-netadapter', cutsOff()],
  [`remove-aduser remove-adcomputer remove-adgroup remove-azresourcegroup remove-azvm remove-s3bucket remove-ec2instance
    remove-ec2volume remove-rdsdbinstance remove-vm remove-azstorageaccount remove-azsqldatabase remove-cluster remove-s3object
    remove-gcsbucket remove-azkeyvault remove-azadapplication remove-azaduser remove-azdisk remove-azwebapp remove-azresource
    remove-azcontainerregistry remove-azakscluster remove-azcosmosdbaccount remove-mguser remove-mailbox remove-msoluser
    remove-dnsserverzone remove-dnsserverresourcerecord remove-smbshare remove-website remove-iissite remove-webapppool
    remove-vmsnapshot remove-storagepool remove-virtualdisk remove-volume remove-ddbtable remove-lmfunction remove-cfnstack
    remove-iamuser remove-iamrole remove-sqsqueue remove-ecscluster remove-ekscluster remove-adorganizationalunit`, destroys({ unless: /^-W/ })],
  ['remove-appxpackage remove-appxprovisionedpackage', removesSystem('$'), removesSystem('** {*,}\\*{*,}'), removesSystem({ option: '-allusers' }), { style: 'windows', long: 'allusers' }],
  ['set-smbserverconfiguration', switchesOff({ option: '-enablesmb1protocol={$,}{true,1}' }), { style: 'windows', long: 'enablesmb1protocol' }],
  ['invoke-sqlcmd', { statements: true }],
  ['drop-database remove-sqldatabase', destroysData()],
];
