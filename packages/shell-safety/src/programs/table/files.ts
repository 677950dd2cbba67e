// biome-ignore-all format: a row stands in one line, or each way to call a program does
import { awkCode } from '../../code/code.ts';
import { moveAway, remove, removesToo } from '../../rules/filesystem.ts';
import { disabledHook } from '../../rules/git-hooks.ts';
import { editor } from '../../rules/guarded-places.ts';
import { givenMode } from '../../rules/permissions.ts';
import { BULK, REMOTE, UNKNOWN } from '../../shell/marks.ts';
import type { Known, Row } from '../program.ts';
import {
  backdoor, changes, destroys, erasesTraces, fillsUp, forkingLoop, hostRights, medium, opensTunnel, prints,
  showsStore, stopsMachine, wipesContainers,
} from './ways.ts';

/** Names of projects, files and volumes that are there to be thrown away. */
const FOR_TESTS = /^(?!.*(?:prod|live))(?:.*[\W_])?(?:test\w{0,40}|ci|e2e|spec|tmp)(?:$|[\W_])/i;
/** Names of volumes with databases, or of what is in use. */
const IN_USE = /(?<![a-zA-Z0-9])(?:prod\w*|pg\w*|postgres\w*|mysql\w*|mariadb\w*|mongo\w*|db)(?![a-z])/;

const STARTS = '{* ,}{exec,run,create}';

/** Folders of this machine, and options, with which a container can do there what root can. */
const HOST_RIGHTS = [
  hostRights({ words: STARTS, option: '--privileged', unless: '--privileged=false' }),
  hostRights(STARTS, '--{pid,userns,ipc}=host --cap-add={CAP_,}{ALL,SYS_{ADMIN,MODULE,RAWIO,PTRACE},DAC_READ_SEARCH,DAC_OVERRIDE,BPF} --security-opt={*,}unconfined'),
  hostRights(STARTS, '--device=/dev/{sd,hd,vd,xvd,nvme,dm-,mapper,kmem,mem}{*,}'),
  hostRights(STARTS, '--volume={/,/{etc,root,boot,proc,sys,dev,usr,bin,lib,home,var,var/run,var/lib,var/lib/docker,var/lib/kubelet}{/,},*/{docker,podman,containerd,crio}.sock}:*'),
  hostRights(STARTS, /^--mount=(?:.*,)?(?:source|src)=(?:\/|\/(?:etc|root|boot|proc|sys|dev|usr|home|var|var\/run)\/?|[^,]*\.sock)(?:,|$)/),
];

/** `compose down -v`, and `rm -v` of a database. */
function losesVolumes(words: string): Known {
  return wipesContainers({ words, option: '-v --volumes', lacks: FOR_TESTS, unless: /^(?!-[a-z]+$|--volumes)\S*=(?!.*(?:prod|live))(?:.*[\W_])?(?:test\w{0,40}|ci|e2e|spec|tmp)(?:$|[\W_])/i });
}

/** What docker and its like delete by the lot, and give away. */
const CONTAINERS: readonly Known[] = [
  wipesContainers('system prune', '-a --all --volumes'),
  wipesContainers({ words: 'volume prune, system reset', unless: '--filter' }),
  wipesContainers('volume prune, system reset', '--filter=all={1,true}'),
  wipesContainers({ words: '{* ,}{rm,rmi,remove,stop,kill}', everything: true }),
  wipesContainers({ words: 'volume {rm,remove}', word: IN_USE, lacks: FOR_TESTS }),
  wipesContainers('volume {rm,remove}', /^--(?:host|context)=.*(?:prod|live|:\/\/)/),
  wipesContainers('machine {rm,reset}, pod rm', '-a --all'),
  wipesContainers('machine {rm,reset}', '-f --force'),
  ...HOST_RIGHTS,
  destroys('{stack,service,swarm} {rm,leave}, {secret,config,context,plugin} {rm,remove}'),
  destroys('node rm', '-f --force'),
  changes('volume {rm,remove}, {system,image,builder,container,network,buildx} prune'),
  prints('swarm join-token'),
  prints('secret inspect', '--showsecret'),
  { dryRun: '--help --dry-run' },
];
/** What says more than the names of environment variables. */
const NO_VALUES = '-q --quiet --services --volumes --images --profiles --hash';

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
export const files: readonly Row[] = [
  ['rsync', {
    files: ['sends', 'copies'], valued: 'e f rsh exclude include filter', dryRun: '-n --dry-run', rules: [removesToo, givenMode],
    removes: { when: { option: '--del --delete{*,}', unless: '--list-only' }, from: -1 }, writes: 'target', fetches: 'remote',
    carries: { options: 'e rsh' },
  }],
  ['rclone',
    destroys('{purge,delete,sync {*,}empty{*,}} *:{*,}'),
    medium(destroys({ words: 'purge, delete, deletefile, sync, cleanup, rmdirs', unless: '-i --interactive' })),
    prints('config {show,dump}'),
    {
      files: ['sends'], dryRun: '-n --dry-run', rules: [removesToo], removes: { when: 'purge, delete, sync', from: -1 }, fetches: 'remote',
      remote: 'cat, rcat',
    },
  ],
  ['docker podman nerdctl buildah crictl ctr',
    ...CONTAINERS,
    losesVolumes('compose down'),
    losesVolumes('compose rm {{db,*postgres*,*mysql*,*mongo*} ,}$'),
    wipesContainers('{* ,}{rm,rmi,remove}', '-a --all'),
    {
      files: ['uses', 'feeds'], harmful: true, noOutput: true, container: true, copiesWhen: 'cp', syntax: 'docker',
      variables: [{ words: '{* ,}inspect', option: /^--format=.*\.Env\b/s }, { words: 'compose config', unless: NO_VALUES }],
      listsAll: [
        { words: 'volume ls', option: '--filter=dangling=true' },
        { words: '* {ls,list} $, images $', not: 'container', unless: '-f --filter -n --last --latest' },
        { words: '{container ,}{ps,ls,list}', option: '-a --all', unless: '-f --filter -n --last --latest' },
        { words: '{* ,}inspect', everything: true },
      ],
      prints: [['save, export', BULK], ['run', REMOTE]],
    },
  ],
  ['docker-compose podman-compose',
    ...CONTAINERS,
    losesVolumes('down'),
    losesVolumes('rm {{db,*postgres*,*mysql*,*mongo*} ,}$'),
    { files: ['uses'], container: 'composed', syntax: 'docker-compose', variables: { words: 'config', unless: NO_VALUES } },
  ],
  ['cat', medium(fillsUp('/dev/{zero,random,urandom} $')), { files: ['shows'], harmful: true, prints: 'content' }],
  ['base64 base32 basenc', { files: ['shows'], harmful: true, prints: 'base64' }],
  ['dd dcfldd dc3dd',
    fillsUp({ words: '** if=/dev/{zero,{u,}random}{*,}', not: '** {count=,of=/dev/}{*,}', argument: 'of={*,}' }),
    { files: ['shows'], harmful: true, writes: { pattern: /^(?:of|ofile|wipe)=(.+)$/s }, reads: { pattern: /^if=(.+)$/s }, fetches: 'dd' },
  ],
  ['tee sponge', { files: ['shows'], harmful: true, writes: 'operands', reads: { pattern: /(?!)/ }, fetches: 'input', prints: 'content' }],
  ['tar bsdtar', {
    files: ['shows'], harmful: true, valued: 'f C directory file exclude', long: 'create extract to-command checkpoint checkpoint-action use-compress-program info-script remove-files to-stdout', rules: [removesToo],
    removes: { when: { option: '--remove-files' } }, writes: 'unpacked', fetches: 'archive',
    carries: { patterns: [/^--(?:checkpoint-action=exec|to-command|use-compress-program|info-script)=(.+)$/gs], options: 'I' },
    prints: 'archive',
  }],
  ['uniq', { files: ['shows'], writes: { operand: 1 }, prints: 'content' }],
  ['tac nl comm shuf pv', { files: ['shows'], prints: 'content' }],
  [`most pg xmore ptx m4 groff nroff troff tbl eqn pic soelim zsoelim msgcat msgattrib msgconv msgfilter msgmerge msguniq cpp as ld
    nm xmodmap espeak espeak-ng aspell ispell redcarpet efax cupsfilter pdflatex latex lualatex xelatex tex texi2any rst2html
    run-mailcap exiftool clamscan csvtool base58 basez bat batcat ccat mdcat hexyl highlight gron fx xmllint xmlstarlet mlr csvcut
    csvlook xsv dos2unix recode enconv wdiff icdiff delta meld kdiff3 join tsort shar mksquashfs genisoimage dmg mcview mcedit gedit
    kate subl kak hx ne joe jed qrencode figlet cowsay lolcat wl-copy clip termbin unshadow john hashcat sqlitebrowser readelf
    objdump column hexdump hd strings uuencode nano pico micro open pbcopy fold fmt pr paste expand unexpand cmp colordiff vimdiff
    csplit rar ar look ul pandoc pygmentize glow type get-content gc`, { files: ['shows'] }],
  ['xclip xsel', { files: ['shows'], style: 'one-dash', variables: { option: '-o --{out,output,bo,ob,po}' } }],
  ['link', { files: ['shows', 'copies'], writes: 'target', fetches: 'copies' }],
  ['dmidecode', { writes: { behind: '--{dump-bin,from-dump}' } }],
  ['logrotate', { writes: { behind: '-l --log -s --state' }, lists: '-d -f' }],
  ['varnishncsa varnishlog', { writes: { behind: '-w' } }],
  ['stow', medium(destroys({ option: '--adopt' }))],
  ['man', { files: ['shows'], told: true, carries: { options: 'P pager', patterns: [/^!(.+)$/gs] } }],
  ['head tail', { files: ['shows'], prints: 'some' }],
  ['iconv zcat xzcat bzcat rev xz zstdcat lz4cat lzcat pigz lz4 brotli lzma gzip bzip2 zstd', { files: ['shows'], prints: 'unpacked' }],
  ['pax cpio', { files: ['shows'], reads: 'input' }],
  ['xxd', { files: ['shows'], writes: { operand: 1 }, prints: 'hex' }],
  ['vim vi view nvim rvim rview', { files: ['shows'], runs: 'carried', rules: [editor], writes: 'saved', carries: VI_COMMANDS }],
  ['emacs emacsclient',
    { files: ['shows'], runs: { long: '-eval --eval eval' }, carries: { patterns: [/\(shell-command(?:-to-string)?\s+"((?:[^"\\]|\\.)*)"/g] } },
  ],
  ['split', { files: ['shows'], carries: { options: 'filter' } }],
  ['zip', {
    files: ['shows'], rules: [removesToo], removes: { when: { option: '-m --move' }, from: 1 }, reads: 'zip', fetches: 'archive',
    carries: { behind: '-TT --unzip-command', patterns: [/^--unzip-command=(.+)$/gs] }, prints: 'archive',
  }],
  ['7z 7za', { files: ['shows'], rules: [removesToo], removes: { when: { argument: '-sdel' }, from: 2 }, fetches: 'archive', prints: 'archive' }],
  ['mapfile readarray', { files: ['shows'], carries: { options: 'C' } }],
  ['tr', { files: ['shows'], prints: 'letters' }],
  ['less more', { files: ['shows'], told: true, noOutput: true, carries: { patterns: [/^\+{0,2}!(.+)$/gs] }, prints: 'content' }],
  ['od diff sdiff', { files: ['shows'], noOutput: true }],
  ['ed red', { files: ['shows'], prompts: true, told: true, rules: [editor], writes: 'operands', carries: { patterns: [/^!(.+)$/gs] } }],
  ['ex', { files: ['shows'], told: true, runs: 'carried', rules: [editor], writes: 'operands', carries: VI_COMMANDS }],
  ['cp', { files: ['shows', 'copies'], long: 'target-directory', harmful: true, writes: 'target', fetches: 'copies' }],
  ['mv', { files: ['shows', 'copies'], long: 'target-directory', harmful: true, rules: [moveAway, disabledHook], writes: 'moved', fetches: 'copies' }],
  ['ln', { files: ['shows', 'copies'], long: 'target-directory', rules: [disabledHook], writes: 'target', fetches: 'copies' }],
  ['install', { files: ['shows', 'copies'], long: 'target-directory mode owner group', rules: [givenMode], writes: 'target', fetches: 'copies' }],
  ['jq yq gojq jaq htmlq xq dasel',
    prints({ argument: /(?:\$ENV|\benv)\.\w*(?:TOKEN|SECRET|PASSW|API_?KEY)/ }),
    { files: ['shows', 'tells', 'queries'], writes: 'in-place', variables: { words: '{env,$ENV} $' } },
  ],
  ['sort', { files: ['shows'], long: 'output compress-program', writes: { options: 'o output' }, carries: { options: 'compress-program' }, lists: '--files0-from', prints: 'content' }],
  ['grep egrep fgrep ag ack rg',
    // A search through a home or the whole machine for what keys and passwords begin with.
    showsStore({ argument: /(?:PRIVATE KEY|AKIA|ghp_|xox[bp]|sk-ant|aws_(?:secret|access)|secret_?(?:access_)?key|api_?key|passw(?:or)?d|private_?key|credentials|bearer)/i, word: /^(?:\/|~|\/(?:home|Users)(?:\/[\w.-]+)?|\/(?:etc|root|var|opt|srv))\/?$/, option: '-r -R --recursive -u -uu --hidden --no-ignore -l --files-with-matches' }),
    showsStore({ argument: /passw|secret|token|key/i, option: /^--include=.*(?:\.env|credentials|\.pem|id_rsa)/i, unless: '-l -c -q -L' }),
    { valued: 'include', files: ['filters'], carries: { options: 'pre' }, prints: 'lines' },
  ],
  ['findstr select-string', { files: ['filters'] }],
  ['fallocate', stopsMachine({ option: /^(?:-l|--length)=(?:\d{3,}G|\d+T)/i }), { valued: 'l length o offset' }],
  ['awk gawk mawk nawk',
    backdoor({ argument: /^(?=.*\/inet[46]?\/(?:tcp|udp)\/)(?=.*(?:\bsystem\s*\(|getline))/s }),
    prints({ argument: /ENVIRON\["?\w*(?:TOKEN|SECRET|PASSW|API_?KEY)/ }),
    {
      files: ['filters'], rules: [awkCode], writes: 'awk',
      carries: { patterns: IN_AWK, lines: /\bsystem\s*\(\s*\$\d|\|\s*"(?:\/bin\/)?(?:ba|z|da|k)?sh\b|\$0\s*\|\s*getline/ }, prints: 'awk',
    },
  ],
  ['cut', { files: ['filters'], reads: 'columns', prints: 'rewritten' }],
  ['sed', {
    files: ['filters', 'edits'], long: 'in-place expression file', rules: [disabledHook, editor], writes: 'in-place',
    carries: { patterns: [/(?:^|[;{\n])(?:\d+|\$|\/[^/]*\/)?[^\S\n]*e\s+(.+)$/gs, /s\/[^/]{0,80}\/((?:[^/\\]|\\.){1,200})\/[gp\d]*e/g], lines: /(?:^|[;{\s\d])s([/|,#:@!%])(?:(?!\1).){0,80}\1(?:(?!\1).){0,80}\1[gp\d]*e|(?:^|[;{])e(?:$|[;}])/ },
    prints: 'rewritten',
  }],
  // A program of which nobody knows the name may delete what it is given: `$CMD -rf ~`.
  [`rimraf trash trash-cli trash-put srm del-cli ${UNKNOWN}`, { rules: [remove] }],
  ['gio', destroys('trash', '--empty'), { rules: [removesToo], removes: { when: 'trash, remove', from: 1 } }],
  ['trash-empty', destroys()],
  ['robocopy', { rules: [removesToo], removes: { when: { argument: '/{mir,purge,MIR,PURGE}' }, from: 1, to: 2 } }],
  ['yes', forkingLoop({ argument: /&\s*$/ }), { prints: 'echo' }],
  [':', { namesPrograms: true, prints: 'nothing' }],
  ['pwd', { prints: 'folder' }],
  ['plocate mlocate mdfind', { prints: 'anywhere' }],
  ['code', opensTunnel('tunnel $'), { files: ['shows'] }],
  ['test-path', { files: ['text'] }],
  ['mktemp', { prints: [[{ words: '$', unless: '-p --tmpdir --suffix' }, '/tmp/tmp.x']] }],
  ['gci get-childitem', { prints: 'listing' }],
  ['uudecode', { prints: 'hidden' }],
  ['fzf peco', { prints: 'lines' }],
  ['hyperfine concurrently npm-run-all', { carries: { texts: /(?:)/ } }],
  ['start-stop-daemon', { carries: { options: 'x exec a startas' } }],
  ['patch', { valued: 'p i d o r strip input', writes: 'operands' }],
  ['unzip', { writes: 'unpacked', fetches: 'archive', prints: 'archive' }],
  ['logsave', { writes: { operand: 0 } }],
  ['lwp-download', { writes: { operand: 1 } }],
  ['history', erasesTraces({ option: '-c' }), { writes: { behind: '-a -w' }, variables: 'alone' }],
];
