/** A kind of file that an agent has no business with. */
export interface SensitiveKind {
  /** Stable name of the kind, part of the verdict's rule id. */
  readonly id: string;
  /** What such a file is, for the reason. */
  readonly what: string;
  /** Tested against a normalised path ({@link normalizePath}). Written to run in linear time. */
  readonly pattern: RegExp;
}

const SSH_KEY = 'id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?';
/** Copies that keep the content: `.bak`, `~`, `.old`, editors' swap files. */
const COPY = String.raw`(?:~|-|\.(?:bak|backup|old|orig|save|copy|swp|swo|tmp|\d{1,14}))?`;

/** The kinds, in the order in which they are tried. The first half is the list of the OpenClaw project. */
export const SENSITIVE_KINDS: readonly SensitiveKind[] = [
  kind('ssh-key', 'an SSH private key', `/${SSH_KEY}${COPY}$`),
  kind(
    'ssh',
    'SSH keys and settings',
    String.raw`/\.ssh(?:/(?!.*\.pub$)|$)|^/etc/ssh/ssh_host_[^/]*_key$|/authorized_keys2?$|\.ppk$`,
  ),
  kind(
    'cloud',
    'cloud credentials',
    String.raw`/\.aws(?:/|$)|/\.azure(?:/|$)|/\.oci(?:/|$)|/\.boto$|/\.s3cfg$|/(?:google[-_])?credentials\.(?:json|db|csv|ya?ml|toml|ini|xml)${COPY}$|/client_secrets?[^/]*\.json$|/[^/]{0,64}firebase-adminsdk[^/]*\.json$|/rclone\.conf$|/[^/]{0,64}service[-_]?account[^/]*\.json${COPY}$|/\.config/gcloud(?:/|$)|/application_default_credentials\.json$|/\.config/doctl(?:/|$)|/\.config/rclone(?:/|$)|/\.config/heroku(?:/|$)|/\.vault-token$`,
  ),
  kind(
    'kubernetes',
    'cluster credentials',
    String.raw`/\.kube(?:/|$)|/kubeconfig${COPY}$|/[^/]+\.kubeconfig$|/(?:run|secrets)/secrets/kubernetes\.io/|^/var/run/secrets/|^/run/secrets/|^/etc/kubernetes/[^/]+\.conf$|^/etc/rancher/k3s/k3s\.yaml$`,
  ),
  kind(
    'docker',
    'registry credentials',
    String.raw`/\.docker/config\.json$|/\.dockercfg$|/\.config/containers/auth\.json$`,
  ),
  kind(
    'infrastructure',
    'infrastructure state that holds secrets',
    String.raw`/terraform\.tfstate(?:\.backup)?$|/[^/]+\.tfvars(?:\.json)?$|/\.terraform\.d/credentials|/\.terraformrc$|/\.vault_pass(?:word)?(?:\.txt)?$|/secrets?\.(?:json|ya?ml|toml|ini|env|txt)$|/\.secrets?(?:/|$)`,
  ),
  kind(
    'keyring',
    'a keyring, password store or wallet',
    String.raw`/\.gnupg(?:/|$)|/\.password-store(?:/|$)|(?<!^/etc/apt|^/usr/share)/keyrings/|/library/keychains/|\.keychain(?:-db)?$|\.kdbx?$|/\.electrum/|/\.bitcoin/|/\.ethereum/keystore/|/wallet\.dat$|/\.config/solana/|/(?:secring|trustdb)\.gpg$`,
  ),
  kind(
    'system-auth',
    'a system authentication file',
    String.raw`^/(?:(?:host|hostfs|rootfs|mnt|mnt/[^/]+)/)?etc/passwd${COPY}$|/etc/(?:shadow|gshadow|master\.passwd|sudoers)${COPY}$|^/etc/sudoers\.d(?:/|$)|^/etc/security/opasswd$|^/etc/krb5\.keytab$|^/proc/(?:self|thread-self|\d+)/environ$|/system32/config/(?:sam|system|security)$|/ntds\.dit$|^/etc/wireguard/[^/]+\.conf$|^/etc/ppp/(?:chap|pap)-secrets$`,
  ),
  kind(
    'environment',
    'an environment file',
    String.raw`/\.env${COPY}$|/\.env\.(?!(?:example|sample|template|dist|defaults?|schema|md|d\.ts)(?:\.|$)|[^/]*\.(?:example|sample|template|dist|md)$)[^/]+$|/\.envrc$|/(?!(?:example|sample|template)\.)[\w-]+\.env$|/env\.(?:local|production)$`,
  ),
  kind(
    'certificate',
    'a private key or certificate store',
    String.raw`\.(?:pem|key|p12|pfx|p8|jks|keystore|ovpn)${COPY}$(?<!^/(?:etc/ssl/certs|usr/(?:share|lib|local/share))/.*|(?:^|/)(?:cacert|public(?:[-_]?key)?|pubkey)\.(?:pem|key))|^/etc/ssl/private(?:/|$)`,
  ),
  kind(
    'login',
    'stored logins',
    String.raw`/[._]netrc$|/\.git-credentials${COPY}$|/\.config/git/credentials$|/\.config/gh/hosts\.yml$|/\.config/hub$|/\.pgpass$|/\.my\.cnf$|/\.mylogin\.cnf$|/\.pypirc$|^~/\.npmrc$|^~/\.yarnrc\.yml$|/\.cargo/credentials(?:\.toml)?$|/\.gem/credentials$|/\.m2/settings-security\.xml$|^~/\.m2/settings\.xml$|^~/\.gradle/gradle\.properties$|/\.smbcredentials$|/\.msmtprc$|/\.htpasswd$|/\.config/op/|/\.composer/auth\.json$`,
  ),
  kind(
    'agent-auth',
    "an agent's own login",
    String.raw`/\.claude/\.credentials\.json${COPY}$|/\.claude/credentials(?:/|$)|^~/\.claude\.json${COPY}$|/\.(?:openclaw|clawdbot|moltbot)/credentials(?:/|$)|/auth-profiles\.json${COPY}$|/\.codex/auth\.json${COPY}$|/github-copilot\.token\.json$|/github-copilot/(?:hosts|apps)\.json$|/oauth_creds\.json${COPY}$|/gogcli/credentials\.json$|/whatsapp/[^/]+/creds\.json$|/opencode/auth\.json$|/\.config/(?:openai|anthropic)/|^~/\.(?:openai|anthropic)/`,
  ),
  kind(
    'shell-profile',
    'a shell profile or history, which may hold exported keys',
    String.raw`/\.(?:profile|bashrc|zshrc|zprofile|zshenv|zlogin|bash_profile|bash_login|kshrc|cshrc)${COPY}$|/\.config/fish/config\.fish$|/\.[a-z_]+_history$|/\.local/share/fish/fish_history$`,
  ),
  kind(
    'browser',
    "a browser's stored logins and cookies",
    String.raw`/(?:logins\.json|key[34]\.db|cookies\.sqlite)$|/(?:google-chrome|chrome|chromium|microsoft-edge|brave-browser)/.*(?:cookies|login data|web data)$`,
  ),
];

function kind(id: string, what: string, source: string): SensitiveKind {
  // A leading slash in the patterns also means the start of a relative path.
  return { id, what, pattern: new RegExp(source.replaceAll(/(^|\|)\//g, '$1(?:^|/)')) };
}
