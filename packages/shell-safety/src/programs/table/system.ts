import { shellOnSocket } from '../../rules/backdoors.ts';
import { diskTool } from '../../rules/devices.ts';
import { debuggerDump } from '../../rules/editor-commands.ts';
import { destroyFile, find, remove, removesToo, windowsRemove } from '../../rules/filesystem.ts';
import { disabledHook, releases, skipsToo, uninstalled } from '../../rules/git-hooks.ts';
import { access } from '../../rules/guarded-places.ts';
import { destroysResources } from '../../rules/infrastructure.ts';
import {
  attacks,
  changesSettings,
  erasesTraces,
  givesRights,
  registry,
  removesSystem,
  scheduled,
  stopsMachine,
  stopsService,
  switchesOff,
} from '../../rules/machine.ts';
import { changeList, changeMode, changeOwner, givenMode } from '../../rules/permissions.ts';
import { remoteCode } from '../../rules/remote-code.ts';
import { printsSecret, showsStore } from '../../rules/secret-output.ts';
import type { DangerousCall, Row } from '../program.ts';

/** Code that anybody on the way may have changed. */
const PLAIN_HTTP: DangerousCall = {
  line: /(?:^|[ =+])http:\/\/(?!localhost|127\.|0\.0\.0\.0|\[::1\]|10\.|192\.168\.|[\w-]+[:/])/,
  is: remoteCode,
};

/** A variable that holds a secret. */
const SECRET_NAME = /(?:TOKEN|SECRET|PASSW\w*|API_?KEY|ACCESS_KEY(?:_ID)?)(?: |$)/;

/** All that a package manager lists. */
const REMOVES_ALL: DangerousCall = {
  line: /^(?=(?:.* )?(?:uninstall|remove|rm|purge)(?: |$))(?=.*\ue003)/,
  is: removesSystem,
};

/** Programs of the system, and whatever else names, uses or prints files. */
// biome-ignore format: a table has its rows in lines
export const system: readonly Row[] = [
  ['echo write-output write-host', { files: ['text'], prints: 'echo' }],
  ['printf', { files: ['text'], prints: 'printf' }],
  ['print local readonly alias read say logger notify-send [[ info apropos whereis tldr help function return trap expr zstyle bindkey setopt unsetopt autoload compdef shopt', { files: ['text'] }],
  ['declare typeset', { printsSecret: [{ words: SECRET_NAME, option: '-p' }], variables: true, files: ['text'] }],
  ['export', { dangers: [{ line: /(?:^| )(?:HISTFILE=(?:\/dev\/null)?|HIST(?:FILE)?SIZE=0)(?: |$)/, is: erasesTraces }], variables: true, files: ['text'] }],
  ['unset', { files: ['text'], dangers: [{ line: /(?:^| )HIST(?:FILE|SIZE|CONTROL)?(?: |$)/, is: erasesTraces }] }],
  ['which', { files: ['text'], prints: 'operands' }],
  ['exit', { files: ['text'], prints: 'nothing' }],
  ['set', { dangers: [{ line: /^\+o history$/, is: erasesTraces }], variables: 'alone', files: ['text'], noOutput: true }],
  ['[ test', { files: ['text'], noOutput: true }],
  ['seq', { files: ['text'], namesPrograms: true, prints: 'numbers' }],
  ['complete bind', { files: ['text'], namesPrograms: true }],
  ['jira', { files: ['text', 'tells'] }],
  ['ls', { files: ['uses', 'names'], prints: 'listing' }],
  ['ll dir stat pushd popd df sha1sum sha512sum cksum tree restorecon chcon getfacl inotifywait', { files: ['uses', 'names'] }],
  ['chgrp', { files: ['uses', 'names'], rules: [changeOwner] }],
  ['mkdir', { files: ['uses', 'names'], rules: [givenMode] }],
  ['rmdir', { deletes: true, files: ['uses', 'names'], empties: true, rules: [destroyFile, windowsRemove] }],
  ['unlink', { deletes: true, files: ['uses', 'names'], empties: true, rules: [remove, destroyFile], writes: 'operands' }],
  ['cd', { files: ['uses', 'names'], prints: 'nothing' }],
  ['basename dirname realpath readlink', { files: ['uses', 'names'], prints: 'operands' }],
  ['fd fdfind', { files: ['uses', 'names'], rules: [find], starter: 'fd' }],
  ['locate', { files: ['uses', 'names'], prints: 'anywhere' }],
  ['setfacl', { files: ['uses', 'names'], rules: [changeList] }],
  ['getent', { dangers: [{ words: 'gshadow, shadow', is: showsStore }], files: ['uses', 'names'], prints: 'accounts' }],
  ['file', { files: ['uses'], namesPrograms: true, lists: '-f -m --files-from --magic-file' }],
  ['chmod', { valued: 'reference', dangers: [{ line: /^(?=(?:\S+ )?(?:[augo]*-\w*x|0?[0-6]{3}) )(?=.*\.(?:claude|cursor|codex|gemini)\/hooks\/)/, is: switchesOff }], files: ['uses', 'names'], harmful: true, rules: [changeMode, disabledHook] }],
  ['chown', { valued: 'reference from', files: ['uses', 'names'], harmful: true, rules: [changeOwner] }],
  ['shred', { valued: 'n s size iterations random-source', deletes: true, files: ['uses', 'names'], harmful: true, empties: true, rules: [destroyFile, diskTool], writes: 'operands' }],
  ['rm', { deletes: true, files: ['uses', 'names'], namesPrograms: true, harmful: true, rules: [remove, disabledHook], dangers: [{ line: /(?:^| )(?:registry::)?hk(?:lm|cu|cr|u|ey_\w+):?\\/i, is: registry }], writes: 'operands' }],
  ['find bfs', { files: ['uses', 'names'], namesPrograms: true, harmful: true, rules: [find, disabledHook], prints: 'found', starter: 'find', writes: { behind: '-f{print{0,},printf,ls}' } }],
  ['ssh-add', { files: ['uses', 'feeds'] }],
  ['keytool', { files: ['uses'], printsSecret: [{ option: '--rfc' }, { words: /./, option: '--importkeystore' }], oneDash: true }],
  ['ssh-keygen', { files: ['uses', 'feeds'], noOutput: true, valued: 't b C N P m f', printsSecret: [{ line: /^(?=.*(?:^| )-e(?: |$))(?=.*(?:pem|pkcs8))/i }], dangers: [{ line: /(?:^| )-f ?\S*\.ssh\/id_/, terminal: false, is: changesSettings }, { line: /^(?=(?:.* )?-p(?: |$))(?=.* -N ?(?: |$))/, is: switchesOff }] }],
  ['ssh-copy-id', { files: ['uses'], dangers: [{ line: /(?:@|^|[ /])(?:localhost|127\.0\.0\.1|::1)(?: |$)/, is: access }] }],
  ['sshfs source . k9s kubectx mkcert certbot nginx age-keygen env-cmd', { files: ['uses'] }],
  ['ansible', { files: ['uses'], carries: { ansible: true } }],
  ['ssh-keyscan', { files: ['uses'], lists: '-f' }],
  ['du', { files: ['uses', 'names'], lists: '--files0-from', prints: 'operands' }],
  ['md5sum sha256sum', { files: ['uses', 'names', 'feeds'] }],
  ['wc', { files: ['uses', 'feeds'], lists: '--files0-from' }],
  ['node nodejs tsx ts-node zx', { files: ['uses'], harmful: true, prompts: true, prints: 'code', runs: { code: 'ep', long: '--eval --print -pe', verbs: 'run', valued: '-r --require --import --loader --experimental-loader -C --conditions --env-file --input-type --stack-trace-limit --inspect-port' }, forms: 'javascript' }],
  ['go', { files: ['uses'], namesPrograms: true, runs: { verbs: 'run' }, forms: 'compiled' }],
  ['id', { files: ['uses', 'names'], namesPrograms: true }],
  ['xargs', { files: ['uses'], harmful: true, lists: '-a --arg-file', starter: 'xargs' }],
  ['bash sh zsh dash ash fish ksh mksh rbash csh tcsh yash posh rc es sash bosh oksh loksh osh ysh elvish nu xonsh ion', { files: ['uses'], harmful: true, noOutput: true, rules: [shellOnSocket], prints: 'shell', runs: 'shell' }],
  ['chattr', { files: ['names'], rules: [changeList] }],
  ['lsattr lsof aide tripwire pwck grpck pwconv', { files: ['names'] }],
  ['while for', { files: ['feeds'] }],
  ['puttygen', { files: ['uses'], printsSecret: [{ line: /^(?=.*-O (?:private|text))(?=.*\/dev\/stdout|(?!.* -o ))/ }] }],
  ['date', { lists: '-f --file', dangers: [{ line: /^(?:-u )?(?:(?:-s|--set)[ =]?\S|\d{8,12}(?:\.\d\d)?$)/, is: stopsMachine }] }],
  ['osascript', { runs: { code: 'e' }, dangers: [
      { line: /\b(?:shut down|restart|log out|sleep)\b/i, is: stopsMachine },
      { line: /\bmake\b.{0,40}\blogin item\b/i, is: scheduled },
      { line: /\bempty\b.{0,40}\btrash\b/i, is: destroysResources },
      { line: /\bthe clipboard\b|\bhidden answer\b/i, is: printsSecret },
    ] }],
  ['pbpaste wl-paste get-clipboard gcb', { variables: /(?:)/ }],
  ['screencapture scrot grim import gnome-screenshot maim spectacle', { dangers: [{ is: { ...showsStore, severity: 'medium' } }] }],
  ['compgen', { namesPrograms: true, variables: /^(?:-[ev]|-A variable)/ }],
  ['claude codex gemini', { files: ['tells'], dangers: [{ option: /^--(?:dangerously-\S+|yolo|approval-mode=yolo|full-auto)$/, is: switchesOff }, { words: 'mcp add, mcp add-json, mcp add-from, config set, plugin add, plugin install, hooks add, permissions', is: changesSettings }] }],
  ['slack wall write llm ollama', { files: ['tells'] }],
  ['snap', { namesPrograms: true, dangers: [REMOVES_ALL], listsAll: /^list\b/ }],
  ['flatpak', { namesPrograms: true, dangers: [REMOVES_ALL, { words: 'uninstall, remove', option: '--all', is: removesSystem }], listsAll: /^list\b/ }],
  ['brew', { namesPrograms: true, dangers: [{ line: /^(?:re)?install (?:\S+ )*https?:\/\//, is: remoteCode }, REMOVES_ALL, { words: 'services stop', option: '--all', is: stopsService }, { words: /^services stop (?:postgres|mysql|mariadb|mongodb|redis|rabbitmq|kafka|nginx|httpd)/, is: stopsService }], listsAll: /^(?:list|ls|leaves)\b/ }],
  ['apt-cache aptitude port pgrep ninja alternatives hash ldd pidof', { namesPrograms: true }],
  ['pip pip3', { namesPrograms: true, dangers: [PLAIN_HTTP, REMOVES_ALL, { line: /^(?=(?:.* )?config set )(?=.*(?:index-url ['"]?http:|trusted-host))/, is: changesSettings }], listsAll: /^freeze\b/ }],
  ['composer', { namesPrograms: true, dangers: [PLAIN_HTTP] }],
  ['make', { namesPrograms: true, runs: 'make', carries: { patterns: [/^SHELL=(.+)$/gs] } }],
  ['cmake', { namesPrograms: true, rules: [removesToo], removes: { when: /^-E (?:rm|remove_directory)\b/, from: 1 } }],
  ['update-alternatives', { namesPrograms: true, writes: { behind: '--install' }, dangers: [{ line: /(?:^| )(?:--install \S+ \S+|--set \S+) \/(?:tmp|var\/tmp|dev\/shm|home)\//, is: changesSettings }] }],
  ['sleep true false', { namesPrograms: true, prints: 'nothing' }],
  ['ps', { namesPrograms: true, noOutput: true, listsAll: /^(?:-?(?:aux|ef|A|e|ax)w*|-(?:e|A)?\w*o ?pid\S*|-[eA] -o \S*pid\S*)$/, dangers: [{ line: /^(?:a?u?x?e(?:u?x?w*)|[aux]{1,3}w{1,3}e|e[w]{1,3}|[auxw]{0,6}e[auxw]{0,6} .*\S)$/, is: printsSecret }] }],
  ['wipefs', { harmful: true, rules: [diskTool], looks: '-n --no-act -J' }],
  ['fping', { lists: '-f --file' }],
  ['nmap', { dangers: [{ line: /^(?=.*(?:\/\d+|--script|-s[SUA]|-A))/, is: attacks }], lists: '-iL --excludefile', writes: { behind: /^-o[NGXAS]$/ } }],
  ['dialog', { lists: '--{textbox,tailbox,editbox}' }],
  ['whiptail', { lists: '--{textbox,scrolltext}' }],
  ['lua irb jruby pry luajit texlua raku ghc ocaml yosys lein', { prompts: true, prints: 'code', runs: { code: 'e' } }],
  ['tclsh wish', { prompts: true, runs: { compiles: true }, forms: 'tcl' }],
  ['julia', { prompts: true, runs: { code: 'e' }, forms: 'julia' }],
  ['gdb', { dangers: [{ line: /^(?=(?:.* )?(?:-p|--pid|attach)[= ]?)(?=.*\b(?:system|execve?|dlopen|dup2)\s?\()/, is: givesRights }], prompts: true, told: true, rules: [debuggerDump], runs: 'carried', carries: { patterns: [/^(?:shell|!|platform shell)\s*(.+)$/gs] } }],
  ['tcpdump', { captures: true, carries: { behind: '-z' }, dangers: [{ option: '-A -X', unless: /^-c/, is: { ...showsStore, severity: 'medium' } }] }],
  ['tshark dumpcap tcpflow', { captures: true }],
  ['mount', { noOutput: true, writes: 'bound', dangers: [{ line: /^(?=(?:.* )?-o (?:\S+,)?remount)(?=.* \/$)/, is: stopsMachine }, { line: /^(?=(?:.* )?(?:--r?bind|-o (?:\S+,)?r?bind)(?: |$))(?=.* \/(?:etc|usr|bin|sbin|lib\w*|boot|root|home|var)?\/?$)/, is: stopsMachine }] }],
  ['umount', { noOutput: true, dangers: [{ line: /^(?:-\w+ )*(?:-\w*a\w*|\/|\/home|\/usr|\/var)$/, is: stopsMachine }] }],
  ['top free vmstat ss', { noOutput: true }],
  ['lsblk', { noOutput: true, prints: 'disks' }],
  ['lldb', { told: true, rules: [debuggerDump], runs: 'carried', carries: { patterns: [/^(?:shell|!|platform shell)\s*(.+)$/gs] } }],
  ['tasksh', { told: true, carries: { patterns: [/^!\s*(.+)$/gs] } }],
  ['yadm dotfiles', { rules: [skipsToo] }],
  ['husky pre-commit lefthook overcommit', { rules: [uninstalled] }],
  ['lerna standard-version commit-and-tag-version release-it semantic-release changeset np bumpp cz git-cz', { rules: [releases] }],
  ['parallel', { starter: 'parallel' }],
  ['printenv', { variables: true, prints: 'variable' }],
  ['security', { dangers: [{ words: /^(?:dump-keychain|find-\w+-password|export)\b/, is: showsStore }] }],
];
