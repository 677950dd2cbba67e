/** What programs do with a file that they are given, as far as secrets are concerned. */

/** Programs whose arguments are words, not files. */
export const ONLY_TEXT: ReadonlySet<string> = words(
  'echo printf print export declare local readonly typeset alias unset set read say logger notify-send [ [[ test info apropos which whereis tldr help function return exit trap expr seq jira zstyle bindkey setopt unsetopt autoload compdef complete shopt bind',
);
/** Programs that use such a file without showing it, or that only look at its name. */
export const USES: ReadonlySet<string> = words(
  'ls ll dir stat file chmod chown chgrp touch mkdir rmdir rm shred unlink ssh ssh-add ssh-keygen ssh-copy-id autossh mosh sshfs ssh-keyscan cd pushd popd basename dirname realpath readlink source . du df md5sum sha1sum sha256sum sha512sum cksum tree fd locate wc kubectl helm docker docker-compose podman terraform tofu ansible ansible-playbook ansible-vault kind k9s kubectx mkcert certbot nginx keytool puttygen restorecon chcon getfacl setfacl inotifywait watch npm pnpm yarn bun node python python3 php go cargo dotenv direnv aws gcloud az vault op pass gcloud eksctl flyctl vercel netlify firebase wrangler gsutil visudo useradd usermod passwd getent id dotenvx sops age-keygen env-cmd xargs sudo doas env timeout nohup nice time bash sh zsh dash find',
);
/** Of these, those that look at the name and what the system says of it, not into the file. */
export const NAMES_ONLY: ReadonlySet<string> = words(
  'ls ll dir stat chmod chown chgrp touch mkdir rmdir rm shred unlink cd pushd popd basename dirname realpath readlink du df md5sum sha1sum sha256sum sha512sum cksum tree fd locate restorecon chcon getfacl setfacl inotifywait visudo useradd usermod passwd getent id find chattr lsattr lsof fuser aide tripwire auditctl pwck grpck pwconv',
);
/** Programs that tell people something. */
export const TELLS: ReadonlySet<string> = words(
  'git gh glab hub jira curl slack mail mutt wall write claude codex gemini llm ollama jq yq',
);
/** Programs that show what is in a file. */
export const SHOWS: ReadonlySet<string> = words(
  'cat tac nl less more most pg man xmore links lynx elinks w3m ptx m4 groff nroff troff tbl eqn pic soelim zsoelim msgcat msgattrib msgconv msgfilter msgmerge msguniq gcc g++ cc cpp clang clang++ as ld nm xmodmap espeak espeak-ng aspell ispell redcarpet efax cupsfilter pdflatex latex lualatex xelatex tex texi2any rst2html run-mailcap exiftool clamscan certutil csvtool base58 basez head tail bat batcat ccat mdcat hexyl highlight gron dasel fx xmllint xmlstarlet mlr csvcut csvlook xsv dos2unix recode enconv wdiff icdiff delta meld kdiff3 join tsort zstdcat zcat lz4cat lzcat xzcat bzcat pigz lz4 brotli lzma pax shar borg restic duplicity mksquashfs genisoimage dmg age mcview mcedit gedit kate subl kak hx ed ex ne joe jed qrencode figlet cowsay lolcat sponge wl-copy clip termbin unshadow john hashcat sqlitebrowser readelf objdump column xxd od hexdump hd strings base64 base32 basenc uuencode vim vi view nvim nano emacs pico micro code open pbcopy xclip xsel rev fold fmt pr column paste expand unexpand dd cp mv ln install tee diff cmp comm sdiff colordiff vimdiff jq yq iconv split csplit zcat gzip bzip2 xz zstd tar zip 7z 7za rar cpio ar sort uniq shuf tr mapfile readarray look ul pandoc pygmentize glow type get-content gc',
);
/** Programs that send a file somewhere else. */
export const SENDS: ReadonlySet<string> = words(
  'scp sftp rsync rclone s3cmd mc b2 duplicity curl wget nc ncat netcat socat ftp lftp tftp sftp-put http xh httpie mail mutt sendmail mpack telnet s3cmd croc magic-wormhole wormhole transfer gist pastebinit',
);
/** Programs that show the lines that one asks for. */
export const FILTERS: ReadonlySet<string> = words(
  'grep egrep fgrep findstr rg ag ack awk gawk mawk nawk sed gsed cut perl ruby',
);
/** Programs that may write what they read. */
export const EDITS_IN_PLACE: ReadonlySet<string> = words('sed gsed perl ruby');
/** Programs to which such a file may be fed. */
export const FEEDS: ReadonlySet<string> = words(
  'ssh-add openssl gpg ssh-keygen docker kubectl vault helm while for wc md5sum sha256sum',
);
/** Programs whose last operand is where it goes. */
export const COPIES: ReadonlySet<string> = words('cp mv ln install scp rsync');

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}
