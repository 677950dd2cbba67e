import { deletion } from '../../rules/filesystem.ts';
import { cutsOff } from '../../rules/machine.ts';
import { printsSecret, showsStore } from '../../rules/secret-output.ts';
import type { Program, Row } from '../program.ts';

const PASS: Program = {
  valued: 'path',
  printsSecret: [
    { words: /^show\b/, unless: /^(?:-c|--clip)/ },
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
      { words: /^read\b/ },
      { words: /^item get\b/, option: /^--(?:reveal|fields?|format=json)(?:=|$)/ },
      { words: /^(?:document get|signin|inject|connect token create|service-account create)\b/ },
    ], files: ['uses'], starts: { verbs: 'run', valued: 'f e p c env-file env project config' } }],
  ['pass', { ...PASS, files: ['uses'] }],
  ['gopass', { ...PASS }],
  ['bw rbw', { valued: 'session', printsSecret: [
      { words: /^get (?:password|item|totp|notes|template)\b/ },
      { words: /^(?:list items|export|unlock|get \S+$)/ },
    ] }],
  ['lpass', { printsSecret: [{ words: /^(?:show|export)\b/, unless: /^(?:-c|--clip)$/ }] }],
  ['gcore', { dangers: [{ is: showsStore }] }],
  ['gpg gpg2', { dangers: [{ option: /^--delete-secret/, is: deletion('secret keys') }, { option: /^--export-secret/, is: showsStore }], files: ['feeds'], prints: 'hidden' }],
  ['kubeseal', { printsSecret: [{ option: /^--recovery-unseal$/ }] }],
  ['wg', { printsSecret: [{ words: /^(?:showconf\b|show \S+ (?:private-key|preshared-keys|dump)\b)/ }] }],
  ['travis', { printsSecret: [{ words: /^token\b/ }] }],
  ['keepassxc-cli', { printsSecret: [{ words: /^(?:show|clip|export)\b/, option: /^(?:-s|--show-protected|-a=Password)$/ }, { words: /^export\b/ }] }],
  ['kwallet-query', { printsSecret: [{ option: /^(?:-r|--read-password)$/ }] }],
  ['dcli nordpass-cli protonpass-cli', { printsSecret: [{ words: /^(?:password|p|note|otp|get|read)\b/ }] }],
  ['credhub conjur akeyless berglas envchain summon', { printsSecret: [{ words: /^(?:get|variable get|get-secret-value|access|export)\b/ }] }],
  ['teller', { starts: { verbs: 'run' }, printsSecret: [{ words: /^(?:show|env|yaml|json|sh|export)\b/ }] }],
  ['aws-vault', { starts: { verbs: 'exec', skip: 1, valued: 'd duration region' }, printsSecret: [{ words: /^export\b/ }] }],
  ['saml2aws gimme-aws-creds aws-sso', { printsSecret: [{ words: /^(?:script|eval|credentials)\b/ }] }],
  ['nmcli', { valued: 'g get-values f fields', dangers: [
      { line: /^(?=(?:.* )?(?:-\w*s|--show-secrets) )(?=(?:.* )?(?:con\w*|c) show )/, is: printsSecret },
      { words: /^(?:networking off|n off|radio all off|(?:con|connection) delete\b)/, is: cutsOff },
      { words: /^(?:d|dev|device) wifi show-password\b/, is: printsSecret },
      { words: /^(?:con|connection) show\b/, option: /^(?:-s|--show-secrets)$/, is: printsSecret },
    ] }],
  ['my_print_defaults', { printsSecret: [{ option: /^(?:-s|--show)$/ }] }],
  ['pwdump mimipenguin hashdump laZagne.py trufflehog gitleaks noseyparker truffleHog', { dangers: [{ line: /^(?!$)(?=.*(?:--only-verified|--show|-v|filesystem \/|--json))/, is: { ...showsStore, severity: 'medium' } }] }],
  ['gnome-keyring-daemon kwalletcli', { printsSecret: [{ words: /^(?:export|dump)\b/ }] }],
  ['systemd-creds', { printsSecret: [{ words: /^(?:decrypt|cat)\b/ }] }],
  ['tpm2_unseal clevis', { printsSecret: [{ words: /^(?:decrypt|luks pass)?/ }] }],
  ['keyctl', { printsSecret: [{ words: /^(?:print|pipe|read)\b/ }] }],
  ['secret-tool', { printsSecret: [{ words: /^(?:lookup|search)\b/ }] }],
  ['keyring', { printsSecret: [{ words: /^get\b/ }] }],
  ['passage tomb pass-otp', { printsSecret: [{ words: /^(?:show|open)\b/ }] }],
  ['doppler', { valued: 'p project c config', printsSecret: [{ words: /^secrets(?: get| download)?(?: |$)/, unless: /^--only-names$/ }], starts: { verbs: 'run', valued: 'f e p c env-file env project config' } }],
  ['infisical', { printsSecret: [{ words: /^(?:secrets|export)\b/ }], starts: { verbs: 'run', valued: 'f e p c env-file env project config' } }],
  ['chamber', { printsSecret: [{ words: /^(?:read|export|env)\b/ }], starts: { verbs: 'exec', skip: 1 } }],
  ['sops', { printsSecret: [
      { words: /^exec-env \S+ .*(?:env|printenv)/ },
      { words: /^(?:edit )?\S/, variable: /^(?:SUDO_|KUBE_)?(?:EDITOR|VISUAL)=\S*\b(?:cat|less|more|head|tail|bat|sed|grep|awk|cp|tee)\b/ },
      { option: /^(?:-d|--decrypt)$/, unless: /^(?:-i|--in-place|--output)/ },
      { words: /^decrypt\b/, unless: /^(?:-i|--in-place|--output)/ },
    ], files: ['uses'] }],
  ['ansible-vault', { valued: 'vault-password-file', printsSecret: [{ words: /^edit\b/, variable: /^(?:SUDO_|KUBE_)?(?:EDITOR|VISUAL)=\S*\b(?:cat|less|more|head|tail|bat|sed|grep|awk|cp|tee)\b/ }, { words: /^view (?!.*\.example)/ }, { line: /^decrypt\b.* --output[= ]-(?: |$)/ }], files: ['uses'] }],
  ['age rage', { printsSecret: [{ option: /^(?:-d|--decrypt)$/, unless: /^(?:-o|--output)/ }], files: ['shows'], prints: 'hidden' }],
  ['dotenvx', { valued: 'f', printsSecret: [{ words: /^(?:get|decrypt)\b/, unless: /^-(?:f|-env-file)$/ }], files: ['uses'], starts: { verbs: 'run', valued: 'f e p c env-file env project config' } }],
  ['docker-credential-desktop docker-credential-osxkeychain docker-credential-pass docker-credential-secretservice docker-credential-gcr docker-credential-ecr-login docker-credential-helper', { printsSecret: [{ words: /^get\b/ }] }],
  ['granted assume awsume', { printsSecret: [{ option: /^(?:--export|--env|-s)$/ }] }],
  ['git-credential-store git-credential-osxkeychain git-credential-manager git-credential-libsecret', { printsSecret: [{ words: /^get\b/ }] }],
];
