/** A kind of file that an agent has no business with. */
export interface SensitiveKind {
  /** Stable name of the kind, part of the verdict's rule id. */
  readonly id: string;
  /** What such a file is, for the reason. */
  readonly what: string;
  /** Tested against a normalised path ({@link normalizePath}), at its start and behind each slash. Runs in linear time. */
  readonly names?: string;
  /** Tested against a whole normalised path. */
  readonly paths?: string;
  /** What the path has to end in as well. Looked at once, where a look ahead from each match would read the rest again. */
  readonly end?: RegExp;
}

const SSH_KEY = 'id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?';
/** Copies that keep the content: `.bak`, `~`, `_old`, `(1)`, editors' swap files, and any of them packed. */
const COPY = String.raw`(?:~|-|[._-](?:bak|backup|bkp|old|orig|saved?|copy|swp|swo|tmp)\d{0,8}|\.\d{1,14}|-\d{6,14}| copy(?: \d)?| ?\(\d{1,2}\))?(?:\.(?:gz|xz|zip|7z|tgz|tar(?:\.gz)?))?`;

/** Kinds that are ordinary project files too: here only what shows or copies the content counts. */
export const EVERYDAY: ReadonlySet<string> = new Set(
  'environment certificate shell-profile infrastructure kubernetes docker secret'.split(' '),
);

/** The kinds, in the order in which they are tried. The first half is the list of the OpenClaw project. */
export const SENSITIVE_KINDS: readonly SensitiveKind[] = [
  {
    id: 'ssh-key',
    what: 'an SSH private key',
    names: String.raw`(?:copy of |(?:backup|bak|old)[._-])?${SSH_KEY}${COPY}$|[\w.-]{1,64}_(?:rsa|dsa|ecdsa|ed25519)${COPY}$`,
  },
  {
    id: 'ssh',
    what: 'SSH keys and settings',
    names: String.raw`\.ssh(?:/|$)`,
    end: /$(?<!\.pub(?:[.~_-]\w{1,16})?)/,
  },
  {
    id: 'ssh',
    what: 'SSH keys and settings',
    names: String.raw`ssh_host_[^/]*_key${COPY}$|\.[rs]hosts$|\.putty(?:/|$)|authorized_keys2?$`,
    paths: String.raw`\.ppk$`,
  },
  {
    id: 'cloud',
    what: 'cloud credentials',
    names: String.raw`\.aws(?:/|$)|\.azure(?:/|$)|\.oci(?:/|$)|\.boto$|\.s3cfg$|(?:google[-_])?credentials\.(?:json|db|csv|ya?ml|toml|ini|xml)${COPY}$|client_secrets?[^/]*\.json$|[^/]{0,64}firebase-adminsdk[^/]*\.json$|rclone\.conf$|[^/]{0,64}service[-_]?account[^/]*\.json${COPY}$|\.config/gcloud(?:/|$)|application_default_credentials\.json$|\.config/doctl(?:/|$)|\.config/rclone(?:/|$)|\.config/heroku(?:/|$)|\.vault-token$|\.?aws/credentials$|doctl/config\.ya?ml$|\.config/(?:hcloud|scw|linode-cli|stripe|ngrok|netlify|glab-cli|configstore|helm)(?:/|$)|\.ngrok2/ngrok\.yml$|\.(?:tugboat|databrickscfg|passwd-s3fs)$|passwd-s3fs$|\.fly/config\.yml$|\.kaggle/kaggle\.json$|huggingface/(?:token|stored_tokens)$|\.dbt/profiles\.yml$|\.nuget/nuget/nuget\.config$|(?:gcp|gcloud|sa|service)[-_]?key\.json$|\.supabase/access-token$|\.pulumi/credentials\.json$|\.snowsql/config$|serviceaccountkey\.json$|com\.vercel\.cli/auth\.json$|\.?wrangler/config/default\.toml$|\.snowflake/(?:connections|config)\.toml$|\.huggingface/token$|clouds\.ya?ml$|\.edgerc$`,
    paths: String.raw`^~/\.(?:netlify|railway|continue)/config\.json$|^~/\.expo/state\.json$|^~/\.(?:circleci/cli|travis/config)\.yml$|^~/\.(?:aliyun|bluemix)/config\.json$|^~/\.rclone\.conf$|^~/\.aider\.conf\.yml$|^~/\.(?:config/)?linode-cli$|^~/\.civo\.json$|^~/\.config/(?:exoscale|upctl|turso|neonctl|planetscale|doppler|infisical|sops|gcloud-?\w*|openstack|atuin)(?:/|$)|^~/\.(?:doppler|infisical|turso|vercel|heroku)(?:/|$)|^~/\.(?:cloudflared|cf|sfdx|jfrog|kaggle|twilio-cli|akamai)/.`,
  },
  {
    id: 'kubernetes',
    what: 'cluster credentials',
    names: String.raw`\.kube(?:/|$)|rancher/k3s/server/(?:node-)?token$|kubeconfig(?:\.ya?ml)?${COPY}$|[^/]+\.kubeconfig$|(?:run|secrets)/secrets/kubernetes\.io/`,
    paths: String.raw`^/var/run/secrets/|^/run/secrets/|^/etc/kubernetes/[^/]+\.conf$|^/etc/rancher/k3s/k3s\.yaml$`,
  },
  {
    id: 'docker',
    what: 'registry credentials',
    names: String.raw`\.docker/config\.json$|[._]?dockercfg$|\.config/containers/auth\.json$`,
    paths: String.raw`^~/\.docker$`,
  },
  {
    id: 'infrastructure',
    what: 'infrastructure state that holds secrets',
    names: String.raw`[^/]+\.tfvars(?:\.json)?$|\.terraform\.d/credentials|\.terraformrc$|\.vault_pass(?:word)?(?:\.txt)?$|secrets?\.(?:json|ya?ml|toml|ini|env|txt)$|\.secrets?(?:/|$)|secrets?/[\w-]{1,64}(?:\.(?:txt|json|key|env|ini|conf|properties|toml))?$|group_vars/(?:[\w-]{1,64}/)?vault\.ya?ml$|secret_token\.rb$|wp-config\.php$|\.?vault[-_]pass(?:word)?(?:\.txt)?$`,
    paths: String.raw`\.tfstate(?:\.\d{1,14})?${COPY}$`,
  },
  {
    id: 'secret',
    what: 'a file of keys, tokens or passwords',
    names: String.raw`(?:[a-z]{1,24}[_-])?credentials$|\.credentials(?:\.\w{1,8})?$|\.?token\.(?:txt|json|pickle)$|\.token$|(?:api[_-]?keys?|private[_-]?key|secret[_-]?key)\.(?:txt|json|ya?ml|xml|asc|bin|der)$|passwords?\.(?:txt|csv|xlsx?|json|md|docx?)$|key\.properties$|[\w-]{1,40}[.-]secrets?\.(?:ya?ml|json)$|deploy[_-]key$|cookies\.txt$`,
    paths: String.raw`^auth\.json$|^~/\.(?:irssi/config|weechat/sec\.conf|config/weechat/sec\.conf|redisclirc|mongorc\.js|dbshell)$|\.remmina$`,
  },
  {
    id: 'keyring',
    what: 'a keyring, password store or wallet',
    names: String.raw`\.gnupg(?:/(?!(?:gpg|gpg-agent|dirmngr|scdaemon)\.conf$)|$)|\.password-store(?:/|$)|library/keychains/|otr\.private_key$|\.recon-ng/keys\.db$|utc--[^/]+$|age/keys\.txt$|\.electrum/|\.bitcoin/|\.ethereum/keystore/|wallet\.dat${COPY}$|\.config/solana/|(?:secring|trustdb)\.gpg$`,
    paths: String.raw`\.keychain(?:-db)?$|\.kdbx?${COPY}$|\.(?:keyring|kwallet|psafe3|agilekeychain|opvault|enpassdb|bek|fve|tpm|1pif)$`,
  },
  {
    id: 'keyring',
    what: 'a keyring',
    paths: '(?<!^/etc/apt|^/usr/share)/keyrings/',
    end: /$(?<!\.(?:pyc?|ya?ml|[jt]sx?|go|rs|md))/,
  },
  {
    id: 'system-auth',
    what: 'a system authentication file',
    names: String.raw`etc/(?:shadow|gshadow|master\.passwd|sudoers)${COPY}$|system32/config/(?:sam|system|security)$|ntds\.dit$|wpa_supplicant\.conf$|proftpdpasswd$|krb5cc_\w+$`,
    paths: String.raw`^/(?:(?:host|hostfs|rootfs|mnt|mnt/[^/]+)/)?etc/passwd${COPY}$|^/etc/sudoers\.d(?:/|$)|^/etc/security/opasswd$|^/etc/krb5\.keytab$|^/proc/(?:self|thread-self|\d+|\*)/(?:environ|mem)$|^/proc/kcore$|^/dev/k?mem$|^/etc/wireguard/[^/]+\.conf$|^/etc/ppp/(?:chap|pap)-secrets$|\.keytab$|^/etc/ipsec\.secrets$|^/etc/networkmanager/system-connections(?:/|$)|^/etc/postfix/sasl_passwd|^/etc/exim4/passwd\.client$|^/etc/mysql/debian\.cnf$|^/var/backups/(?:g?shadow|passwd)|^/etc/openvpn/.|^/proc/[^/]+/environ$|^/etc/(?:rndc\.key|bind/rndc\.key|freeradius/|swanctl/private/|vault\.d/|ceph/[^/]+\.keyring|luks|cryptsetup-keys\.d/)`,
  },
  {
    id: 'environment',
    what: 'an environment file',
    names: String.raw`\.env${COPY}$|\.env\.(?!(?:example|sample|template|dist|defaults?|schema|ports|versions?|types|md|d\.ts)(?:\.|$)|[^/]*\.(?:example|sample|template|dist|md)$)[^/]+$|\.envrc$|(?!(?:example|sample|template)\.)[\w-]+\.env$|env\.(?:local|production)$|\.env/(?:production|prod|staging|development|dev|local|secrets?)(?:\.\w{1,8})?$|\.env[-_](?!(?:example|sample|template|dist|cmd))[\w-]{1,32}$|\.flaskenv$|\.dev\.vars$|local\.settings\.json$`,
  },
  {
    id: 'certificate',
    what: 'a private key or certificate store',
    paths: String.raw`\.(?:pem|key|keypair|p12|pkcs12|pfx|p8|pvk|jks|keystore|ovpn|tblk|private_key)${COPY}$(?<!^/(?:etc/ssl/certs|usr/(?:share|lib|local/share))/.*|(?:^|/)(?:ca|ca-(?:cert|bundle|chain)|root-?ca|fullchain|chain|cacert|certs?|(?:client|server)[-_]cert|dh(?:params?|\d{4})|public(?:[-_]?key)?|pubkey)\.(?:pem|key))|^/etc/ssl/private(?:/|$)`,
  },
  {
    id: 'login',
    what: 'stored logins',
    names: String.raw`[._]?netrc$|\.authinfo(?:\.gpg)?$|\.cvspass$|\.subversion/auth(?:/|$)|\.vnc/passwd$|\.(?:x|ice)authority$|\.remmina$|\.purple/accounts\.xml$|\.?sftp(?:-config)?\.json$|\.ftpconfig$|\.remote-sync\.json$|(?:filezilla|recentservers|sitemanager|panther/.{0,200}unattend|sysprep/.{0,200}unattend)\.xml$|robo(?:mongo|3t)\.json$|\.dbeaver-data-sources\.xml$|\.idea/webservers\.xml$|jenkins\.plugins\.publish_over_ssh[^/]*\.xml$|ventrilo_srv\.ini$|servlist_?\.conf$|heroku\.json$|\.(?:esmtprc|fetchmailrc|muttrc|trc|sentryclirc|getmailrc|offlineimaprc)$|\.git-credentials${COPY}$|\.config/git/credentials$|\.config/gh(?:/hosts\.yml)?$|\.config/hub$|\.?pgpass(?:\.conf)?$|\.my\.cnf$|\.mylogin\.cnf$|\.pypirc$|\.cargo/credentials(?:\.toml)?$|\.gem/credentials$|\.m2/settings-security\.xml$|\.smbcredentials$|\.msmtprc$|\.?htpasswd$|\.config/op/|\.composer/auth\.json$|pypoetry/auth\.toml$|\.config/pip/pip\.conf$`,
    paths: String.raw`\.(?:rdp|cscfg)$|^~/\.npmrc$|^~/\.yarnrc\.yml$|^~/\.m2/settings\.xml$|^~/\.gradle/gradle\.properties$`,
  },
  {
    id: 'agent-auth',
    what: "an agent's own login",
    names: String.raw`\.claude/\.credentials\.json${COPY}$|\.claude/credentials(?:/|$)|\.(?:openclaw|clawdbot|moltbot)/credentials(?:/|$)|auth-profiles\.json${COPY}$|\.codex/auth\.json${COPY}$|github-copilot\.token\.json$|github-copilot/(?:hosts|apps)\.json$|oauth_creds\.json${COPY}$|gogcli/credentials\.json$|whatsapp/[^/]+/creds\.json$|opencode/auth\.json$|\.config/(?:openai|anthropic)/`,
    paths: String.raw`^~/\.claude\.json${COPY}$|^~/\.[\w./-]{1,64}/auth\.json${COPY}$|^~/\.(?:openai|anthropic)/`,
  },
  {
    id: 'agent-settings',
    what: 'the settings of an agent, which say what it may do and often hold tokens',
    names: String.raw`\.claude/(?:settings(?:\.local)?\.json${COPY}$|hooks(?:/|$))|managed-settings\.json$|claude_desktop_config\.json${COPY}$|\.gemini/(?:settings|google_accounts|trustedfolders|mcp-oauth-tokens[\w-]{0,16}|state)\.json${COPY}$|\.codex/(?:config\.toml|hooks\.json)${COPY}$|opencode\.jsonc?${COPY}$|opencode/(?:config\.json|mcp-auth\.json)${COPY}$|\.copilot/(?:mcp-)?config\.json${COPY}$|\.?mcp\.json${COPY}$|mcp_config\.json$|\.cursor/(?:cli-config|permissions|hooks)\.json$`,
  },
  {
    id: 'shell-profile',
    what: 'a shell profile or history, which may hold exported keys',
    names: String.raw`\.(?:profile|bashrc|zshrc|zprofile|zshenv|zlogin|bash_profile|bash_login|kshrc|cshrc)${COPY}$|\.(?:bash_aliases|zsh_aliases|aliases|exports|extra|functions)$|\.config/fish/config\.fish$|\.[a-z_]+_history$|consolehost_history\.txt$|\.local/share/fish/fish_history$`,
  },
  {
    id: 'browser',
    what: "a browser's stored logins and cookies",
    names: String.raw`(?:logins\.json|key[34]\.db|cookies\.sqlite)$|cookies\.binarycookies$`,
    paths: String.raw`^~/library/(?:messages/|cookies/)|^~/\.config/(?:signal/config\.json|slack/(?:cookies|storage/)|discord/local storage/)|^~/(?:\.mozilla/firefox|\.config/(?:google-chrome|chromium)|library/application support/google/chrome)(?:/(?:default|[^/]+\.default[\w-]*))?/?$`,
  },
  {
    id: 'browser',
    what: "a browser's stored logins and cookies",
    names: '(?:google-chrome|chrome|chromium|microsoft-edge|brave-browser)/',
    end: /(?:cookies|login data|web data)$/,
  },
];
