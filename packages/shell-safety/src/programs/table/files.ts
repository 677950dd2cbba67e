import { awkCode } from '../../code/code.ts';
import {
  backdoor,
  changesResources,
  destroysResources,
  erasesTraces,
  fillsUp,
  forkingLoop,
  hostRights,
  opensTunnel,
  showsStore,
  stopsMachine,
  wipesContainers,
} from '../../dangers.ts';
import { moveAway, remove, removesToo } from '../../rules/filesystem.ts';
import { disabledHook } from '../../rules/git-hooks.ts';
import { editor } from '../../rules/guarded-places.ts';
import { givenMode } from '../../rules/permissions.ts';
import { servesFolder } from '../../rules/sensitive-files.ts';
import type { DangerousCall, Program, Row } from '../program.ts';

/** A search through a home or the whole machine for what keys and passwords begin with. */
const SEARCHES_SECRETS: DangerousCall = {
  line: /^(?=.*(?:PRIVATE KEY|AKIA|ghp_|xox[bp]|sk-ant|aws_(?:secret|access)|secret_?(?:access_)?key|api_?key|passw(?:or)?d|private_?key|credentials|bearer))(?=.* (?:\/|~|\/(?:home|Users)(?:\/[\w.-]+)?|\/(?:etc|root|var|opt|srv))\/?(?: |$))/i,
  option: '-r -R --recursive -u -uu --hidden --no-ignore -l --files-with-matches',
  is: showsStore,
};

/** Names of projects, files and volumes that are there to be thrown away. */
const TESTS = '(?!(?:.*[\\W_])?(?:test\\w*|ci|e2e|spec|tmp)(?:$|[\\W_]))';

/** Folders of this machine, and options, with which a container can do there what root can. */
const HOST_RIGHTS = [
  '--privileged(?:=true)?(?: |$)',
  '--(?:pid|userns|ipc)[= ]host(?: |$)',
  '--cap-add[= ](?:CAP_)?(?:ALL|SYS_ADMIN|SYS_MODULE|SYS_RAWIO|SYS_PTRACE|DAC_READ_SEARCH|DAC_OVERRIDE|BPF)(?: |$)',
  '--security-opt[= ]\\S*unconfined',
  '--device[= ]/dev/(?:[shv]d|xvd|nvme|dm-|mapper|k?mem)',
  '(?:-\\w*v|--volume)[= ]?(?:/|/(?:etc|root|boot|proc|sys|dev|usr|bin|lib|home|var|var/run|var/lib|var/lib/docker|var/lib/kubelet)/?|\\S*/(?:docker|podman|containerd|crio)\\.sock):',
  '--mount[= ](?:\\S*,)?(?:source|src)=(?:/|/(?:etc|root|boot|proc|sys|dev|usr|home|var|var/run)/?|\\S*\\.sock)(?:,|$)',
].join('|');

/** What docker and its like delete by the lot, and give away. */
const CONTAINERS: Program = {
  variables:
    /^(?:\S+ ){0,3}inspect (?=.*(?:-f|--format))(?=.*\.Env\b)|^(?:compose )?(?:-\S+ (?:[^-\s]\S* )?)*config(?: -o| --(?:format|environment|output))*(?: \S+)?$/,
  dryRun: '--help --dry-run',
  printsSecret: [{ words: 'swarm join-token, secret inspect' }],
  dangers: [
    { line: /^(?=(?:.* )?system prune(?: |$))(?=.* (?:-\w*a|--all|--volumes))/, is: wipesContainers },
    {
      line: /^(?=(?:.* )?(?:volume prune|system reset)(?: |$))(?!.*--filter(?!.*\ball=(?:1|true)))/,
      is: wipesContainers,
    },
    { line: /^(?=(?:.* )?(?:rmi?|remove|stop|kill)(?: |$))(?=.*\ue003)/, is: wipesContainers },
    {
      line: new RegExp(
        `^(?:-\\S+ |[^-\\s]\\S* (?=exec|run|create))*(?:exec|run|create) (?:.* )?(?:${HOST_RIGHTS})`,
      ),
      is: hostRights,
    },
    {
      words: 'stack rm, stack leave, service rm, service leave, swarm rm, swarm leave',
      is: destroysResources,
    },
    {
      line: new RegExp(
        `^volume (?:rm|remove) ${TESTS}(?=.*(?<![a-zA-Z0-9])(?:prod\\w*|pg\\w*|postgres\\w*|mysql\\w*|mariadb\\w*|mongo\\w*|db)(?![a-z]))`,
      ),
      is: wipesContainers,
    },
    // On another machine.
    {
      line: /^(?:-H|-c|--host|--context)[= ]\S*(?:prod|live|:\/\/)\S* volume (?:rm|remove)\b/,
      is: wipesContainers,
    },
    { words: 'volume rm, volume remove', is: changesResources },
    {
      words:
        'secret rm, secret remove, config rm, config remove, context rm, context remove, plugin rm, plugin remove',
      is: destroysResources,
    },
    { line: /^(?:\S+ )*rm (?=.*-\w*v)(?=.*\ue003)/, is: wipesContainers },
    { words: 'node rm', option: '-f --force', is: destroysResources },
    { words: 'machine rm, machine reset, pod rm', option: '-a --all', is: wipesContainers },
    { words: 'machine rm, machine reset', option: '-f --force', is: wipesContainers },
    { words: 'system prune', is: changesResources },
    {
      words: 'image prune, builder prune, container prune, network prune, buildx prune',
      is: changesResources,
    },
  ],
};
const COMPOSE: DangerousCall = {
  line: new RegExp(
    `^${TESTS}(?=(?:.* )?(?:down(?: |$)|rm(?: -\\S+)*(?: db| \\w*(?:postgres|mysql|mongo)\\w*)?$))(?=.* (?:-\\w*v\\w*|--volumes)(?: |$))`,
  ),
  is: wipesContainers,
};
const DOCKER: Program = {
  ...CONTAINERS,
  dangers: [
    ...(CONTAINERS.dangers ?? []),
    {
      line: new RegExp(
        `^${TESTS}(?=(?:.* )?compose )(?=(?:.* )?(?:down(?: |$)|rm(?: -\\S+)*(?: db| \\w*(?:postgres|mysql|mongo)\\w*)?$))(?=.* (?:-\\w*v\\w*|--volumes)(?: |$))`,
      ),
      is: wipesContainers,
    },
  ],
};
const PODMAN: Program = {
  ...DOCKER,
  dangers: [
    ...(DOCKER.dangers ?? []),
    { line: /^(?=(?:.* )?(?:rmi?|remove)(?: |$))(?=.* (?:-\w*a\w*|--all)(?: |$))/, is: wipesContainers },
  ],
};

/** Commands that a program of awk starts, or prints into a shell. */
const IN_AWK = [
  /\b\w+\s*=\s*"((?:[^"\\]|\\.)*)"(?=[\s\S]{0,200}\bsystem\s*\(\s*\w)/g,
  /\bsystem\s*\(\s*"((?:[^"\\]|\\.)*)"/g,
  /(?<!\\)"((?:[^"\\]|\\.)*)"\s*\|\s*getline/g,
  /\|\s*"((?:[^"\\]|\\.)*)"/g,
  /\bprintf?\s+"((?:[^"\\]|\\.)*)"\s*\|\s*"(?:\/bin\/)?(?:ba|z|da|k)?sh\b/g,
];

const VI_COMMANDS = {
  patterns: [/^\+?:?(?:(?:r|w|0?read|%)\s?)?!(.+)$/gs, /\bsystem(?:list)?\(\s*["']([^"'\\]*)["']/g],
};

/** Programs for files and containers: with what options they only say what they would do. */
// biome-ignore format: a table has its rows in lines
export const files: readonly Row[] = [
  ['rsync', { valued: 'e f rsh exclude include filter', dryRun: '-n --dry-run', files: ['sends', 'copies'], rules: [removesToo, givenMode], removes: { when: /^(?!.*--list-only)(?=(?:.* )?--del(?:ete\S*)?(?: |$))/, from: -1 }, carries: { options: 'e rsh' }, fetches: 'remote', writes: 'target' }],
  ['rclone', { printsSecret: [{ words: 'config show, config dump' }], dangers: [{ words: 'purge, delete, deletefile, sync, cleanup, rmdirs', unless: '-n --dry-run -i --interactive', is: { ...destroysResources, severity: 'medium' } }, { words: /^(?:purge|delete|sync \S*empty\S*) \S+:/, is: destroysResources }], dryRun: '-n --dry-run', files: ['sends'], remote: [[/\b(?:cat|rcat)\b/]], rules: [removesToo], fetches: 'remote', removes: { when: /^(?:purge|delete|sync)\b/, from: -1 } }],
  ['docker podman nerdctl buildah crictl ctr', { ...PODMAN, files: ['uses', 'feeds'], container: true, harmful: true, copiesWhen: 'cp', noOutput: true, listsAll: /^(?:volume ls .*dangling=true.*|(?!.*(?: -[a-z]*f| -[nl]\b| --(?:latest|last|filter)))(?:(?:(?!container)\w+ (?:ls|list)|images)(?: --format \S+| -(?!-format )\S+)*|(?=.*(?: -[a-z]*a| --all))(?:container )?(?:ps|ls|list)\b.*))$|^(?:\w+ )?inspect .*\ue003/, prints: [[/^(?:save|export)\b/, '\ue00b'], [/^run\b/, '\ue001']] }],
  ['docker-compose podman-compose', { ...CONTAINERS, dangers: [COMPOSE], files: ['uses'], container: 'composed' }],
  ['cat', { files: ['shows'], harmful: true, dangers: [{ line: /^\/dev\/(?:zero|u?random)$/, is: { ...fillsUp, severity: 'medium' } }], prints: 'content' }],
  ['base64 base32 basenc', { files: ['shows'], harmful: true, prints: 'base64' }],
  ['dd', { files: ['shows'], harmful: true, dangers: [{ line: /^(?=(?:.* )?if=\/dev\/(?:zero|u?random))(?=(?:.* )?of=(?!\/dev\/))(?!.*count=)/, is: fillsUp }], writes: { pattern: /^(?:of|ofile|wipe)=(.+)$/s }, reads: { pattern: /^if=(.+)$/s }, fetches: 'dd' }],
  ['tee sponge', { files: ['shows'], harmful: true, prints: 'content', fetches: 'input', writes: 'operands', reads: { pattern: /(?!)/ } }],
  ['tar', { files: ['shows'], harmful: true, rules: [removesToo], carries: { patterns: [/^--(?:checkpoint-action=exec|to-command|use-compress-program|info-script)=(.+)$/gs], options: 'I' }, writes: 'unpacked', valued: 'f C directory file exclude', removes: { when: /(?:^| )--remove-files(?: |$)/ }, fetches: 'archive', prints: 'archive' }],
  ['uniq', { files: ['shows'], prints: 'content', writes: { operand: 1 } }],
  ['tac nl comm shuf pv', { files: ['shows'], prints: 'content' }],
  ['most pg xmore ptx m4 groff nroff troff tbl eqn pic soelim zsoelim msgcat msgattrib msgconv msgfilter msgmerge msguniq cpp as ld nm xmodmap espeak espeak-ng aspell ispell redcarpet efax cupsfilter pdflatex latex lualatex xelatex tex texi2any rst2html run-mailcap exiftool clamscan csvtool base58 basez bat batcat ccat mdcat hexyl highlight gron fx xmllint xmlstarlet mlr csvcut csvlook xsv dos2unix recode enconv wdiff icdiff delta meld kdiff3 join tsort shar mksquashfs genisoimage dmg mcview mcedit gedit kate subl kak hx ne joe jed qrencode figlet cowsay lolcat wl-copy clip termbin unshadow john hashcat sqlitebrowser readelf objdump column hexdump hd strings uuencode nano pico micro open pbcopy fold fmt pr paste expand unexpand cmp colordiff vimdiff csplit rar ar mapfile readarray look ul pandoc pygmentize glow type get-content gc', { files: ['shows'] }],
  ['xclip xsel', { files: ['shows'], variables: /(?:^| )(?:-\w*o|-out|--output)(?: |$)/ }],
  ['link', { files: ['shows', 'copies'], fetches: 'copies', writes: 'target' }],
  ['dmidecode', { writes: { behind: '--{dump-bin,from-dump}' } }],
  ['logrotate', { lists: '-d -f', writes: { behind: '-l --log -s --state' } }],
  ['varnishncsa varnishlog', { writes: { behind: '-w' } }],
  ['stow', { dangers: [{ line: /^(?=.*--adopt)/, is: { ...destroysResources, severity: 'medium' } }] }],
  ['man', { files: ['shows'], told: true, carries: { options: 'P pager', patterns: [/^!(.+)$/gs] } }],
  ['head tail', { files: ['shows'], prints: 'some' }],
  ['iconv zcat xzcat bzcat rev xz zstdcat lz4cat lzcat pigz lz4 brotli lzma gzip bzip2 zstd', { files: ['shows'], prints: 'unpacked' }],
  ['pax cpio', { files: ['shows'], reads: 'input' }],
  ['xxd', { files: ['shows'], prints: 'hex', writes: { operand: 1 } }],
  ['vim vi view nvim rvim rview', { files: ['shows'], writes: 'saved', rules: [editor], runs: 'carried', carries: VI_COMMANDS }],
  ['emacs emacsclient', { files: ['shows'], runs: { long: '-eval --eval eval' }, carries: { patterns: [/\(shell-command(?:-to-string)?\s+"((?:[^"\\]|\\.)*)"/g] } }],
  ['split', { files: ['shows'], carries: { options: 'filter' } }],
  ['zip', { files: ['shows'], rules: [removesToo], carries: { behind: '-TT --unzip-command', patterns: [/^--unzip-command=(.+)$/gs] }, removes: { when: /(?:^| )(?:-[a-zA-Z]*m|--move)/, from: 1 }, reads: 'zip', fetches: 'archive', prints: 'archive' }],
  ['7z 7za', { files: ['shows'], prints: 'archive', rules: [removesToo], removes: { when: /(?:^| )-sdel(?: |$)/, from: 2 }, fetches: 'archive' }],
  ['tr', { files: ['shows'], prints: 'letters' }],
  ['less more', { files: ['shows'], noOutput: true, prints: 'content', told: true, carries: { patterns: [/^\+{0,2}!(.+)$/gs] } }],
  ['od diff sdiff', { files: ['shows'], noOutput: true }],
  ['gcc cc clang g++ clang++', { files: ['shows'], namesPrograms: true, runs: { compiles: true } }],
  ['ed red', { files: ['shows'], prompts: true, told: true, rules: [editor], carries: { patterns: [/^!(.+)$/gs] }, writes: 'operands' }],
  ['ex', { files: ['shows'], told: true, rules: [editor], runs: 'carried', carries: VI_COMMANDS, writes: 'operands' }],
  ['cp', { files: ['shows', 'copies'], harmful: true, fetches: 'copies', writes: 'target' }],
  ['mv', { files: ['shows', 'copies'], harmful: true, rules: [moveAway, disabledHook], fetches: 'copies', writes: 'moved' }],
  ['ln', { files: ['shows', 'copies'], rules: [disabledHook], fetches: 'copies', writes: 'target' }],
  ['install', { files: ['shows', 'copies'], rules: [givenMode], fetches: 'copies', writes: 'target' }],
  ['jq yq gojq jaq htmlq xq dasel', { variables: /^(?:-\w+ )*['"]?(?:env|\$ENV)$/, printsSecret: [{ line: /(?:\$ENV|\benv)\.\w*(?:TOKEN|SECRET|PASSW|API_?KEY)/ }], files: ['shows', 'tells', 'queries'], writes: 'in-place' }],
  ['sort', { files: ['shows'], lists: '--files0-from', prints: 'content', carries: { options: 'compress-program' }, writes: { options: 'o output' } }],
  ['grep egrep fgrep ag ack rg', { carries: { options: 'pre' }, dangers: [SEARCHES_SECRETS, { line: /^(?=.*(?:passw|secret|token|key))(?=.*--include[= ]['"]?\S*(?:\.env|credentials|\.pem|id_rsa))/i, unless: '-l -c -q -L', is: showsStore }], files: ['filters'], prints: 'lines' }],
  ['findstr select-string', { files: ['filters'] }],
  ['fallocate', { dangers: [{ line: /(?:^| )(?:-l ?|--length[= ])(?:\d{3,}G|\d+T)/i, is: stopsMachine }] }],
  ['awk gawk mawk nawk', { printsSecret: [{ line: /ENVIRON\["?\w*(?:TOKEN|SECRET|PASSW|API_?KEY)/ }], files: ['filters'], rules: [awkCode], dangers: [{ line: /^(?=.*\/inet[46]?\/(?:tcp|udp)\/)(?=.*(?:\bsystem\s*\(|getline))/s, is: backdoor }], prints: 'awk', carries: { patterns: IN_AWK, lines: /\bsystem\s*\(\s*\$\d|\|\s*"(?:\/bin\/)?(?:ba|z|da|k)?sh\b|\$0\s*\|\s*getline/ }, writes: 'awk' }],
  ['cut', { files: ['filters'], reads: 'columns', prints: 'rewritten' }],
  ['sed', { files: ['filters', 'edits'], rules: [disabledHook, editor], prints: 'rewritten', carries: { patterns: [/(?:^|[;{\n])(?:\d+|\$|\/[^/]*\/)?[^\S\n]*e\s+(.+)$/gs, /s\/[^/]{0,80}\/((?:[^/\\]|\\.){1,200})\/[gp\d]*e/g], lines: /(?:^|[;{\s\d])s([/|,#:@!%])(?:(?!\1).){0,80}\1(?:(?!\1).){0,80}\1[gp\d]*e|(?:^|[;{])e(?:$|[;}])/ }, writes: 'in-place' }],
  ['perl', { files: ['filters', 'edits'], harmful: true, rules: [disabledHook], prints: 'awk', runs: { code: 'eE', valued: '-I' }, writes: 'in-place' }],
  ['ruby', { files: ['filters', 'edits'], harmful: true, rules: [servesFolder], serves: { says: /^httpd$/ }, prints: 'code', runs: { code: 'e', valued: '-r -I -C -E' }, writes: 'in-place' }],
  ['rimraf trash trash-cli trash-put srm del-cli ', { rules: [remove] }],
  ['gio', { rules: [removesToo], removes: { when: /^(?:trash|remove)\b/, from: 1 }, dangers: [{ line: /^trash (?:.* )?--empty/, is: destroysResources }] }],
  ['trash-empty', { dangers: [{ unless: '--help --dry-run', is: destroysResources }] }],
  ['bsdtar', { rules: [removesToo], writes: 'unpacked', valued: 'f C directory file exclude', removes: { when: /(?:^| )--remove-files(?: |$)/ }, fetches: 'archive' }],
  ['robocopy', { rules: [removesToo], removes: { when: /(?:^| )\/(?:mir|purge)(?: |$)/i, from: 1, to: 2 } }],
  ['yes', { dangers: [{ line: /&\s*$/, is: forkingLoop }], prints: 'echo' }],
  [':', { namesPrograms: true, prints: 'nothing' }],
  ['pwd', { prints: 'folder' }],
  ['plocate mlocate mdfind', { prints: 'anywhere' }],
  ['code', { files: ['shows'], dangers: [{ words: 'tunnel $', is: opensTunnel }] }],
  ['test-path', { files: ['text'] }],
  ['mktemp', { prints: [[/^(?:-[dqu]+(?: |$)|--directory(?: |$))*$/, '/tmp/tmp.x']] }],
  ['gci get-childitem', { prints: 'listing' }],
  ['uudecode', { prints: 'hidden' }],
  ['fzf peco', { prints: 'lines' }],
  ['hyperfine concurrently npm-run-all', { carries: { texts: /(?:)/ } }],
  ['check_by_ssh', { carries: { patterns: [/^(?:-\w{0,8}o)?\s*(?:ProxyCommand|LocalCommand|KnownHostsCommand|PermitRemoteCommand)[= ](.+)$/gis], behind: '-S' } }],
  ['start-stop-daemon', { carries: { options: 'x exec a startas' } }],
  ['patch', { valued: 'p i d o r strip input', writes: 'operands' }],
  ['unzip', { writes: 'unpacked', fetches: 'archive', prints: 'archive' }],
  ['logsave', { writes: { operand: 0 } }],
  ['lwp-download', { writes: { operand: 1 } }],
  ['history', { variables: 'alone', dangers: [{ option: '-c', is: erasesTraces }], writes: { behind: '-a -w' } }],
];
