import {
  accounts,
  changesResources,
  changesSettings,
  cutsOff,
  deletion,
  destroysData,
  destroysResources,
  diskWrite,
  enabled,
  erasesTraces,
  givesRights,
  hostRights,
  killsAll,
  moving,
  registry,
  remoteCode,
  removesSystem,
  rootShell,
  scheduled,
  showsStore,
  stopsMachine,
  stopsService,
  switchesOff,
} from '../../dangers.ts';
import { windowsRemove } from '../../rules/filesystem.ts';
import { diskTool } from '../../rules/guarded-places.ts';
import { changeList } from '../../rules/permissions.ts';
import type { DangerousCall, Row } from '../program.ts';

/*
 * Programs and cmdlets of Windows, in lower case. Their options begin with one dash or a slash, so `line` looks at all
 * arguments as they stand.
 */

const KEY = String.raw`^(?:.*[ "'])?(?:registry::)?hk(?:lm|cu|cr|u|ey_\w+):?\\`;
const REGISTRY_PATH: DangerousCall = { line: new RegExp(KEY, 'i'), is: registry };
/** What Windows starts by itself. */
const RUN_KEYS: DangerousCall = {
  line: new RegExp(
    `${KEY}(?=.*(?:\\\\currentversion\\\\(?:run|policies\\\\explorer\\\\run)|\\\\(?:winlogon|image file execution options|silentprocessexit|active setup|command processor|appcertdlls)|\\\\currentcontrolset\\\\services\\\\|appinit_dlls|userinitmprlogonscript|\\\\shell\\\\open\\\\command|\\\\inprocserver32))`,
    'i',
  ),
  is: { ...scheduled, severity: 'critical' },
};
/** What protects Windows. */
const SAFEGUARDS: DangerousCall = {
  line: new RegExp(
    `${KEY}(?=.*(?:windows defender|\\\\control\\\\lsa|wdigest|enablelua|consentprompt|localaccounttokenfilter|fdenytsconnections|firewallpolicy|smartscreen|scriptblocklogging|\\\\amsi|disableregistrytools|disabletaskmgr|noautoupdate))`,
    'i',
  ),
  is: switchesOff,
};
const SETS_KEY = [RUN_KEYS, SAFEGUARDS];

const WATCHING =
  '(?:windefend|mpssvc|wscsvc|sense|wdnissvc|wuauserv|eventlog|mssecflt|securityhealthservice|sysmon\\w*|vss|wbengine|windows (?:defender|firewall|update))';
const STOPS_WATCH: DangerousCall = {
  line: new RegExp(`(?:^|[ "'=,])${WATCHING}(?:[ "',]|$)`, 'i'),
  is: switchesOff,
};
/** What others use as long as it runs. */
const SERVICES =
  /(?:^|[ "'=,])(?:sshd|mssql\S*|sqlserver\S*|mysql\d*|postgresql\S*|mongodb|redis|w3svc|iisadmin|spooler|dns|dhcp\w*|ntds|lanmanserver|lanmanworkstation|termservice|docker|com\.docker\.service)(?:[ "',]|$)|\ue003/i;
const ADMINS =
  /(?:^|[ "'])(?:administrators|domain admins|enterprise admins|remote desktop users)(?:[ "']|$)/i;
const ADDRESS: DangerousCall = { line: /(?:https?|javascript|vbscript):/i, is: remoteCode };
const EVERYONE = /(?:everyone|users|authenticated users|\*s-1-1-0)"?:\(?(?:\(|[^ ]*[fm]\b|$| )/i;
const SYSTEM_FOLDER = /(?:^|[ "'])[a-z]:\\(?:windows|program files|users\\[^\\ ]+(?=[ "']|$))(?:\\|["' ]|$)/i;
const HIVES = /^"?(?:hklm|hkey_local_machine)\\(?:sam|system|security)\b/i;

// biome-ignore format: a table has its rows in lines
export const windows: readonly Row[] = [
  ['del rd remove-item ri erase', { rules: [windowsRemove], dangers: [REGISTRY_PATH] }],
  ['remove-itemproperty rp', { dangers: [REGISTRY_PATH] }],
  ['clear-item', { dangers: [REGISTRY_PATH] }],
  ['clear-content', { deletes: true, writes: { operand: 0 }, empties: true, rules: [windowsRemove], dangers: [{ line: SYSTEM_FOLDER, is: deletion('a system file') }] }],
  ['move ren rename-item move-item', { dangers: [{ line: SYSTEM_FOLDER, is: moving('a system folder') }], writes: 'cmdlet' }],
  ['copy xcopy copy-item', { files: ['shows', 'copies'], writes: 'cmdlet' }],
  ['set-content add-content out-file tee-object', { writes: 'cmdlet', fetches: 'input' }],
  ['new-item ni', { writes: 'cmdlet', dangers: SETS_KEY }],
  ['set-itemproperty new-itemproperty sp', { dangers: SETS_KEY }],
  ['set-item', { dangers: [...SETS_KEY, { line: /^(?=.*wsman:)(?=.*trustedhosts)/i, is: switchesOff }] }],
  ['reg', { dangers: [
      { line: /^delete\b/i, is: registry },
      { line: /^(?:save|export) "?(?:hklm|hkey_local_machine)\\(?:sam|system|security)\b/i, is: showsStore },
      { line: /^query .*\/f "?(?:password|passwd|pwd|autologon)/i, is: showsStore },
      { line: /^query .*(?:winlogon|\\putty\\sessions|\\realvnc)/i, is: showsStore },
      ...SETS_KEY.map((way) => ({ ...way, line: new RegExp(`^(?:add|copy|import) (?=${way.line?.source.slice(1)})`, 'i') })),
    ] }],
  ['get-itemproperty gp', { dangers: [{ line: HIVES, is: showsStore }] }],
  ['vssadmin wbadmin bcdedit', { dangers: [{ line: /(?:^| )(?:\/?delete\w*|\/set|resize)(?: |$)/i, is: registry }] }],
  ['get-process gps get-service gsv', { listsAll: /^$/ }],
  ['get-wmiobject gwmi get-ciminstance gcim', { dangers: [{ line: /win32_shadowcopy/i, is: registry }] }],
  ['disable-computerrestore', { dangers: [{ is: registry }] }],
  ['wmic', { dangers: [ADDRESS, { line: /^shadowcopy .*delete/i, is: registry }, { line: /process call create|\/node:|__eventfilter|eventconsumer/i, is: scheduled }] }],
  ['hh mshta regsvr32 msiexec', { dangers: [ADDRESS] }],
  ['rundll32', { dangers: [ADDRESS, { line: /comsvcs(?:\.dll)?,? *(?:minidump|#)/i, is: showsStore }] }],
  ['set-executionpolicy', { dangers: [{ line: /^(?!.*-scope process)(?:.* )?(?:unrestricted|bypass)(?: |$)/i, is: switchesOff }] }],
  ['set-mppreference add-mppreference', { dangers: [{ line: /-disable\w+[ :]+(?:\$?true|1)|-exclusion|-\w*threatdefaultaction|-mapsreporting|-submitsamplesconsent/i, is: switchesOff }] }],
  ['uninstall-windowsfeature remove-windowsfeature disable-windowsoptionalfeature', { dangers: [{ line: /defender/i, is: switchesOff }] }],
  ['stop-service set-service suspend-service spsv', { dangers: [STOPS_WATCH, { line: SERVICES, is: stopsService }] }],
  ['sc', { dangers: [
      { line: new RegExp(`^(?:\\\\\\\\\\S+ )?(?:stop|delete|config|pause) "?${WATCHING}\\b`, 'i'), is: switchesOff },
      { line: /^(?:\\\\\S+ )?(?:stop|delete) "?(?:mssql\S*|mysql\S*|postgresql\S*|spooler|w3svc|docker)/i, is: stopsService },
      { line: /^(?:\\\\\S+ )?(?:create|config\b.*binpath|failure\b.*command)/i, is: scheduled },
      { line: /^(?:\\\\\S+ )?delete\b/i, is: changesResources },
    ] }],
  ['new-service', { dangers: [{ is: scheduled }] }],
  ['schtasks', { dangers: [{ line: /^\/(?:create|change)\b/i, is: scheduled }, { line: /^\/delete\b.*\/tn "?\*/i, is: registry }] }],
  ['register-scheduledtask register-scheduledjob set-scheduledtask new-scheduledtask register-wmievent set-wmiinstance', { dangers: [{ is: scheduled }] }],
  ['new-scheduledtaskaction', { dangers: [{ is: { ...scheduled, severity: 'medium' } }] }],
  ['set-netfirewallprofile', { dangers: [{ line: /-enabled[ :]+(?:\$?false|0)/i, is: switchesOff }] }],
  ['new-netfirewallrule', { dangers: [{ line: /^(?=.*-direction inbound)(?=.*-action allow)/i, is: { ...switchesOff, severity: 'medium' } }] }],
  ['netsh', { dangers: [
      { line: /^(?:advfirewall\b.*state off|firewall set opmode (?:mode=)?disable|advfirewall reset)/i, is: switchesOff },
      { line: /^advfirewall firewall add rule (?=.*dir=in)(?=.*action=allow)(?!.*localport=(?!22\b|3389|445|598[56]|any))(?!.*program=)/i, is: switchesOff },
      { line: /^interface portproxy add\b/i, is: hostRights },
      { line: /^wlan\b.*key=clear/i, is: showsStore },
    ] }],
  ['auditpol', { dangers: [{ line: /^\/clear|\/(?:success|failure):disable/i, is: erasesTraces }] }],
  ['clear-history', { dangers: [{ is: erasesTraces }] }],
  ['manage-bde', { dangers: [{ line: /^-(?:off|delete|forcerecovery)\b/i, is: switchesOff }] }],
  ['disable-bitlocker', { dangers: [{ is: switchesOff }] }],
  ['clear-recyclebin', { dangers: [{ is: destroysResources }] }],
  ['uninstall-package uninstall-module', { dangers: [{ line: /(?:^|[ "'])\*(?:[ "']|$)/, is: removesSystem }] }],
  ['remove-computer reset-computermachinepassword', { dangers: [{ is: accounts }] }],
  ['forfiles', { dangers: [{ line: /^(?=.*\/p "?[a-z]:\\?"?(?: |$))(?=.*\b(?:del|rd|erase|rmdir)\b)/i, is: deletion('a drive') }] }],
  ['convertto-json convertto-csv convertto-xml convertto-html out-string format-table format-list ft fl select-object sort-object', { files: ['shows'], prints: 'content' }],
  ['set-clipboard scb', { files: ['tells'] }],
  ['clear-variable remove-variable rv', { files: ['text'] }],
  ['compress-archive', { files: ['shows'], writes: { behind: /^-dest\w*$/i } }],
  ['remove-psdrive remove-smbmapping', { dangers: [{ line: /\*/, is: changesResources }] }],
  ['disable-windowserrorreporting disable-pnpdevice', { dangers: [{ line: /\ue003|\*/, is: cutsOff }] }],
  ['unregister-scheduledtask', { dangers: [{ line: /\*|\ue003/, is: registry }, { is: changesResources }] }],
  ['import-module ipmo', { dangers: [{ line: /(?:^| )\\\\/, is: remoteCode }] }],
  ['logoff', { dangers: [{ is: stopsMachine }] }],
  ['sdelete sdelete64', { dangers: [{ line: /\w/, is: diskWrite('files') }] }],
  ['winget choco scoop', { dangers: [{ line: /^uninstall (?:--all|all|\*)/i, is: removesSystem }] }],
  ['remove-windowsdriver', { dangers: [{ is: removesSystem }] }],
  ['attrib', { dangers: [{ line: /^(?=.*[a-z]:\\\*?(?: |$))(?=.*\/s)/i, is: givesRights }] }],
  ['get-secret get-azkeyvaultsecret get-secsecretvalue get-azaccesstoken convertfrom-securestring get-stsessiontoken', { printsSecret: [{ line: /-asplaintext|^-secretid|^(?!-)/i }, { line: /^(?!.*-securekey)/i }] }],
  ['wevtutil', { dangers: [{ line: /^(?:cl|clear-log)\b/i, is: erasesTraces }, { line: /^(?:sl|set-log)\b.*\/e:false/i, is: switchesOff }] }],
  ['clear-eventlog remove-eventlog limit-eventlog clear-winevent', { dangers: [{ is: erasesTraces }] }],
  ['new-localuser enable-localuser', { dangers: [{ is: accounts }] }],
  ['set-localuser', { dangers: [{ line: /-password|administrator/i, is: accounts }] }],
  ['add-localgroupmember add-adgroupmember', { dangers: [{ line: ADMINS, is: accounts }] }],
  ['net net1', { dangers: [
      { line: /^(?:localgroup|group) .*\/add(?: |$)/i, is: accounts },
      { line: /^user (?:.*\/add(?: |$)|.*\/active:yes|administrator \S)/i, is: accounts },
      { line: new RegExp(`^stop "?${WATCHING}\\b`, 'i'), is: switchesOff },
      { line: /^stop "?(?:mssql\S*|mysql\S*|postgresql\S*|spooler|w3svc|docker)/i, is: stopsService },
      { line: /^share \S+=\S*.*\/grant:everyone/i, is: givesRights },
    ] }],
  ['runas', { dangers: [{ line: /\/user:\S*(?:administrator|system)/i, is: rootShell }] }],
  ['start-process saps start', { starts: { valued: '' }, dangers: [{ line: /^(?=.*-verb "?runas)(?=.*\b(?:powershell|pwsh|cmd)\b)/i, is: rootShell }] }],
  ['psexec psexec64', { dangers: [{ line: /(?:^| )-\w*s(?: |$)/, is: rootShell }] }],
  ['enable-psremoting', { dangers: [{ is: switchesOff }] }],
  ['icacls', { rules: [changeList], dangers: [{ line: new RegExp(`^(?=.*${EVERYONE.source})(?=(?:.*[ "'])?[a-z]:\\\\(?:windows|users|program files)?[\\\\"' ])`, 'i'), is: givesRights }] }],
  ['takeown', { rules: [changeList], dangers: [{ line: SYSTEM_FOLDER, is: givesRights }] }],
  ['set-acl', { dangers: [{ line: SYSTEM_FOLDER, is: givesRights }] }],
  ['setx', { dangers: [{ line: /^path ?"?"?(?: |$)|^path\b.*\/m\b/i, is: changesSettings }] }],
  ['cmdkey', { dangers: [{ line: /^\/list/i, is: { ...showsStore, severity: 'medium' } }] }],
  ['vaultcmd', { dangers: [{ line: /^\/list/i, is: showsStore }] }],
  ['mimikatz invoke-mimikatz procdump procdump64 ntdsutil secretsdump secretsdump.py lazagne get-storedcredential sharpdpapi rubeus', { dangers: [{ is: showsStore }] }],
  ['cipher', { dangers: [{ line: /^\/w:/i, is: diskWrite('free space') }] }],
  ['fsutil', { dangers: [{ line: /^(?:file setzerodata|usn deletejournal|volume dismount)/i, is: diskWrite('a file system') }] }],
  ['clear-disk format-volume initialize-disk remove-partition', { rules: [diskTool], wipes: /^-\w|^\d+$/ }],
  ['stop-computer restart-computer', { dangers: [{ is: stopsMachine }] }],
  ['taskkill', { dangers: [{ line: /(?:^| )(?:lsass|csrss|winlogon|services|svchost|explorer)(?:\.exe)?(?: |$)|\/fi "?(?:username|pid (?:ge|gt|ne)|status|memusage)|\/im \*/i, is: killsAll }] }],
  ['stop-process spps', { dangers: [{ line: /\ue003/, is: killsAll }, { line: /(?:^| )(?:lsass|csrss|winlogon|services|svchost|explorer|\*)(?: |$)/i, is: killsAll }] }],
  ['disable-netadapter', { dangers: [{ is: cutsOff }] }],
  ['remove-aduser remove-adcomputer remove-adgroup remove-azresourcegroup remove-azvm remove-s3bucket remove-ec2instance remove-ec2volume remove-rdsdbinstance remove-vm remove-azstorageaccount remove-azsqldatabase remove-cluster remove-s3object remove-gcsbucket remove-azkeyvault remove-azadapplication remove-azaduser remove-azdisk remove-azwebapp remove-azresource remove-azcontainerregistry remove-azakscluster remove-azcosmosdbaccount remove-mguser remove-mailbox remove-msoluser remove-dnsserverzone remove-dnsserverresourcerecord remove-smbshare remove-website remove-iissite remove-webapppool remove-vmsnapshot remove-storagepool remove-virtualdisk remove-volume remove-ddbtable remove-lmfunction remove-cfnstack remove-iamuser remove-iamrole remove-sqsqueue remove-ecscluster remove-ekscluster remove-adorganizationalunit', { dangers: [{ unless: /^-W/, is: destroysResources }] }],
  ['remove-appxpackage remove-appxprovisionedpackage', { dangers: [{ line: /^(?:-\w+)?$|\*|-allusers/i, is: removesSystem }] }],
  ['remove-localuser disable-localuser', { dangers: [{ is: accounts }] }],
  ['set-smbserverconfiguration', { dangers: [{ line: /enablesmb1protocol \$?(?:true|1)/i, is: switchesOff }] }],
  ['invoke-kerberoast invoke-bloodhound get-gpppassword invoke-dcsync get-credentialmanager', { dangers: [{ is: showsStore }] }],
  ['invoke-sqlcmd', { statements: true }],
  ['drop-database remove-sqldatabase', { dangers: [{ is: destroysData }] }],
  ['set-alias sal', { dangers: [{ line: /^(?:-name )?(?:git|ls|cd|npm|ssh|sudo)\b/i, is: { ...enabled, severity: 'low' } }] }],
];
