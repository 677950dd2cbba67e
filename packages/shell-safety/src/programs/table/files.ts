import type { Program, Row } from '../program.ts';

const DOCKER: Program = { dryRun: /^--(?:help|dry-run)$/ };

/** Programs for files and containers: with what options they only say what they would do. */
// biome-ignore format: a table has its rows in lines
export const files: readonly Row[] = [
  ['rsync', { valued: 'e f rsh exclude include filter', dryRun: /^(?:-n|--dry-run)$/, files: ['sends', 'copies'] }],
  ['rclone', { dryRun: /^(?:-n|--dry-run)$/, files: ['sends'], remote: [[/\b(?:cat|rcat)\b/]] }],
  ['docker', { ...DOCKER, files: ['uses', 'feeds'], container: true, harmful: true, copiesWhen: /^cp$/, noOutput: true }],
  ['podman', { ...DOCKER, files: ['uses'], container: true, copiesWhen: /^cp$/ }],
  ['nerdctl', { ...DOCKER, container: true, copiesWhen: /^cp$/ }],
  ['docker-compose', { ...DOCKER, files: ['uses'], container: true }],
  ['cat base64 dd tee tar', { files: ['shows'], harmful: true }],
  ['tac nl more most pg man xmore ptx m4 groff nroff troff tbl eqn pic soelim zsoelim msgcat msgattrib msgconv msgfilter msgmerge msguniq g++ cpp clang++ as ld nm xmodmap espeak espeak-ng aspell ispell redcarpet efax cupsfilter pdflatex latex lualatex xelatex tex texi2any rst2html run-mailcap exiftool clamscan csvtool base58 basez head tail bat batcat ccat mdcat hexyl highlight gron fx xmllint xmlstarlet mlr csvcut csvlook xsv dos2unix recode enconv wdiff icdiff delta meld kdiff3 join tsort zstdcat zcat lz4cat lzcat xzcat bzcat pigz lz4 brotli lzma pax shar borg restic mksquashfs genisoimage dmg age mcview mcedit gedit kate subl kak hx ne joe jed qrencode figlet cowsay lolcat sponge wl-copy clip termbin unshadow john hashcat sqlitebrowser readelf objdump column xxd hexdump hd strings base32 basenc uuencode vim vi view nvim nano emacs pico micro code open pbcopy xclip xsel rev fold fmt pr paste expand unexpand cmp comm colordiff vimdiff iconv split csplit gzip bzip2 xz zstd zip 7z 7za rar cpio ar uniq shuf tr mapfile readarray look ul pandoc pygmentize glow type get-content gc', { files: ['shows'] }],
  ['less od diff sdiff', { files: ['shows'], noOutput: true }],
  ['gcc cc clang', { files: ['shows'], namesPrograms: true }],
  ['dasel', { files: ['shows', 'queries'] }],
  ['ed', { files: ['shows'], prompts: true, told: true }],
  ['ex', { files: ['shows'], told: true }],
  ['cp mv', { files: ['shows', 'copies'], harmful: true }],
  ['ln install', { files: ['shows', 'copies'] }],
  ['jq yq', { files: ['shows', 'tells', 'queries'] }],
  ['sort', { files: ['shows'], lists: /^--files0-from$/ }],
  ['grep egrep fgrep findstr rg ag ack awk gawk mawk nawk cut', { files: ['filters'] }],
  ['sed gsed', { files: ['filters', 'edits'] }],
  ['perl ruby', { files: ['filters', 'edits'], harmful: true }],
  ['gojq jaq htmlq xq', { files: ['queries'] }],
];
