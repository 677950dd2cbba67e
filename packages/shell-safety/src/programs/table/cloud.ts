import {
  changesResources,
  changesSettings,
  destroysResources,
  hostRights,
  opensCloud,
  remoteCode,
  removesSystem,
} from '../../dangers.ts';
import { releases } from '../../rules/git-hooks.ts';
import type { DangerousCall, Program, Row } from '../program.ts';
import { ANY_VERB, ways } from './ways.ts';

const DRY =
  /^--(?:preview-only|endpoint-url=https?:\/\/(?:localhost|127\.|localstack|minio).*|dry-?run(?:=(?:true|client|server))?|dryrun|help|what-if|preview|diff)$/;
/** A verb that destroys, as the last word of a command or the first part of it: `delete-stack`, `instances delete`. */
const DESTROYS: readonly DangerousCall[] = [
  {
    words:
      /(?:^|[ -])(?:delete|destroy|terminate|purge|rm|remove|wipe|undelete|nuke|del|deprovision|drop)(?:-[a-z-]+|(?:instance|db|bucket|disk|cluster|vpc|user)\w*)?(?: |$)/i,
    unless: DRY,
    is: destroysResources,
  },
];

const destroys = ways(destroysResources, DRY);
const changes = ways(changesResources, DRY);
/** As {@link DESTROYS}, wherever the verb stands. */
const REMOVES: readonly DangerousCall[] = [destroys(ANY_VERB)];

const TERRAFORM: Program = {
  oneDash: true,
  valued: 'chdir',
  dangers: [
    destroys('run-all destroy-all, run-all destroy, run destroy-all, run destroy, destroy-all, destroy'),
    destroys('apply', /^-{1,2}replace=/),
    destroys('state push'),
    destroys('run-all apply, apply', /^-{1,2}destroy(?:=true)?$/),
    destroys('state rm'),
    destroys('workspace delete'),
    changes(
      'run-all apply, run-all import, run-all taint, run-all untaint, run-all force-unlock, run-all state mv, run-all state push, apply, import, taint, untaint, force-unlock, state mv, state push',
    ),
  ],
  printsSecret: [
    { words: 'output', option: /^-{1,2}(?:json|raw)$/ },
    { words: /^output \S*(?:passw|secret|token|key|credential|connection)/i },
    { words: 'state pull, state show' },
    { words: 'show', option: /^-{1,2}json$/ },
  ],
};

const KUBECTL: Program = {
  valued:
    'n namespace context cluster user kubeconfig s server l selector f filename k kustomize o output c container field-selector grace-period timeout patch p type clusterrole serviceaccount overrides image',
  dangers: [
    destroys(
      /^delete (?!\S+ (?:\S+-)?(?:tests?|tmp|e2e|ci)(?:-\S+)?$)(?!(?:(?:po|pods?|jobs?|rs|replicasets?|events?|ev|leases?|endpoints|ep)\b))/,
    ),
    destroys('delete', '--all{-namespaces,}{=true,} -A'),
    destroys('delete $', /^(?:-f|-k|--filename|--kustomize)=(?!.*(?:test|tmp|e2e|demo|example))/),
    changes('delete'),
    destroys('apply', '--prune'),
    destroys('patch', /^(?:-p|--patch)=.*"finalizers"\s*:\s*(?:null|\[\s*\])/),
    destroys(/^adm (?:prune\b|drain\b)/, '--confirm --force --delete-emptydir-data'),
    {
      words: 'create clusterrolebinding, create rolebinding',
      option: '--clusterrole=cluster-admin',
      is: opensCloud,
    },
    { words: 'run', option: '--privileged=true --privileged', is: hostRights },
    { words: 'config set-credentials', is: changesSettings },
    {
      words: 'config set-cluster',
      option: '--server --insecure-skip-tls-verify',
      is: { ...changesSettings, severity: 'medium' },
    },
    { words: /^debug (?:node\/|no\/)/, is: hostRights },
    {
      option: /^--overrides=.*(?:"(?:privileged|hostPID|hostIPC|hostNetwork)"\s*:\s*true|"hostPath")/s,
      is: hostRights,
    },
    destroys(/^config (?:delete-|unset )/),
    destroys('replace', '--force'),
    destroys('drain', '--delete-emptydir-data --delete-local-data --force --disable-eviction'),
    changes(
      'drain, cordon, taint, scale, apply, replace, patch, edit, set, rollout undo, rollout restart, annotate, label, autoscale, create, expose, run',
    ),
    destroys('scale', '--replicas=0'),
    destroys(/^delete .*\ue003/),
    { line: /^(?=(?:.* )?scale )(?=.* --replicas 0(?: |$))/, is: destroysResources },
  ],
  listsAll: /^(?:-\S+ )*get (?!.*(?: -l| --selector| --field-selector|\/))/,
  printsSecret: [
    {
      words: /^(?:get|describe) (?:\S+,)?secrets?(?:[/, ]|$)/,
      option:
        /^(?:-o|--output)=?=?(?:yaml|json|jsonpath|go-template|custom|template)(?!\S*\.metadata\b(?!\S*\.data))/,
    },
    { words: 'config view', option: /^--raw/ },
    { words: /^(?:create token|whoami)\b.*/, option: '-t --token' },
    { words: 'create token' },
    { words: 'config view', option: /^--flatten/ },
    { words: 'view-secret' },
    {
      words: 'edit secrets, edit secret',
      variable:
        /^(?:SUDO_|KUBE_)?(?:EDITOR|VISUAL)=\S*\b(?:cat|less|more|head|tail|bat|sed|grep|awk|cp|tee)\b/,
    },
  ],
};

const AWS: Program = {
  valued: 'profile region output query endpoint-url exclude include recursive-not query-string',
  dangers: [
    destroys('s3 rb'),
    {
      words: /^configure set \S*(?:access_key|secret|token|role_arn|credential_process)/,
      is: changesSettings,
    },
    { words: 'ec2-instance-connect send-ssh-public-key', is: opensCloud },
    destroys('s3 rm', '--recursive'),
    destroys('s3 sync', '--delete-all'),
    destroys(/^s3 rm (?!help$)(?!\S*(?:\/te?mp\/|test|scratch))/),
    changes('s3 rm'),
    {
      words:
        /^iam (?:(?:attach|put)-(?:user|role|group)-policy .*(?:AdministratorAccess|IAMFullAccess|PowerUserAccess|file:\/\/|\{)|create-user|create-login-profile|update-login-profile|update-assume-role-policy|add-user-to-group|create-policy-version|set-default-policy-version)\b/,
      unless: DRY,
      is: opensCloud,
    },
    {
      words:
        's3api put-bucket-acl, s3api put-object-acl, s3api put-bucket-policy, s3api put-public-access-block, s3api delete-public-access-block, ec2 modify-snapshot-attribute, ec2 modify-image-attribute, lambda add-permission, kms put-key-policy, kms create-grant, rds modify-db-snapshot-attribute, ecr set-repository-policy',
      unless: DRY,
      is: opensCloud,
    },
    { words: /^ec2 authorize-security-group-ingress .*(?:0\.0\.0\.0\/0|::\/0)/, unless: DRY, is: opensCloud },
    {
      words:
        /^(?:cloudtrail (?:stop-logging|delete-trail|update-trail)|guardduty (?:delete|update)-detector|configservice stop-configuration-recorder|logs delete-\S+|organizations (?:leave|close|remove)-\S+)/,
      unless: DRY,
      is: destroysResources,
    },
    destroys(/^s3 sync \S*empty/, '--delete'),
    changes('s3 sync', '--delete'),
    {
      line: /^(?=ecs update-service .*--desired-count[ =]0\b|autoscaling \S+ .*--(?:desired-capacity|max-size)[ =]0\b|rds modify-\S+ .*--no-deletion-protection|s3api put-bucket-versioning .*suspended|s3api put-bucket-lifecycle\S*|route53 change-resource-record-sets .*"delete"|dynamodb batch-write-item .*(?:DeleteRequest|del)|ec2 cancel-\S+ .*--terminate-instances|ssm send-command .*\b(?:rm -\w*r|reboot|shutdown|mkfs))/i,
      unless: DRY,
      is: destroysResources,
    },
    destroys(/^iam (?:deactivate-mfa-device|detach-\S+|remove-\S+)/),
    { line: /^(?=athena start-query-execution )(?=.*\bdrop\b)/i, is: destroysResources },
    destroys(
      /^(?!s3 )\S+ (?:(?:batch|admin|force)-(?:delete|disable)|delete|terminate|destroy|deregister|purge|schedule-key-deletion|disable-key|remove-permission|remove-tags|release|revoke|stop-db|delete-object)\S*/,
    ),
    changes(
      /^(?!s3 )\S+ (?:put|create|update|modify|stop|reboot|start|run|attach|detach|set|tag|untag|register|restore|associate|disassociate|authorize|deploy|invoke)\S*/,
    ),
  ],
  printsSecret: [
    { words: /^configure (?:get \S*(?:secret|token)|export-credentials)/ },
    { words: /^sts (?:get-session-token|assume-role\S*|get-federation-token)\b/ },
    { words: 'secretsmanager get-secret-value, secretsmanager batch-get-secret-value' },
    {
      words: 'ssm get-parameters-by-path, ssm get-parameters, ssm get-parameter-by-path, ssm get-parameter',
      option: '--with-decryption',
    },
    {
      words:
        'ecr get-login-password, ecr get-authorization-token, ecr-public get-login-password, ecr-public get-authorization-token',
    },
    {
      words:
        'codeartifact get-authorization-token, codeartifact get-token, eks get-authorization-token, eks get-token',
    },
    { words: 'iam create-access-key' },
    { words: 'kms decrypt' },
    {
      words:
        'ec2 create-key-pair, ec2 get-password-data, rds generate-db-auth-token, redshift get-cluster-credentials, lightsail download-default-key-pair, lightsail create-key-pair, lightsail get-relational-database-master-user-password, lightsail get-instance-access-details, iam create-service-specific-credential, appsync create-api-key, sso get-role-credentials, cognito-identity get-credentials-for-identity',
    },
    { words: 'apigateway get-api-keys, apigateway get-api-key', option: '--include-values --include-value' },
    {
      line: /^(?:lambda get-function(?:-configuration)?|cognito-idp describe-user-pool-client|ecs describe-task-definition|codebuild batch-get-projects|apprunner describe-service|elasticbeanstalk describe-configuration-settings)\b.*(?:Environment|ClientSecret|secrets?\b)/i,
    },
    {
      words:
        'iam list-access-keys, ssm get-parameter-history, rds-data, redshift-serverless get-credentials, ecr-public get-login-password, transfer describe-user, iot create-keys-and-certificate, acm export-certificate, workmail',
      option: /^--(?:with-decryption|passphrase|name)/,
    },
    {
      words:
        /^(?:redshift-serverless get-credentials|iot create-keys-and-certificate|acm export-certificate|connect get-federation-token|codecatalyst create-access-token|emr-containers get-\S*credentials)\b/,
    },
  ],
};

/** How programs for a service are asked for the tokens with which they log in to it. */
const TOKENS: readonly Omit<DangerousCall, 'is'>[] = [
  {
    words:
      /^(?:\S+ )?(?:(?:auth|iam|account|login|profile|user|access|api|db|org)[ :-])?(?:oauth-|auth-|access-|api-|api:core:|id-)?(?:(?:tokens?|keys?|api-keys?)[ :](?:create|show|print|get|generate|reveal|new)\b|(?:auth |print-\S*|oauth-|auth-)tokens?$|token-create|api-key-create)/,
  },
  {
    words:
      /^(?:config|configure|env|vars?|variables?|secrets?) (?:get|show|reveal|dump) ?\S*(?:token|secret|passw|key|credential)/i,
  },
  {
    words:
      'connection-string, password create, databases connection, database connection, registry docker-config, kubernetes cluster kubeconfig show, config dump, config --show',
  },
  { option: '--print-secret --show-secrets --show-secret --show-tokens --show-token --reveal' },
];

const THING =
  '(?:workflows?|apps?|applications?|projects?|sites?|services?|servers?|instances?|clusters?|databases?|dbs?|buckets?|volumes?|users?|orgs?|organizations?|teams?|repos?|repository|environments?|namespaces?|domains?|zones?|stacks?|droplets?|vms?|machines?|nodes?|accounts?|tenants?|ind(?:ex|ices)|collections?|queues?|topics?|deployments?|functions?|workspaces?|backups?|snapshots?|releases?|sandbox(?:es)?|postgres|mysql|redis|mongo)';
const GOES = '(?:delete|destroy|terminate|purge|remove|rm|drop|nuke|teardown|wipe)';

/** A program of which nothing is known: it may be that of a service, which call what they delete and show alike. */
export const anyService: Program = {
  dangers: [
    {
      words: new RegExp(`^(?:[\\w-]+[ :])?${THING}[ :-]${GOES}(?: |$)|^${GOES}[ :-]${THING}(?: |$)`, 'i'),
      unless: DRY,
      is: destroysResources,
    },
  ],
  printsSecret: TOKENS,
};

const DOCTL: Program = {
  dangers: [
    ...DESTROYS,
    destroys(/(?:^| )(?:DeleteInstance|TerminateInstances|\S*-delete|rebuild|(?:system )?reset)\b/),
  ],
  printsSecret: TOKENS,
};

const KIND: Program = {
  dangers: [
    destroys('cluster delete, delete', '-a --all --purge'),
    { words: 'cluster delete, delete', is: changesResources },
  ],
};

const FLY: Program = {
  valued: 'a app c config C command',
  dangers: [
    ...DESTROYS,
    destroys('scale count 0, ips release'),
    changes('deploy, scale, suspend, secrets set, secrets unset'),
  ],
  printsSecret: TOKENS,
};

const VERCEL: Program = {
  valued: 'o output project token scope cwd db-url command c',
  statements: true,
  dangers: [
    destroys('remove, rm, delete, down, destroy'),
    destroys(
      /^\S*(?:sites?|apps?|projects?|databases?|db|d1|kv|r2|env|domains|secrets?|buckets?|branch(?:es)?|functions?|services?|firestore|database|hosting|auth|branches|teardown|volumes?|environments?|queues|pages project|alias|dns|blob|group|keys|kv namespace|r2 bucket|collections?|indices|index)[: ](?:\S+ )?(?:remove|rm|del|delete|destroy|disable|reset|delete-all)\b/,
    ),
    destroys('import', '--replace-all'),
    destroys('stop', '--no-backup'),
    destroys(
      'data clear, db reset, migration repair, services delete, backups delete, backups restore, backup delete, backup restore, rollback, unlink',
    ),
    destroys('*:{delete,remove,destroy}'),
    destroys('firestore:delete, database:remove, hosting:disable, functions:delete, teardown'),
    changes(/^(?:deploy|publish|promote|rollback|link|up)\b|(?:^|:|--)deploy\b/),
  ],
  printsSecret: [
    ...TOKENS,
    {
      words:
        '{login:ci,env:{list,get,export,clone},env {get,export},functions:{config:get,secrets:access},variable{s,},projects api-keys,secrets get}, token{s,} *',
    },
    { words: 'env pull' },
    { words: 'status', option: /^(?:-o=|--output=)/ },
    {
      words:
        'apps:config print, apps:config show, apps:config dump, vars print, vars show, vars dump, envs print, envs show, envs dump, env print, env show, env dump',
    },
  ],
};

const GH: Program = {
  valued: 'R repo X method H f F visibility',
  dangers: [
    destroys('repo delete, project delete'),
    destroys('api', '-X{=,}DELETE --method=DELETE'),
    { words: 'repo edit', option: '--visibility=public', is: opensCloud },
    { words: 'ssh-key add', is: opensCloud },
    { words: 'repo deploy-key add, deploy-key add', option: '-w --allow-write', is: opensCloud },
    destroys(
      'label delete, release delete, secret delete, variable delete, ssh-key delete, gpg-key delete, codespace delete, ruleset delete, issue delete, gist delete, environment delete, mr delete, snippet delete, cache delete, runner delete',
    ),
    destroys('repo archive, repo deploy-key delete'),
    { line: /^(?=api graphql .*mutation.*\bdelete\w)/i, is: destroysResources },
    changes(
      '{release,secret,variable,run,workflow,gist,label,ssh-key,gpg-key,cache,environment,issue,codespace,repo deploy-key,extension} {delete,remove,disable,cancel}',
    ),
    changes('repo archive, repo edit, repo rename, pr merge, workflow run'),
  ],
  printsSecret: [
    { words: 'auth token' },
    { words: 'auth status', option: '-t --show-token' },
    { words: /^config get\b.*token/ },
    { words: 'variable get, variable export' },
    { words: 'auth git-credential get' },
  ],
};

const VAULT: Program = {
  oneDash: true,
  valued: 'address namespace field mount format',
  dangers: [
    destroys(
      'secrets disable, auth disable, kv destroy, kv metadata delete, kv delete, delete, lease revoke, policy delete, operator seal, operator rekey, audit disable, token revoke, namespace delete',
    ),
    changes('kv put, kv delete, kv patch, write, operator'),
  ],
  printsSecret: [
    {
      words:
        'kv get, read, token create, token lookup, print token, unwrap, operator init, operator generate-root',
    },
  ],
};

const VAGRANT: Program = {
  dangers: [
    destroys('destroy, undefine, purge, delete, unregistervm', '--all --purge --delete --remove-all-storage'),
    destroys('purge, factory-reset, closemedium, snapshot delete'),
    destroys('delete', '-f --force'),
    changes('destroy, delete, undefine, purge, unregistervm, vm-destroy, vm-uninstall'),
  ],
};

const NPM: Program = {
  listsAll: /^(?:ls|list|ll)\b.*(?: -\w*g|--global)/,
  valued: 'w workspace C dir filter prefix registry',
  dangers: [
    destroys('npm unpublish, unpublish'),
    destroys('access revoke, org rm, team destroy, team rm, token revoke, dist-tag rm * latest'),
    {
      words:
        /^(?:config )?set (?:script-shell|node-options|shell|init-module|prefix|globalconfig|userconfig)[ =]/,
      is: changesSettings,
    },
    {
      words: /^(?:config )?set (?:\S*:)?(?:registry|npmRegistryServer)[ =]http:\/\/(?!localhost|127\.)/,
      is: changesSettings,
    },
    { line: /^(?=(?:.* )?(?:rm|uninstall|un|remove)(?: |$))(?=.*\ue003)/, is: removesSystem },
    destroys('deprecate, owner rm, dist-tag rm, npm tag remove'),
    { words: /^(?:config )?set .*(?:_authToken|_auth|_password)\b/, is: changesSettings },
    { words: /^(?:config )?set strict-ssl[ =]false\b/, is: changesSettings },
    {
      words:
        /^(?:i|install|add|exec|x|dlx) (?:\S+ )*https?:\/\/(?!(?:github|gitlab)\.com\/|pkg\.pr\.new\/|localhost|127\.)/,
      is: remoteCode,
    },
    {
      line: /^(?=(?:i|install|add|ci) )(?=(?:.* )?--registry[= ]http:\/\/(?!localhost|127\.))/,
      is: remoteCode,
    },
    changes('publish, dist-tag add, owner add, access'),
  ],
  printsSecret: [
    { words: /^config (?:get|list) \S*(?:_authToken|_auth|_password|token)/i },
    { words: 'token create, token list' },
    { words: 'config ls, config list', option: '-l --json' },
  ],
};

const CARGO: Program = {
  dangers: [
    destroys('yank, unpublish, delete, trunk delete', /^(?!--undo)/),
    destroys('yank, unpublish, delete, trunk delete'),
    destroys('owner', '-r --remove'),
    changes('publish, push, upload, owner'),
  ],
};

/** Clouds, clusters and what sets them up. */
// biome-ignore format: a table has its rows in lines
export const cloud: readonly Row[] = [
  ['terraform tofu terragrunt', { ...TERRAFORM, files: ['uses'], runs: { verbs: 'console' } }],
  ['pulumi', { valued: 's stack C cwd', dangers: [
      destroys('destroy, down, stack rm, state delete'),
      changes('up, update, refresh, import, cancel'),
    ], printsSecret: [{ option: '--show-secrets' }, { words: /^config get .*(?:secret|token|passw|key)/i }, { words: 'stack export, env open, env get' }] }],
  ['chalice zappa apex claudia arc up architect', { dangers: [destroys('delete, undeploy, destroy, stack delete')] }],
  ['eb', { starts: { verbs: 'ssh', commandIn: '-c --command', skip: 'all' }, dangers: [destroys('terminate')], printsSecret: [{ words: 'printenv' }] }],
  ['cdk cdktf sst sls serverless sam copilot amplify', { dangers: [
      destroys('destroy, remove, delete, app delete, env delete, svc delete, job delete, gc'),
      changes('deploy'),
    ] }],
  ['kubectl oc k kubecolor microk8s.kubectl', { ...KUBECTL, files: ['uses', 'feeds'], container: true, copiesWhen: 'cp', noOutput: true }],
  ['helm', { valued: 'n namespace kube-context f values set', dangers: [
      destroys(/^(?:uninstall|delete|del|un)\b(?!.*\b(?:tests?|preview|tmp|e2e|ci)\b)/),
      changes('upgrade, install, rollback'),
    ], printsSecret: [{ words: 'get values, get all', option: '-a --all' }], files: ['uses', 'feeds'] }],
  ['argocd flux', { printsSecret: [{ words: 'account generate-token, admin initial-password' }], dangers: [
      destroys(/^(?:app|proj|cluster|repo|appset|account|delete|uninstall) ?(?:delete|rm|remove)?\b.*/, /^--cascade|^--all$/),
      destroys('app delete, app rm, proj delete, proj rm, cluster delete, cluster rm, repo delete, repo rm, appset delete, appset rm'),
      destroys('delete, uninstall'),
      changes('app sync, app set, suspend, resume'),
    ] }],
  ['aws', { ...AWS, files: ['uses'], remote: [[/\bs3 cp\b/, / s3:\/\/\S+/, / -$/], [/\bget-(?:object|parameters?|secret-value)\b/]], copiesWhen: 'cp mv sync put-object', fetches: 'remote' }],
  ['awslocal tflocal', { files: ['uses'] }],
  ['gcloud', { valued: 'project zone region account format configuration plaintext-file ciphertext-file key keyring location', dangers: [
      ...DESTROYS, destroys('services disable', '--force'), { line: /^(?=container clusters resize .*--(?:num-nodes|size)[ =]0\b)/, is: destroysResources }, destroys('sql backups restore'), changes(/(?: |^)(?:deploy|update|create|stop|reset|resize|set-iam-policy|add-iam-policy-binding|remove-iam-policy-binding)\b/),
      { line: /^(?=(?:.* )?(?:add-iam-policy-binding|set-iam-policy) )(?=.*(?:roles\/(?:owner|editor)|[aA]dmin\b|allUsers|allAuthenticatedUsers))/, is: opensCloud },
      { line: /^(?=(?:.* )?firewall-rules (?:create|update) )(?=.*0\.0\.0\.0\/0)/, is: opensCloud },
      { line: /^compute (?:os-login ssh-keys add|(?:project-info|instances) add-metadata .*\bssh-keys=)/, is: opensCloud },
    ], printsSecret: [
      { words: 'auth application-default print-access-token, auth application-default print-identity-token, auth print-access-token, auth print-identity-token, sql generate-login-token' },
      { words: 'secrets versions access' },
      { words: 'iam service-accounts keys create' },
      { words: 'config config-helper' },
      { words: 'kms decrypt', option: '--plaintext-file=-' },
    ], files: ['uses'], starts: { verbs: 'compute', commandIn: '--command', skip: 'all' }, remote: [[/\bstorage cat\b/], [/\bstorage cp\b/, / gs:\/\/\S+ -$/]], copiesWhen: 'cp mv rsync scp', fetches: 'remote' }],
  ['gsutil', { valued: 'h o', dangers: [
      destroys('rb'),
      destroys('rm', '-r -R -a'),
      destroys(/^rm .*\*/),
      { words: 'rsync', option: '-d', unless: '-n', is: destroysResources },
      changes('rm'),
      { words: /^(?:iam|acl) (?:ch|set)\b.*(?:allUsers|allAuthenticatedUsers|public-read)/, is: opensCloud },
    ], files: ['uses'], remote: [[/\bcat\b/], [/\bcp\b/, / gs:\/\/\S+ -$/]], copiesWhen: 'cp mv rsync', fetches: 'remote' }],
  ['bq', { statements: true, dangers: [destroys('rm')] }],
  ['az', { valued: 'g resource-group n name subscription o output query f file', dangers: [
      ...DESTROYS, { line: /^(?=backup protection disable .*--delete-backup-data true|deployment group create .*--mode complete)/i, is: destroysResources }, { line: /^(?=(?:vm|aks|webapp) (?:stop|deallocate|delete) .*\ue000)/, is: destroysResources }, changes(/(?: |^)(?:create|update|stop|restart|deallocate|set|deploy)\b/),
      { line: /^(?=role assignment create )(?=.*(?:Owner|Contributor|User Access Administrator)\b)/, is: opensCloud },
      { line: /^(?=network nsg rule create )(?=.*(?:--source-address-prefixes? ['"]?(?:\*|0\.0\.0\.0\/0|Internet)))/i, is: opensCloud },
    ], printsSecret: [
      { words: 'account get-access-token' },
      { words: 'acr login', option: '--expose-token' },
      { words: 'keyvault secret show, keyvault secret download, keyvault key show, keyvault key download' },
      { words: /^(?:storage|cosmosdb|redis|servicebus|eventhubs|acr|cognitiveservices)\b.* (?:keys|list-keys|credential|show-connection-string|keys list)\b/ },
      { words: 'aks get-credentials', option: '-f=- --file=-' },
      { words: 'ad sp create-for-rbac, ad sp credential reset, ad app create-for-rbac, ad app credential reset' },
      { words: /^(?:webapp|functionapp|sql|appconfig|iot|eventgrid|search|maps|batch|signalr|relay|notification-hub)\b.* (?:appsettings list|keys? list|list-keys|show-connection-string|list-connection-strings|connection-string\b.*|list-publishing-\S+|credential\S* list)/ },
    ], files: ['uses'], remote: [[/\bblob download\b/]], copiesWhen: 'upload{-batch,}' }],
  ['aws-nuke cloud-nuke', { dangers: [{ line: /^(?=.*--no-dry-run)|^(?:aws|gcp|azure)\b/, is: destroysResources }] }],
  ['doctl linode-cli hcloud vultr-cli vultr yc cinder neutron ovhai rosa talosctl clusterctl vcluster tkn longhornctl ossutil coscmd crc microk8s microk8s.reset scw ibmcloud oci aliyun tccli civo exo upctl openstack nova hetzner-kube kops gh-cost ovhcloud eksctl', { ...DOCTL, files: ['uses'] }],
  ['kind k3d k0s', { ...KIND, files: ['uses'] }],
  ['minikube', { ...KIND, starts: { verbs: 'ssh', valued: 'p n profile node', joins: 'all' } }],
  ['heroku', { valued: 'a app r remote c command', statements: true, dangers: [
      destroys('apps:destroy, destroy, pg:reset, addons:destroy, pipelines:destroy, spaces:destroy, domains:clear, pg:backups:delete, repo:reset, pg:copy, pg:killall, redis:destroy, redis:reset'),
      destroys('ps:scale *=0'),
      { words: 'keys:add, access:add', is: opensCloud },
      changes('config:set, config:unset, ps:scale, ps:stop, ps:restart, ps:kill, releases:rollback, maintenance:on, access:remove'),
    ], printsSecret: [{ words: 'auth:token, config:get, config, pg:credentials:url' }], starts: { verbs: 'run run:detached', valued: 'a app r remote s size', joins: 'all' } }],
  ['flyctl fly', { ...FLY, files: ['uses'], starts: { verbs: 'ssh', commandIn: '-C --command', skip: 'all' } }],
  ['vercel netlify firebase wrangler railway render supabase turso neonctl neon planetscale pscale appwrite surge convex', { ...VERCEL, files: ['uses'] }],
  ['gh glab hub', { ...GH, files: ['tells'], remote: [[/\b(?:api|gist view|snippet view)\b/], [/\brelease download\b/, / -O -/]], namesPrograms: true, copiesWhen: 'gist upload snippet' }],
  ['vault bao', { ...VAULT, files: ['uses', 'feeds'] }],
  ['consul', { oneDash: true, printsSecret: [{ words: 'acl bootstrap, acl token list, acl token read, acl token create' }, { words: /^kv get .*(?:passw|secret|token|key)/i }, { words: 'kv get, kv export', option: '--recurse -recurse' }], dangers: [destroys('leave, force-leave, snapshot restore, services deregister, acl token delete, acl policy delete'), destroys('kv delete', '--recurse -recurse'), changes('kv put, kv delete')] }],
  ['kubeadm rke rke2 k0sctl', { dangers: [destroys('reset, remove')] }],
  ['k3s-uninstall.sh k3s-agent-uninstall.sh rke2-uninstall.sh rke2-killall.sh', { dangers: [destroys(/^/)] }],
  ['s5cmd', { files: ['sends'], dangers: [destroys('rb, rm', /^(?!--dry-run)/), destroys(/^rm .*\*/), destroys('rb, rm')] }],
  ['databricks', { dangers: [destroys('* * permanent-delete, * * delete, * * rm, * * destroy, * permanent-delete, * delete, * rm, * destroy, * permanent-delete, * delete, * rm, * destroy, permanent-delete, delete, rm, destroy')], printsSecret: [{ words: 'auth token, tokens create, secrets get-secret' }, { words: 'auth env' }] }],
  ['hdfs hadoop', { dangers: [
      { line: /^(?:dfs|fs) (?:\S+ )*-(?:rm|rmr|rmdir|expunge|deleteSnapshot|truncate)\b/, is: destroysResources },
      { line: /^(?:namenode -format|fsck .*-delete|dfsadmin -(?:finalizeUpgrade|shutdownDatanode))/, is: destroysResources },
    ] }],
  ['airflow dagster prefect', { dangers: [destroys('db reset, db clean, dags delete, tasks clear, connections delete, variables delete, pools delete, deployment delete, flow delete, work-pool delete')], printsSecret: [{ words: 'connections get, connections list, connections export, variables get, variables export, config get-value' }] }],
  ['ceph', { dangers: [destroys('osd pool {delete,rm}, osd purge, osd destroy, fs rm')] }],
  ['memcflush memcrm', { dangers: [{ unless: DRY, is: destroysResources }] }],
  ['helmfile', { dangers: [destroys('destroy, delete'), changes('apply, sync')] }],
  ['b2', { files: ['sends'], dangers: REMOVES }],
  ['puppetserver knife chef-server-ctl salt-key', { dangers: [...REMOVES, destroys('cleanse'), { option: /^-[dD]$|^--delete/, is: destroysResources }] }],
  ['fab cap', { dangers: [destroys(/(?:^| |:)(?:destroy|teardown|wipe)\b/)] }],
  ['stripe', { dangers: [...REMOVES, destroys('subscriptions cancel')], printsSecret: [...TOKENS, { words: 'config', option: '--list' }] }],
  ['velero istioctl rancher cf govc sentry-cli ipa samba-tool flarectl sfdx', { dangers: REMOVES }],
  ['mc s3cmd', { files: ['sends'], remote: [[/\b(?:cat|get)\b/, / ?-?$/]], fetches: 'remote', dangers: [
      destroys('rb'),
      destroys('rm, del', '-r --recursive'),
      changes('rm, del'),
    ] }],
  ['supervisorctl', { dangers: [destroys('stop all, shutdown, remove'), changes('stop, shutdown, restart')] }],
  ['lxc incus', { starts: { verbs: 'exec', skip: 1, valued: 'cwd env user' }, copiesWhen: 'push', dangers: [
      { line: /(?:security\.privileged[= ]true|raw\.lxc)/, is: hostRights },
      { line: /^config device add (?:\S+ )*source=\/(?:etc|root|var|home)?\/?(?: |$)/, is: hostRights },
      destroys('delete, rm', '-f --force'),
      destroys('storage delete, storage remove, storage rm, storage volume delete, storage volume remove, storage volume rm, project delete, project remove, project rm, network delete, network remove, network rm, profile delete, profile remove, profile rm, cluster delete, cluster remove, cluster rm'),
      changes('delete, rm'),
    ] }],
  ['etcdctl', { printsSecret: [{ words: /^get (?:\/registry\/secrets|\/(?: |$))/ }, { words: 'get', option: '--from-key --from-key=true' }], dangers: [
      destroys('member remove, snapshot restore, user delete, role delete'),
      destroys('del', '--prefix=true --prefix --from-key=true --from-key'),
      changes('del, put'),
    ] }],
  ['nomad', { oneDash: true, printsSecret: [{ words: 'acl bootstrap, var get' }], dangers: [
      destroys('job stop, stop', '--purge --yes --force -purge -yes -force'),
      destroys('volume delete, namespace delete, node purge, node drain'),
      changes('job run, job stop, run, stop'),
    ] }],
  ['ansible-playbook', { valued: 'i inventory e extra-vars l limit t tags u user', dangers: [
      { words: /(?:^|[/_.-])(?:destroy|teardown|wipe|purge|decommission|uninstall)[\w.-]*\.ya?ml/, unless: '-C --check --syntax-check --list-tasks --list-hosts --list-tags', is: destroysResources },
      { option: /^(?:-t|--tags)=(?:.*,)?(?:destroy|teardown|wipe|purge)/, unless: '-C --check', is: destroysResources },
      { unless: '-C --check --syntax-check --list-tasks --list-hosts --list-tags', is: changesResources },
    ], files: ['uses'] }],
  ['vagrant', { ...VAGRANT, starts: { commandIn: '-c --command', skip: 'all' } }],
  ['multipass', { ...VAGRANT, starts: { verbs: 'exec', skip: 1, valued: 'd working-directory' }, copiesWhen: 'transfer' }],
  ['limactl', { ...VAGRANT, starts: { verbs: 'shell', skip: 1, valued: 'workdir shell' } }],
  ['prlctl vmrun pvesh pvecm lxc-destroy lxc-delete', { dangers: [destroys(/^(?:delete|delnode|deleteVM|deleteSnapshot|reset|unregister)\b/i), { option: /^(?:-n|--name)/, unless: DRY, is: destroysResources }] }],
  ['virsh', { dangers: [destroys('undefine, vol-delete, pool-delete, pool-destroy, snapshot-delete, snapshot-revert, vol-wipe, net-undefine, net-destroy, destroy'), changes('shutdown, reset')] }],
  ['vboxmanage', { ...VAGRANT }],
  ['qm pct xe', { dangers: [destroys('destroy, vm-destroy, vm-uninstall')] }],
  ['npm', { ...NPM, files: ['uses'], starts: { verbs: 'exec x', valued: 'p w package workspace', commandIn: '-c --call', packages: true }, rules: [releases], carries: { patterns: [/^scripts\.[\w:-]+=(.+)$/gs] } }],
  ['pnpm', { ...NPM, files: ['uses'], starts: { verbs: 'exec dlx', commandIn: '-c --shell-mode', valued: 'C F dir filter package', packages: true }, rules: [releases], carries: { patterns: [/^scripts\.[\w:-]+=(.+)$/gs] } }],
  ['yarn', { ...NPM, files: ['uses'], starts: { verbs: 'exec dlx run', valued: 'p package', packages: true }, namesPrograms: true, rules: [releases] }],
  ['gem', { ...CARGO, namesPrograms: true, dangers: [...(CARGO.dangers ?? []), { line: /(?:^| )(?:-s|--source|--clear-sources -s)[= ]http:\/\/(?!localhost|127\.)/, is: remoteCode }] }],
  ['cargo twine nuget pod vsce ovsx', { ...CARGO, files: ['uses'], namesPrograms: true }],
  ['jf jfrog', { printsSecret: [{ words: 'config export, c export, access-token-create' }], dangers: [destroys('rt del, rt delete, rt repo-delete, rt bp, del, delete, repo-delete, bp')] }],
  ['conan', { dangers: [destroys('remove', '-f --force -c --confirm')] }],
  ['skopeo crane regctl', { dangers: [destroys('delete, tag delete, manifest delete, repo delete')] }],
  ['tea', { dangers: [destroys('repos delete, repo delete, releases delete, release delete')] }],
  ['algolia upstash auth0 newrelic twilio', { dangers: REMOVES, printsSecret: TOKENS }],
  ['eas eas-cli', { dangers: [destroys('project:delete, branch:delete, channel:delete, env:delete, update:delete')], printsSecret: [{ words: 'env:list, env:get, env:pull, credentials' }] }],
  ['poetry', { ...CARGO, printsSecret: [{ words: /^config (?:pypi-token|http-basic)\.[\w-]+$/ }], starts: { verbs: 'run', valued: 'n p C with python project directory name prefix env-file' } }],
];
