import { cutsOff, deletion, printsSecret, showsStore } from '../../dangers.ts';
import type { Program, Row } from '../program.ts';

const PASS: Program = {
  valued: 'path',
  printsSecret: [
    { words: 'show', unless: /^(?:-c|--clip)/ },
    {
      words:
        /^(?!(?:ls|list|find|search|show|insert|add|edit|generate|rm|remove|mv|rename|cp|copy|git|init|help|version|grep|otp)\b)\S+\/\S+$/,
      unless: /^(?:-c|--clip)/,
    },
  ],
};

/** Programs that are there to keep secrets, and show them when asked. */
// biome-ignore format: a table has its rows in lines
export const secretStores: readonly Row[] = [
  ['op', { valued: 'vault account format fields', printsSecret: [
      { words: 'read' },
      { words: 'item get', option: '--reveal --fields --field --format=json' },
      { words: 'document get, signin, inject, connect token create, service-account create' },
    ], files: ['uses'], starts: { verbs: 'run', valued: 'f e p c env-file env project config' } }],
  ['pass gopass', { ...PASS, files: ['uses'] }],
  ['bw rbw', { valued: 'session', printsSecret: [
      { words: 'get password, get item, get totp, get notes, get template' },
      { words: /^(?:list items|export|unlock|get \S+$)/ },
    ] }],
  ['lpass', { printsSecret: [{ words: 'show, export', unless: '-c --clip' }] }],
  ['gcore', { dangers: [{ is: showsStore }] }],
  ['gpg gpg2', { dangers: [{ option: /^--delete-secret/, is: deletion('secret keys') }, { option: /^--export-secret/, is: showsStore }], files: ['feeds'], prints: 'hidden' }],
  ['kubeseal', { printsSecret: [{ option: '--recovery-unseal' }] }],
  ['wg', { printsSecret: [{ words: /^(?:showconf\b|show \S+ (?:private-key|preshared-keys|dump)\b)/ }] }],
  ['travis', { printsSecret: [{ words: 'token' }] }],
  ['keepassxc-cli', { printsSecret: [{ words: 'show, clip, export', option: '-s --show-protected -a=Password' }, { words: 'export' }] }],
  ['kwallet-query', { printsSecret: [{ option: '-r --read-password' }] }],
  ['dcli nordpass-cli protonpass-cli', { printsSecret: [{ words: 'password, p, note, otp, get, read' }] }],
  ['credhub conjur akeyless berglas envchain summon', { printsSecret: [{ words: 'get, variable get, get-secret-value, access, export' }] }],
  ['teller', { starts: { verbs: 'run' }, printsSecret: [{ words: 'show, env, yaml, json, sh, export' }] }],
  ['aws-vault', { starts: { verbs: 'exec', skip: 1, valued: 'd duration region' }, printsSecret: [{ words: 'export' }] }],
  ['saml2aws gimme-aws-creds aws-sso', { printsSecret: [{ words: 'script, eval, credentials' }] }],
  ['nmcli', { valued: 'g get-values f fields', dangers: [
      { line: /^(?=(?:.* )?(?:-\w*s|--show-secrets) )(?=(?:.* )?(?:con\w*|c) show )/, is: printsSecret },
      { words: /^(?:networking off|n off|radio all off|(?:con|connection) delete\b)/, is: cutsOff },
      { words: 'd wifi show-password, dev wifi show-password, device wifi show-password', is: printsSecret },
      { words: 'con show, connection show', option: '-s --show-secrets', is: printsSecret },
    ] }],
  ['my_print_defaults', { printsSecret: [{ option: '-s --show' }] }],
  ['pwdump mimipenguin hashdump laZagne.py trufflehog gitleaks noseyparker truffleHog', { dangers: [{ line: /^(?!$)(?=.*(?:--only-verified|--show|-v|filesystem \/|--json))/, is: { ...showsStore, severity: 'medium' } }] }],
  ['gnome-keyring-daemon kwalletcli', { printsSecret: [{ words: 'export, dump' }] }],
  ['systemd-creds', { printsSecret: [{ words: 'decrypt, cat' }] }],
  ['tpm2_unseal clevis', { printsSecret: [{ words: /^(?:decrypt|luks pass)?/ }] }],
  ['keyctl', { printsSecret: [{ words: 'print, pipe, read' }] }],
  ['secret-tool', { printsSecret: [{ words: 'lookup, search' }] }],
  ['keyring', { printsSecret: [{ words: 'get' }] }],
  ['passage tomb pass-otp', { printsSecret: [{ words: 'show, open' }] }],
  ['doppler', { valued: 'p project c config', printsSecret: [{ words: /^secrets(?: get| download)?(?: |$)/, unless: '--only-names' }], starts: { verbs: 'run', valued: 'f e p c env-file env project config' } }],
  ['infisical', { printsSecret: [{ words: 'secrets, export' }], starts: { verbs: 'run', valued: 'f e p c env-file env project config' } }],
  ['chamber', { printsSecret: [{ words: 'read, export, env' }], starts: { verbs: 'exec', skip: 1 } }],
  ['sops', { printsSecret: [
      { words: /^exec-env \S+ .*(?:env|printenv)/ },
      { words: /^(?:edit )?\S/, variable: /^(?:SUDO_|KUBE_)?(?:EDITOR|VISUAL)=\S*\b(?:cat|less|more|head|tail|bat|sed|grep|awk|cp|tee)\b/ },
      { option: '-d --decrypt', unless: /^(?:-i|--in-place|--output)/ },
      { words: 'decrypt', unless: /^(?:-i|--in-place|--output)/ },
    ], files: ['uses'] }],
  ['ansible-vault', { valued: 'vault-password-file', printsSecret: [{ words: 'edit', variable: /^(?:SUDO_|KUBE_)?(?:EDITOR|VISUAL)=\S*\b(?:cat|less|more|head|tail|bat|sed|grep|awk|cp|tee)\b/ }, { words: /^view (?!.*\.example)/ }, { line: /^decrypt\b.* --output[= ]-(?: |$)/ }], files: ['uses'] }],
  ['age rage', { printsSecret: [{ option: '-d --decrypt', unless: /^(?:-o|--output)/ }], files: ['shows'], prints: 'hidden' }],
  ['dotenvx', { valued: 'f', printsSecret: [{ words: 'get, decrypt', unless: '-f --env-file' }], files: ['uses'], starts: { verbs: 'run', valued: 'f e p c env-file env project config' } }],
  ['docker-credential-desktop docker-credential-osxkeychain docker-credential-pass docker-credential-secretservice docker-credential-gcr docker-credential-ecr-login docker-credential-helper', { printsSecret: [{ words: 'get' }] }],
  ['granted assume awsume', { printsSecret: [{ option: '--export --env -s' }] }],
  ['git-credential-store git-credential-osxkeychain git-credential-manager git-credential-libsecret', { printsSecret: [{ words: 'get' }] }],
];
