// Written by `scripts/syntax.ts`. Names of verbs and options are from @withfig/autocomplete 2.692.3: see NOTICE.
// biome-ignore-all format: a line is a verb

/**
 * How programs are called: a line for each verb, behind the verbs that it belongs to, with its options. `|` stands between names
 * of the same verb or option. An option with `=` has a value, one with `[=]` only a value that is attached to it.
 */
export const SPECS: Readonly<Record<string, string>> = {
  'amplify': `
:
env:
env get: --name=
env import: --name= --config= --awsInfo=`,
  'ansible-playbook': `
: --skip-tags= --start-at-task= --vault-id= --vault-password-file= --check|-C --diff|-D --module-path|-M= --extra-vars|-e= --forks|-f= --help|-h --inventory|-i= --limit|-l= --tags|-t= --verbose|-v --become-method= --become-user= --ask-become-pass|-K --become|-b --private-key|--key-file= --scp-extra-args= --sftp-extra-args= -ssh-extra-args= --ssh-common-args= --timeout|-T= --connection|-c= --ask-pass|-k --user|-u=`,
  'argo': `
: --argo-base-href= --argo-server|-s= --as= --as-group= --as-uid= --certificate-authorityk= --client-certificate= --client-key= --cluster= --context= --gloglevel= --header|-H= --help|-h --insecure-skip-verify|-k --instanceid= --kubeconfig= --loglevel= --namespace|-n= --password= --proxy-url= --request-timeout= --secure|-e --server= --tls-server-name= --token= --user= --username= --verbose|-v
archive:
archive get: --output|-o=
archive list: --chunk-size= --help|-h --output|-o= --selector|-l=
archive list-label-values: --help|-h --selector|-l=
archive resubmit: --field-selector= --help|-h --output|-o= --parameter|-p= --priority= --selector|-l= --wait|-w
archive retry: --field-selector= --help|-h --node-field-selector= --output|-o= --parameter|-p= --selector|-l= --wait|-w
cluster-template|cwftmpl|cwft:
cluster-template|cwftmpl|cwft create: --help|-h --output|-o=
cluster-template|cwftmpl|cwft delete: --help|-h
cluster-template|cwftmpl|cwft get: --help|-h --output|-o=
cluster-template|cwftmpl|cwft lint: --help|-h --output|-o=
cluster-template|cwftmpl|cwft list: --help|-h --output|-o=
completion: --help|-h
cp: --artifact-name= --help|-h --node-id= --path= --template-name=
cron:
cron create: --entrypoint= --generate-name= --help|-h --labels|-l= --name= --output|-o= --parameter|-p= --parameter-file|-f= --schedule= --serviceaccount=
cron delete: --help|-h
cron get: --help|-h --output|-o=
cron lint: --help|-h --output|-o=
cron list: --all-namespaces|-A --chunk-size= --field-selector= --help|-h --older= --output|-o= --prefix= --selector|-l= --since= --status=
delete: --all-namespaces|-A --field-selector= --help|-h --older= --prefix= --selector|-l=
get: --help|-h --node-field-selector= --output|-o= --status=
lint: --help|-h --kinds= --output|-o=
list: --all-namespaces|-A --chunk-size= --field-selector= --help|-h --older= --output|-o= --prefix= --selector|-l= --since= --status=
logs: --container|-c= --follow|-f --grep= --help|-h --previous|-p --selector|-l= --since= --since-time= --tail=
node: --help|-h --message|-m= --node-field-selector= --output-parameter|-p= --phase=
resubmit: --field-selector= --help|-h --output|-o= --parameter|-p= --priority= --selector|-l= --wait|-w
resume: --help|-h --node-field-selector=
retry: --field-selector= --help|-h --node-field-selector= --output|-o= --parameter|-p= --selector|-l= --wait|-w
server: --access-control-allow-origin= --allowed-link-protocol= --api-rate-limit= --auth-mode= --basehref= -b|--browser --configmap= --event-operation-queue-size= --event-worker-count= -h|--help --log-format= --managed-namespace= -p|--port= --tls-certificate-secret-name= --x-frame-options=
stop: --field-selector= -h|--help --message= --node-field-selector= -l|--selector=
submit: --entrypoint= --from= --generate-name= -h|--help -l|--labels= --name= --node-field-selector= -o|--output= -p|--parameter= -f|--parameter-file= --priority= --scheduled-time= --serviceaccount= --status= -w|--wait
suspend: -h|--help
template: -h|--help
template create: --help|-h --output|-o=
template delete: -h|--help
template get: -h|--help -o|--output=
template lint: --help|-h --output|-o=
template list: --all-namespaces|-A --help|-h --output|-o=
terminate: --field-selector= -h|--help -l|--selector=
version: --help|-h
wait: -h|--help
watch: -h|--help --node-field-selector= --status=`,
  'atlas': `
: --profile|-P= --help|-h
config:
config ls|list: --output|-o=
config get|describe: --output|-o=
config mv|rename:
config rm|delete:
quickstart: --accessListIp= --clusterName= --default|-Y --password= --projectId= --provider= --region|-r= --tier= --username=
project|projects:
project|projects ls|list: --limit= --orgId= --output|-o= --page=
project|projects create: --orgId= --output|-o= --ownerId=
project|projects rm|delete:
project|projects show|get|describe: --output|-o=
project|projects apikeys|api-keys|apiKey|apikey|api-key|apiKeys:
project|projects apikeys|api-keys|apiKey|apikey|api-key|apiKeys ls|list: --limit= --output|-o= --page= --projectId=
project|projects apikeys|api-keys|apiKey|apikey|api-key|apiKeys create: --desc= --output|-o= --projectId= --role=
project|projects apikeys|api-keys|apiKey|apikey|api-key|apiKeys rm|delete: --projectId=
project|projects apikeys|api-keys|apiKey|apikey|api-key|apiKeys update|assign: --output|-o= --projectId= --role=
project|projects user|users:
project|projects user|users ls|list: --limit= --output|-o= --page= --projectId=
project|projects user|users rm|delete: --projectId=
project|projects team|teams:
project|projects team|teams ls|list: --limit= --output|-o= --page= --projectId=
project|projects team|teams add: --output|-o= --projectId= --role=
project|projects team|teams rm|delete: --projectId=
project|projects team|teams updates|update: --output|-o= --projectId= --role=
project|projects invitation|invitations:
project|projects invitation|invitations ls|list: --email= --output|-o= --projectId=
project|projects invitation|invitations get|describe: --output|-o= --projectId=
project|projects invitation|invitations rm|delete: --projectId=
project|projects invitation|invitations create|invite: --output|-o= --projectId= --role= --teamId=
project|projects invitation|invitations updates|update: --email= --output|-o= --projectId= --role=
organization|orgs|org|organizations:
organization|orgs|org|organizations ls|list: --limit= --name= --output|-o= --page=
organization|orgs|org|organizations show|describe: --output|-o=
organization|orgs|org|organizations create: --output|-o=
organization|orgs|org|organizations rm|delete:
organization|orgs|org|organizations apikeys|api-keys|apiKey|apikey|api-key|apiKeys:
organization|orgs|org|organizations apikeys|api-keys|apiKey|apikey|api-key|apiKeys ls|list: --limit= --orgId= --output|-o= --page=
organization|orgs|org|organizations apikeys|api-keys|apiKey|apikey|api-key|apiKeys show|describe: --orgId= --output|-o=
organization|orgs|org|organizations apikeys|api-keys|apiKey|apikey|api-key|apiKeys updates|assign: --desc= --orgId= --output|-o= --role=
organization|orgs|org|organizations apikeys|api-keys|apiKey|apikey|api-key|apiKeys create: --desc= --orgId= --output|-o= --role=
organization|orgs|org|organizations apikeys|api-keys|apiKey|apikey|api-key|apiKeys rm|delete: --orgId=
organization|orgs|org|organizations apikeys|api-keys|apiKey|apikey|api-key|apiKeys accesslists|access-lists|accessList|accesslist|access-list|whitelists|whitelist|accessLists:
organization|orgs|org|organizations apikeys|api-keys|apiKey|apikey|api-key|apiKeys accesslists|access-lists|accessList|accesslist|access-list|whitelists|whitelist|accessLists ls|list: --limit= --orgId= --output|-o= --page=
organization|orgs|org|organizations apikeys|api-keys|apiKey|apikey|api-key|apiKeys accesslists|access-lists|accessList|accesslist|access-list|whitelists|whitelist|accessLists create: --apiKey= --cidr= --ip= --orgId= --output|-o=
organization|orgs|org|organizations apikeys|api-keys|apiKey|apikey|api-key|apiKeys accesslists|access-lists|accessList|accesslist|access-list|whitelists|whitelist|accessLists rm|delete: --apiKey= --orgId=
organization|orgs|org|organizations user|users:
organization|orgs|org|organizations user|users ls|list: --limit= --orgId= --output|-o= --page=
organization|orgs|org|organizations invitation|invitations:
organization|orgs|org|organizations invitation|invitations ls|list: --email= --orgId= --output|-o=
organization|orgs|org|organizations invitation|invitations get|describe: --orgId= --output|-o=
organization|orgs|org|organizations invitation|invitations rm|delete: --orgId=
organization|orgs|org|organizations invitation|invitations updates|update: --email= --orgId= --output|-o= --role=
organization|orgs|org|organizations invitation|invitations create|invite: --orgId= --output|-o= --role= --teamId=
globalapikeys|global-api-keys|globalApiKey|globalapikey|global-api-key|globalApiKeys:
globalapikeys|global-api-keys|globalApiKey|globalapikey|global-api-key|globalApiKeys ls|list: --limit= --output|-o= --page=
globalapikeys|global-api-keys|globalApiKey|globalapikey|global-api-key|globalApiKeys show|describe: --output|-o=
globalapikeys|global-api-keys|globalApiKey|globalapikey|global-api-key|globalApiKeys create: --desc= --output|-o= --role=
globalapikeys|global-api-keys|globalApiKey|globalapikey|global-api-key|globalApiKeys update: --desc= --output|-o= --role=
globalapikeys|global-api-keys|globalApiKey|globalapikey|global-api-key|globalApiKeys rm|delete:
globalaccesslists|global-access-lists|globalAccessList|globalaccesslist|global-access-list|globalWhitelists|globalwhitelists|global-whitelists|globalWhitelist|globalwhitelist|global-whitelist|globalAccessLists:
globalaccesslists|global-access-lists|globalAccessList|globalaccesslist|global-access-list|globalWhitelists|globalwhitelists|global-whitelists|globalWhitelist|globalwhitelist|global-whitelist|globalAccessLists ls|list: --limit= --output|-o= --page=
globalaccesslists|global-access-lists|globalAccessList|globalaccesslist|global-access-list|globalWhitelists|globalwhitelists|global-whitelists|globalWhitelist|globalwhitelist|global-whitelist|globalAccessLists show|describe: --output|-o=
globalaccesslists|global-access-lists|globalAccessList|globalaccesslist|global-access-list|globalWhitelists|globalwhitelists|global-whitelists|globalWhitelist|globalwhitelist|global-whitelist|globalAccessLists create: --cidr= --desc= --output|-o=
globalaccesslists|global-access-lists|globalAccessList|globalaccesslist|global-access-list|globalWhitelists|globalwhitelists|global-whitelists|globalWhitelist|globalwhitelist|global-whitelist|globalAccessLists rm|delete:
user|users:
user|users invite: --country= --email= --firstName= --lastName= --mobile= --orgRole= --output|-o= --password= --projectRole= --username=
user|users get|describe: --id= --output|-o= --username=
user|users rm|delete:
team|teams:
team|teams ls|list: --limit= --orgId= --output|-o= --page=
team|teams get|describe: --id= --name= --orgId= --output|-o=
team|teams create: --orgId= --output|-o= --username=
team|teams user|users:
team|teams user|users ls|list: --orgId= --output|-o= --teamId=
team|teams user|users add: --orgId= --output|-o= --teamId=
team|teams user|users rm|delete: --orgId= --teamId=
team|teams rm|delete: --orgId=
cluster|clusters:
cluster|clusters ls|list: --limit= --output|-o= --page= --projectId=
cluster|clusters get|describe: --output|-o= --projectId=
cluster|clusters create: --diskSizeGB= --file|-f= --mdbVersion= --members|-m= --output|-o= --projectId= --provider= --region|-r= --shards|-s= --tier= --type=
cluster|clusters watch: --projectId=
cluster|clusters update: --diskSizeGB= --file|-f= --mdbVersion= --output|-o= --projectId= --tier=
cluster|clusters pause: --output|-o= --projectId=
cluster|clusters start: --output|-o= --projectId=
cluster|clusters rm|delete: --projectId=
cluster|clusters loadSampleData: --output|-o= --projectId=
cluster|clusters index|indexes:
cluster|clusters index|indexes create: --clusterName= --collection= --db= --key= --projectId=
cluster|clusters fts|search:
cluster|clusters fts|search index|indexes:
cluster|clusters fts|search index|indexes ls|list: --clusterName= --collection= --db= --limit= --output|-o= --page= --projectId=
cluster|clusters fts|search index|indexes create: --analyzer= --clusterName= --collection= --db= --field= --file|-f= --output|-o= --projectId= --searchAnalyzer=
cluster|clusters fts|search index|indexes describe: --clusterName= --output|-o= --projectId=
cluster|clusters fts|search index|indexes update: --analyzer= --clusterName= --collection= --db= --field= --file|-f= --indexName= --output|-o= --projectId= --searchAnalyzer=
cluster|clusters fts|search index|indexes rm|delete: --clusterName= --projectId=
cluster|clusters onlinearchives|online-archives|onlineArchive|onlinearchive|online-archive|onlineArchives:
cluster|clusters onlinearchives|online-archives|onlineArchive|onlinearchive|online-archive|onlineArchives ls|list: --clusterName= --limit= --output|-o= --page= --projectId=
cluster|clusters onlinearchives|online-archives|onlineArchive|onlinearchive|online-archive|onlineArchives describe: --clusterName= --output|-o= --projectId=
cluster|clusters onlinearchives|online-archives|onlineArchive|onlinearchive|online-archive|onlineArchives create: --archiveAfter= --clusterName= --collection= --dateField= --dateFormat= --db= --output|-o= --partition= --projectId=
cluster|clusters onlinearchives|online-archives|onlineArchive|onlinearchive|online-archive|onlineArchives update: --archiveAfter= --clusterName= --output|-o= --projectId=
cluster|clusters onlinearchives|online-archives|onlineArchive|onlinearchive|online-archive|onlineArchives start: --clusterName= --output|-o= --projectId=
cluster|clusters onlinearchives|online-archives|onlineArchive|onlinearchive|online-archive|onlineArchives pause: --clusterName= --output|-o= --projectId=
cluster|clusters onlinearchives|online-archives|onlineArchive|onlinearchive|online-archive|onlineArchives rm|delete: --clusterName= --projectId=
cluster|clusters onlinearchives|online-archives|onlineArchive|onlinearchive|online-archive|onlineArchives watch: --clusterName= --projectId=
cluster|clusters connectionstrings|connection-strings|connectionString|connectionstring|connection-string|cs|connectionStrings:
cluster|clusters connectionstrings|connection-strings|connectionString|connectionstring|connection-string|cs|connectionStrings get|describe: --output|-o= --projectId= --type=
cluster|clusters availableregions|available-regions|availableRegion|availableregion|available-region|availableRegions:
cluster|clusters availableregions|available-regions|availableRegion|availableregion|available-region|availableRegions ls|list: --output|-o= --projectId= --provider= --tier=
dbuser|dbusers:
dbuser|dbusers ls|list: --limit= --output|-o= --page= --projectId=
dbuser|dbusers get|describe: --authDB= --output|-o= --projectId=
dbuser|dbusers create: --awsIAMType= --deleteAfter= --ldapType= --output|-o= --password|-p= --projectId= --role= --scope= --username|-u= --x509Type=
dbuser|dbusers rm|delete: --authDB= --projectId=
dbuser|dbusers update: --output|-o= --password|-p= --projectId= --role= --scope= --username|-u=
dbuser|dbusers cert|certs:
dbuser|dbusers cert|certs ls|list: --output|-o= --projectId=
dbuser|dbusers cert|certs create: --monthsUntilExpiration= --output|-o= --projectId= --username=
customdbroles|custom-db-roles|customDbRole|customdbrole|custom-db-role|customDBRoles|customDbRoles:
customdbroles|custom-db-roles|customDbRole|customdbrole|custom-db-role|customDBRoles|customDbRoles create: --inheritedRole= --output|-o= --privilege= --projectId=
customdbroles|custom-db-roles|customDbRole|customdbrole|custom-db-role|customDBRoles|customDbRoles get|describe: --output|-o= --projectId=
customdbroles|custom-db-roles|customDbRole|customdbrole|custom-db-role|customDBRoles|customDbRoles ls|list: --limit= --output|-o= --page= --projectId=
customdbroles|custom-db-roles|customDbRole|customdbrole|custom-db-role|customDBRoles|customDbRoles rm|delete: --projectId=
customdbroles|custom-db-roles|customDbRole|customdbrole|custom-db-role|customDBRoles|customDbRoles update: --inheritedRole= --output|-o= --privilege= --projectId=
accesslists|access-lists|accessList|accesslist|access-list|whitelists|whitelist|accessLists:
accesslists|access-lists|accessList|accesslist|access-list|whitelists|whitelist|accessLists get|describe: --output|-o= --projectId=
accesslists|access-lists|accessList|accesslist|access-list|whitelists|whitelist|accessLists ls|list: --limit= --output|-o= --page= --projectId=
accesslists|access-lists|accessList|accesslist|access-list|whitelists|whitelist|accessLists create: --comment= --deleteAfter= --output|-o= --projectId= --type=
accesslists|access-lists|accessList|accesslist|access-list|whitelists|whitelist|accessLists rm|delete: --projectId=
datalakes|data-lakes|dataLake|datalake|data-lake|dataLakes:
datalakes|data-lakes|dataLake|datalake|data-lake|dataLakes ls|list: --output|-o= --projectId=
datalakes|data-lakes|dataLake|datalake|data-lake|dataLakes describe: --output|-o= --projectId=
datalakes|data-lakes|dataLake|datalake|data-lake|dataLakes create: --output|-o= --projectId= --role= --testBucket=
datalakes|data-lakes|dataLake|datalake|data-lake|dataLakes rm|delete: --projectId=
datalakes|data-lakes|dataLake|datalake|data-lake|dataLakes update: --output|-o= --projectId= --region= --role= --testBucket=
alert|alerts:
alert|alerts config|settings:
alert|alerts config|settings create: --apiKey= --event= --matcherFieldName= --matcherOperator= --matcherValue= --metricMode= --metricName= --metricOperator= --metricThreshold= --metricUnits= --notificationChannelName= --notificationDelayMin= --notificationEmailAddress= --notificationFlowName= --notificationIntervalMin= --notificationMobileNumber= --notificationOrgName= --notificationRegion= --notificationServiceKey= --notificationTeamId= --notificationToken= --notificationType= --notificationUsername= --notificationVictorOpsRoutingKey= --output|-o= --projectId=
alert|alerts config|settings ls|list: --limit= --output|-o= --page= --projectId=
alert|alerts config|settings rm|delete: --projectId=
alert|alerts config|settings field|fields:
alert|alerts config|settings field|fields types|type: --output|-o=
alert|alerts config|settings update: --apiKey= --event= --matcherFieldName= --matcherOperator= --matcherValue= --metricMode= --metricName= --metricOperator= --metricThreshold= --metricUnits= --notificationChannelName= --notificationDelayMin= --notificationEmailAddress= --notificationFlowName= --notificationIntervalMin= --notificationMobileNumber= --notificationOrgName= --notificationRegion= --notificationServiceKey= --notificationTeamId= --notificationToken= --notificationType= --notificationUsername= --notificationVictorOpsRoutingKey= --output|-o= --projectId=
alert|alerts get|describe: --output|-o= --projectId=
alert|alerts ls|list: --limit= --output|-o= --page= --projectId= --status=
alert|alerts ack|acknowledge: --comment= --forever|-F --output|-o= --projectId= --until=
alert|alerts unack|unacknowledge: --comment= --output|-o= --projectId=
alert|alerts global:
alert|alerts global ls|list: --limit= --output|-o= --page= --status=
backup|backups:
backup|backups snapshot|snapshots:
backup|backups snapshot|snapshots ls|list: --limit= --output|-o= --page= --projectId=
backup|backups snapshot|snapshots take|create: --desc= --output|-o= --projectId= --retention=
backup|backups snapshot|snapshots describe: --clusterName= --output|-o= --projectId=
backup|backups snapshot|snapshots watch: --clusterName= --projectId=
backup|backups snapshot|snapshots rm|delete: --clusterName= --projectId=
backup|backups restore|restores:
backup|backups restore|restores ls|list: --limit= --output|-o= --page= --projectId=
backup|backups restore|restores start: --clusterName= --oplogInc= --oplogTs= --output|-o= --pointInTimeUTCMillis= --projectId= --snapshotId= --targetClusterName= --targetProjectId=
event|events:
event|events ls|list: --limit= --maxDate= --minDate= --orgId= --output|-o= --page= --projectId= --type=
event|events organization|orgs|org|organizations:
event|events organization|orgs|org|organizations ls|list: --limit= --maxDate= --minDate= --orgId= --output|-o= --page= --type=
event|events project|projects:
event|events project|projects ls|list: --limit= --maxDate= --minDate= --output|-o= --page= --projectId= --type=
metric|measurements|measurement|metrics:
metric|measurements|measurement|metrics process|processes: --end= --granularity= --limit= --output|-o= --page= --period= --projectId= --start= --type=
metric|measurements|measurement|metrics disk|disks:
metric|measurements|measurement|metrics disk|disks ls|list: --limit= --output|-o= --page= --projectId=
metric|measurements|measurement|metrics disk|disks describe: --end= --granularity= --limit= --output|-o= --page= --period= --projectId= --start= --type=
metric|measurements|measurement|metrics database|databases:
metric|measurements|measurement|metrics database|databases ls|list: --limit= --output|-o= --page= --projectId=
metric|measurements|measurement|metrics database|databases describe: --end= --granularity= --limit= --output|-o= --page= --period= --projectId= --start= --type=
performanceadvisor|performance-advisor|performanceAdvisor:
performanceadvisor|performance-advisor|performanceAdvisor namespace|namespaces:
performanceadvisor|performance-advisor|performanceAdvisor namespace|namespaces ls|list: --duration= --hostId= --output|-o= --processName= --projectId= --since=
performanceadvisor|performance-advisor|performanceAdvisor slowquerylogs|slow-query-logs|slowQueryLog|slowquerylog|slow-query-log|slowQueryLogs:
performanceadvisor|performance-advisor|performanceAdvisor slowquerylogs|slow-query-logs|slowQueryLog|slowquerylog|slow-query-log|slowQueryLogs ls|list: --duration= --hostId= --nLog= --namespaces= --output|-o= --processName= --projectId= --since=
performanceadvisor|performance-advisor|performanceAdvisor suggestedindexes|suggested-indexes|suggestedIndex|suggestedindex|suggested-index|suggestedIndexes:
performanceadvisor|performance-advisor|performanceAdvisor suggestedindexes|suggested-indexes|suggestedIndex|suggestedindex|suggested-index|suggestedIndexes ls|list: --duration= --hostId= --nExamples= --nIndexes= --namespaces= --output|-o= --processName= --projectId= --since=
performanceadvisor|performance-advisor|performanceAdvisor slowOT|sot|slowMS|slowOperationThreshold:
performanceadvisor|performance-advisor|performanceAdvisor slowOT|sot|slowMS|slowOperationThreshold ls|enable: --projectId=
performanceadvisor|performance-advisor|performanceAdvisor slowOT|sot|slowMS|slowOperationThreshold disable: --projectId=
log|logs:
log|logs download: --end= --out= --projectId= --start=
process|processes:
process|processes ls|list: --limit= --output|-o= --page= --projectId=
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints:
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints ls|list: --limit= --output|-o= --page= --projectId=
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints get|describe: --output|-o= --projectId=
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints create: --output|-o= --projectId= --provider= --region=
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints rm|delete: --projectId=
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints watch: --projectId= --provider=
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints interface|interfaces:
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints interface|interfaces add|create: --output|-o= --privateEndpointId= --projectId=
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints interface|interfaces get|describe: --output|-o= --privateEndpointId= --projectId=
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints interface|interfaces rm|delete: --privateEndpointId= --projectId=
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints aws:
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints aws ls|list: --limit= --output|-o= --page= --projectId=
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints aws get|describe: --output|-o= --projectId=
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints aws create: --output|-o= --projectId= --region=
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints aws rm|delete: --projectId=
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints aws watch: --projectId=
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints aws interface|interfaces:
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints aws interface|interfaces add|create: --output|-o= --privateEndpointId= --projectId=
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints aws interface|interfaces get|describe: --endpointServiceId= --output|-o= --projectId=
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints aws interface|interfaces rm|delete: --endpointServiceId= --projectId=
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints azure:
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints azure ls|list: --limit= --output|-o= --page= --projectId=
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints azure get|describe: --output|-o= --projectId=
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints azure create: --output|-o= --projectId= --region=
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints azure rm|delete: --projectId=
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints azure watch: --projectId=
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints azure interface|interfaces:
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints azure interface|interfaces add|create: --output|-o= --privateEndpointId= --privateEndpointIpAddress= --projectId=
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints azure interface|interfaces get|describe: --endpointServiceId= --output|-o= --projectId=
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints azure interface|interfaces rm|delete: --endpointServiceId= --projectId=
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints gcp:
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints gcp create: --output|-o= --projectId= --region=
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints gcp rm|delete: --projectId=
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints gcp ls|list: --limit= --output|-o= --page= --projectId=
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints gcp get|describe: --output|-o= --projectId=
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints gcp watch: --projectId=
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints gcp interface|interfaces:
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints gcp interface|interfaces get|describe: --endpointServiceId= --output|-o= --projectId=
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints gcp interface|interfaces rm|delete: --endpointServiceId= --projectId=
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints gcp interface|interfaces add|create: --endpoint= --endpointServiceId= --gcpProjectId= --output|-o= --projectId=
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints regionalmodes|regional-modes|regionalMode|regionalmode|regional-mode|regionalModes:
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints regionalmodes|regional-modes|regionalMode|regionalmode|regional-mode|regionalModes enable: --output|-o= --projectId=
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints regionalmodes|regional-modes|regionalMode|regionalmode|regional-mode|regionalModes disable: --output|-o= --projectId=
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints regionalmodes|regional-modes|regionalMode|regionalmode|regional-mode|regionalModes get|describe: --output|-o= --projectId=
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints datalakes|data-lakes|dataLake|datalake|data-lake|dataLakes:
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints datalakes|data-lakes|dataLake|datalake|data-lake|dataLakes aws:
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints datalakes|data-lakes|dataLake|datalake|data-lake|dataLakes aws create: --comment= --output|-o= --privateEndpointId= --projectId=
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints datalakes|data-lakes|dataLake|datalake|data-lake|dataLakes aws ls|list: --output|-o= --projectId=
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints datalakes|data-lakes|dataLake|datalake|data-lake|dataLakes aws get|describe: --output|-o= --projectId=
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints datalakes|data-lakes|dataLake|datalake|data-lake|dataLakes aws rm|delete: --projectId=
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints onlinearchive|online-archive|onlineArchive:
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints onlinearchive|online-archive|onlineArchive aws:
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints onlinearchive|online-archive|onlineArchive aws create: --comment= --output|-o= --privateEndpointId= --projectId=
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints onlinearchive|online-archive|onlineArchive aws ls|list: --output|-o= --projectId=
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints onlinearchive|online-archive|onlineArchive aws get|describe: --output|-o= --projectId=
privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints onlinearchive|online-archive|onlineArchive aws rm|delete: --projectId=
networking:
networking container|containers:
networking container|containers ls|list: --limit= --output|-o= --page= --projectId= --provider=
networking container|containers rm|delete: --projectId=
networking peering ls|list: --limit= --output|-o= --page= --projectId= --provider=
networking peering create azure: --atlasCidrBlock= --directoryId= --output|-o= --projectId= --region= --resourceGroup= --subscriptionId= --vnet=
networking peering create aws: --accountId= --atlasCidrBlock= --output|-o= --projectId= --region= --routeTableCidrBlock= --vpcId=
networking peering create gcp: --atlasCidrBlock= --gcpProjectId= --network= --output|-o= --projectId= --region=
networking peering watch: --output|-o= --projectId=
networking peering rm|delete: --projectId=
security:
security customercerts|customer-certs|customerCert|customercert|customer-cert|certs|customerCerts:
security customercerts|customer-certs|customerCert|customercert|customer-cert|certs|customerCerts describe: --output|-o= --projectId=
security customercerts|customer-certs|customerCert|customercert|customer-cert|certs|customerCerts create: --casFile= --output|-o= --projectId=
security customercerts|customer-certs|customerCert|customercert|customer-cert|certs|customerCerts disable: --projectId=
security ldap verify: --authzQueryTemplate= --bindPassword= --bindUsername= --caCertificate= --hostname= --output|-o= --port= --projectId=
security ldap verify status: --output|-o= --projectId=
security ldap verify status watch: --projectId=
security ldap save: --authzQueryTemplate= --bindPassword= --bindUsername= --caCertificate= --hostname= --mappingLdapQuery= --mappingMatch= --mappingSubstitution= --output|-o= --port= --projectId=
security ldap rm|delete: --projectId=
security ldap get: --output|-o= --projectId=
integration|integrations:
integration|integrations update|create:
integration|integrations update|create new_relic|newRelic|NEW_RELIC: --accountId= --licenceKey= --output|-o= --projectId= --readToken= --writeToken=
integration|integrations update|create ops_genie|opsGenie|OPS_GENIE: --apiKey= --output|-o= --projectId= --region=
integration|integrations update|create pager_duty|pagerDuty|PAGER_DUTY: --output|-o= --projectId= --serviceKey=
integration|integrations update|create datadog|DATADOG: --apiKey= --output|-o= --projectId= --region=
integration|integrations update|create victor_ops|victorOps|VICTOR_OPS: --apiKey= --output|-o= --projectId= --routingKey=
integration|integrations update|create flowdock|FLOWDOCK: --apiToken= --flowName= --orgName= --output|-o= --projectId=
integration|integrations update|create webhook|WEBHOOK: --output|-o= --projectId= --secret= --url=
integration|integrations ls|list: --output|-o= --projectId=
integration|integrations rm|delete: --projectId=
integration|integrations describe: --output|-o= --projectId=
maintenancewindows|maintenance-windows|maintenanceWindow|maintenancewindow|maintenance-window|maintenanceWindows:
maintenancewindows|maintenance-windows|maintenanceWindow|maintenancewindow|maintenance-window|maintenanceWindows update: --dayOfWeek= --hourOfDay= --output|-o= --projectId=
maintenancewindows|maintenance-windows|maintenanceWindow|maintenancewindow|maintenance-window|maintenanceWindows rm|delete|clear: --output|-o= --projectId=
maintenancewindows|maintenance-windows|maintenanceWindow|maintenancewindow|maintenance-window|maintenanceWindows defer: --output|-o= --projectId=
maintenancewindows|maintenance-windows|maintenanceWindow|maintenancewindow|maintenance-window|maintenanceWindows get|describe: --output|-o= --projectId=
customdns|custom-dns|customDn|customdn|custom-dn|customDns:
customdns|custom-dns|customDn|customdn|custom-dn|customDns aw|aws:
customdns|custom-dns|customDn|customdn|custom-dn|customDns aw|aws enable: --output|-o= --projectId=
customdns|custom-dns|customDn|customdn|custom-dn|customDns aw|aws disable: --output|-o= --projectId=
customdns|custom-dns|customDn|customdn|custom-dn|customDns aw|aws get|describe: --output|-o= --projectId=
cloudproviders|cloud-providers|cloudProvider|cloudprovider|cloud-provider|cloudProviders:
cloudproviders|cloud-providers|cloudProvider|cloudprovider|cloud-provider|cloudProviders accessroles|access-roles|accessRole|accessrole|access-role|accessRoles:
cloudproviders|cloud-providers|cloudProvider|cloudprovider|cloud-provider|cloudProviders accessroles|access-roles|accessRole|accessrole|access-role|accessRoles aws:
cloudproviders|cloud-providers|cloudProvider|cloudprovider|cloud-provider|cloudProviders accessroles|access-roles|accessRole|accessrole|access-role|accessRoles aws create: --output|-o= --projectId=
cloudproviders|cloud-providers|cloudProvider|cloudprovider|cloud-provider|cloudProviders accessroles|access-roles|accessRole|accessrole|access-role|accessRoles aws authorize: --iamAssumedRoleArn= --output|-o= --projectId=
cloudproviders|cloud-providers|cloudProvider|cloudprovider|cloud-provider|cloudProviders accessroles|access-roles|accessRole|accessrole|access-role|accessRoles aws deauthorize: --projectId=
cloudproviders|cloud-providers|cloudProvider|cloudprovider|cloud-provider|cloudProviders accessroles|access-roles|accessRole|accessrole|access-role|accessRoles ls|list: --output|-o= --projectId=
sl|serverless:
sl|serverless ls|list: --limit= --output|-o= --page= --projectId=
sl|serverless get|describe: --output|-o= --projectId=
sl|serverless rm|delete: --projectId=
sl|serverless create: --output|-o= --projectId= --provider= --region=
sl|serverless watch: --projectId=
livemigrations|live-migrations|liveMigration|livemigration|live-migration|lm|liveMigrations:
livemigrations|live-migrations|liveMigration|livemigration|live-migration|lm|liveMigrations link:
livemigrations|live-migrations|liveMigration|livemigration|live-migration|lm|liveMigrations link create: --accessListIp= --orgId= --output|-o=
livemigrations|live-migrations|liveMigration|livemigration|live-migration|lm|liveMigrations link rm|delete: --orgId=
livemigrations|live-migrations|liveMigration|livemigration|live-migration|lm|liveMigrations validation:
livemigrations|live-migrations|liveMigration|livemigration|live-migration|lm|liveMigrations validation create: --clusterName= --migrationHost= --orgId= --output|-o= --sourceCACertificatePath= --sourceClusterName= --sourcePassword|-p= --sourceProjectId= --sourceUsername|-u=
livemigrations|live-migrations|liveMigration|livemigration|live-migration|lm|liveMigrations validation get|describe: --output|-o= --projectId= --validationId=
livemigrations|live-migrations|liveMigration|livemigration|live-migration|lm|liveMigrations create: --clusterName= --migrationHost= --orgId= --output|-o= --sourceCACertificatePath= --sourceClusterName= --sourcePassword|-p= --sourceProjectId= --sourceUsername|-u=
livemigrations|live-migrations|liveMigration|livemigration|live-migration|lm|liveMigrations get|describe: --liveMigrationId=
livemigrations|live-migrations|liveMigration|livemigration|live-migration|lm|liveMigrations cutover: --liveMigrationId= --output|-o= --projectId=
accesslogs|access-logs|accessLog|accesslog|access-log|accessLogs:
accesslogs|access-logs|accessLog|accesslog|access-log|accessLogs ls|list: --authResult= --clusterName= --end= --hostname= --ip= --nLog= --output|-o= --projectId= --start=
help:
help config ls|list:
help config get|describe:
help config mv|rename:
help config rm|delete:
help project|projects:
help project|projects ls|list:
help project|projects rm|delete:
help project|projects show|get|describe:
help project|projects apikeys|api-keys|apiKey|apikey|api-key|apiKeys:
help project|projects apikeys|api-keys|apiKey|apikey|api-key|apiKeys ls|list:
help project|projects apikeys|api-keys|apiKey|apikey|api-key|apiKeys rm|delete:
help project|projects apikeys|api-keys|apiKey|apikey|api-key|apiKeys update|assign:
help project|projects user|users:
help project|projects user|users ls|list:
help project|projects user|users rm|delete:
help project|projects team|teams:
help project|projects team|teams ls|list:
help project|projects team|teams rm|delete:
help project|projects team|teams updates|update:
help project|projects invitation|invitations:
help project|projects invitation|invitations ls|list:
help project|projects invitation|invitations get|describe:
help project|projects invitation|invitations rm|delete:
help project|projects invitation|invitations create|invite:
help project|projects invitation|invitations updates|update:
help organization|orgs|org|organizations:
help organization|orgs|org|organizations ls|list:
help organization|orgs|org|organizations show|describe:
help organization|orgs|org|organizations rm|delete:
help organization|orgs|org|organizations apikeys|api-keys|apiKey|apikey|api-key|apiKeys:
help organization|orgs|org|organizations apikeys|api-keys|apiKey|apikey|api-key|apiKeys ls|list:
help organization|orgs|org|organizations apikeys|api-keys|apiKey|apikey|api-key|apiKeys show|describe:
help organization|orgs|org|organizations apikeys|api-keys|apiKey|apikey|api-key|apiKeys updates|assign:
help organization|orgs|org|organizations apikeys|api-keys|apiKey|apikey|api-key|apiKeys rm|delete:
help organization|orgs|org|organizations apikeys|api-keys|apiKey|apikey|api-key|apiKeys accesslists|access-lists|accessList|accesslist|access-list|whitelists|whitelist|accessLists:
help organization|orgs|org|organizations apikeys|api-keys|apiKey|apikey|api-key|apiKeys accesslists|access-lists|accessList|accesslist|access-list|whitelists|whitelist|accessLists ls|list:
help organization|orgs|org|organizations apikeys|api-keys|apiKey|apikey|api-key|apiKeys accesslists|access-lists|accessList|accesslist|access-list|whitelists|whitelist|accessLists rm|delete:
help organization|orgs|org|organizations user|users:
help organization|orgs|org|organizations user|users ls|list:
help organization|orgs|org|organizations invitation|invitations:
help organization|orgs|org|organizations invitation|invitations ls|list:
help organization|orgs|org|organizations invitation|invitations get|describe:
help organization|orgs|org|organizations invitation|invitations rm|delete:
help organization|orgs|org|organizations invitation|invitations updates|update:
help organization|orgs|org|organizations invitation|invitations create|invite:
help globalapikeys|global-api-keys|globalApiKey|globalapikey|global-api-key|globalApiKeys:
help globalapikeys|global-api-keys|globalApiKey|globalapikey|global-api-key|globalApiKeys ls|list:
help globalapikeys|global-api-keys|globalApiKey|globalapikey|global-api-key|globalApiKeys show|describe:
help globalapikeys|global-api-keys|globalApiKey|globalapikey|global-api-key|globalApiKeys rm|delete:
help globalaccesslists|global-access-lists|globalAccessList|globalaccesslist|global-access-list|globalWhitelists|globalwhitelists|global-whitelists|globalWhitelist|globalwhitelist|global-whitelist|globalAccessLists:
help globalaccesslists|global-access-lists|globalAccessList|globalaccesslist|global-access-list|globalWhitelists|globalwhitelists|global-whitelists|globalWhitelist|globalwhitelist|global-whitelist|globalAccessLists ls|list:
help globalaccesslists|global-access-lists|globalAccessList|globalaccesslist|global-access-list|globalWhitelists|globalwhitelists|global-whitelists|globalWhitelist|globalwhitelist|global-whitelist|globalAccessLists show|describe:
help globalaccesslists|global-access-lists|globalAccessList|globalaccesslist|global-access-list|globalWhitelists|globalwhitelists|global-whitelists|globalWhitelist|globalwhitelist|global-whitelist|globalAccessLists rm|delete:
help user|users:
help user|users get|describe:
help user|users rm|delete:
help team|teams:
help team|teams ls|list:
help team|teams get|describe:
help team|teams user|users:
help team|teams user|users ls|list:
help team|teams user|users rm|delete:
help team|teams rm|delete:
help cluster|clusters:
help cluster|clusters ls|list:
help cluster|clusters get|describe:
help cluster|clusters rm|delete:
help cluster|clusters index|indexes:
help cluster|clusters fts|search:
help cluster|clusters fts|search index|indexes:
help cluster|clusters fts|search index|indexes ls|list:
help cluster|clusters fts|search index|indexes rm|delete:
help cluster|clusters onlinearchives|online-archives|onlineArchive|onlinearchive|online-archive|onlineArchives:
help cluster|clusters onlinearchives|online-archives|onlineArchive|onlinearchive|online-archive|onlineArchives ls|list:
help cluster|clusters onlinearchives|online-archives|onlineArchive|onlinearchive|online-archive|onlineArchives rm|delete:
help cluster|clusters connectionstrings|connection-strings|connectionString|connectionstring|connection-string|cs|connectionStrings:
help cluster|clusters connectionstrings|connection-strings|connectionString|connectionstring|connection-string|cs|connectionStrings get|describe:
help cluster|clusters availableregions|available-regions|availableRegion|availableregion|available-region|availableRegions:
help cluster|clusters availableregions|available-regions|availableRegion|availableregion|available-region|availableRegions ls|list:
help dbuser|dbusers:
help dbuser|dbusers ls|list:
help dbuser|dbusers get|describe:
help dbuser|dbusers rm|delete:
help dbuser|dbusers cert|certs:
help dbuser|dbusers cert|certs ls|list:
help customdbroles|custom-db-roles|customDbRole|customdbrole|custom-db-role|customDBRoles|customDbRoles:
help customdbroles|custom-db-roles|customDbRole|customdbrole|custom-db-role|customDBRoles|customDbRoles get|describe:
help customdbroles|custom-db-roles|customDbRole|customdbrole|custom-db-role|customDBRoles|customDbRoles ls|list:
help customdbroles|custom-db-roles|customDbRole|customdbrole|custom-db-role|customDBRoles|customDbRoles rm|delete:
help accesslists|access-lists|accessList|accesslist|access-list|whitelists|whitelist|accessLists:
help accesslists|access-lists|accessList|accesslist|access-list|whitelists|whitelist|accessLists get|describe:
help accesslists|access-lists|accessList|accesslist|access-list|whitelists|whitelist|accessLists ls|list:
help accesslists|access-lists|accessList|accesslist|access-list|whitelists|whitelist|accessLists rm|delete:
help datalakes|data-lakes|dataLake|datalake|data-lake|dataLakes:
help datalakes|data-lakes|dataLake|datalake|data-lake|dataLakes ls|list:
help datalakes|data-lakes|dataLake|datalake|data-lake|dataLakes rm|delete:
help alert|alerts:
help alert|alerts config|settings:
help alert|alerts config|settings ls|list:
help alert|alerts config|settings rm|delete:
help alert|alerts config|settings field|fields:
help alert|alerts config|settings field|fields types|type:
help alert|alerts get|describe:
help alert|alerts ls|list:
help alert|alerts ack|acknowledge:
help alert|alerts unack|unacknowledge:
help alert|alerts global:
help alert|alerts global ls|list:
help backup|backups:
help backup|backups snapshot|snapshots:
help backup|backups snapshot|snapshots ls|list:
help backup|backups snapshot|snapshots take|create:
help backup|backups snapshot|snapshots rm|delete:
help backup|backups restore|restores:
help backup|backups restore|restores ls|list:
help event|events:
help event|events ls|list:
help event|events organization|orgs|org|organizations:
help event|events organization|orgs|org|organizations ls|list:
help event|events project|projects:
help event|events project|projects ls|list:
help metric|measurements|measurement|metrics:
help metric|measurements|measurement|metrics process|processes:
help metric|measurements|measurement|metrics disk|disks:
help metric|measurements|measurement|metrics disk|disks ls|list:
help metric|measurements|measurement|metrics database|databases:
help metric|measurements|measurement|metrics database|databases ls|list:
help performanceadvisor|performance-advisor|performanceAdvisor:
help performanceadvisor|performance-advisor|performanceAdvisor namespace|namespaces:
help performanceadvisor|performance-advisor|performanceAdvisor namespace|namespaces ls|list:
help performanceadvisor|performance-advisor|performanceAdvisor slowquerylogs|slow-query-logs|slowQueryLog|slowquerylog|slow-query-log|slowQueryLogs:
help performanceadvisor|performance-advisor|performanceAdvisor slowquerylogs|slow-query-logs|slowQueryLog|slowquerylog|slow-query-log|slowQueryLogs ls|list:
help performanceadvisor|performance-advisor|performanceAdvisor suggestedindexes|suggested-indexes|suggestedIndex|suggestedindex|suggested-index|suggestedIndexes:
help performanceadvisor|performance-advisor|performanceAdvisor suggestedindexes|suggested-indexes|suggestedIndex|suggestedindex|suggested-index|suggestedIndexes ls|list:
help performanceadvisor|performance-advisor|performanceAdvisor slowOT|sot|slowMS|slowOperationThreshold:
help performanceadvisor|performance-advisor|performanceAdvisor slowOT|sot|slowMS|slowOperationThreshold ls|enable:
help log|logs:
help process|processes:
help process|processes ls|list:
help privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints:
help privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints ls|list:
help privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints get|describe:
help privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints rm|delete:
help privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints interface|interfaces:
help privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints interface|interfaces add|create:
help privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints interface|interfaces get|describe:
help privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints interface|interfaces rm|delete:
help privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints aws:
help privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints aws ls|list:
help privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints aws get|describe:
help privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints aws rm|delete:
help privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints aws interface|interfaces:
help privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints aws interface|interfaces add|create:
help privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints aws interface|interfaces get|describe:
help privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints aws interface|interfaces rm|delete:
help privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints azure:
help privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints azure ls|list:
help privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints azure get|describe:
help privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints azure rm|delete:
help privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints azure interface|interfaces:
help privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints azure interface|interfaces add|create:
help privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints azure interface|interfaces get|describe:
help privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints azure interface|interfaces rm|delete:
help privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints gcp:
help privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints gcp rm|delete:
help privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints gcp ls|list:
help privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints gcp get|describe:
help privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints gcp interface|interfaces:
help privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints gcp interface|interfaces get|describe:
help privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints gcp interface|interfaces rm|delete:
help privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints gcp interface|interfaces add|create:
help privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints regionalmodes|regional-modes|regionalMode|regionalmode|regional-mode|regionalModes:
help privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints regionalmodes|regional-modes|regionalMode|regionalmode|regional-mode|regionalModes get|describe:
help privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints datalakes|data-lakes|dataLake|datalake|data-lake|dataLakes:
help privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints datalakes|data-lakes|dataLake|datalake|data-lake|dataLakes aws:
help privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints datalakes|data-lakes|dataLake|datalake|data-lake|dataLakes aws ls|list:
help privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints datalakes|data-lakes|dataLake|datalake|data-lake|dataLakes aws get|describe:
help privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints datalakes|data-lakes|dataLake|datalake|data-lake|dataLakes aws rm|delete:
help privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints onlinearchive|online-archive|onlineArchive:
help privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints onlinearchive|online-archive|onlineArchive aws:
help privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints onlinearchive|online-archive|onlineArchive aws ls|list:
help privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints onlinearchive|online-archive|onlineArchive aws get|describe:
help privateendpoints|private-endpoints|privateEndpoint|privateendpoint|private-endpoint|privateEndpoints onlinearchive|online-archive|onlineArchive aws rm|delete:
help networking container|containers:
help networking container|containers ls|list:
help networking container|containers rm|delete:
help networking peering ls|list:
help networking peering rm|delete:
help security customercerts|customer-certs|customerCert|customercert|customer-cert|certs|customerCerts:
help security ldap rm|delete:
help integration|integrations:
help integration|integrations update|create:
help integration|integrations update|create new_relic|newRelic|NEW_RELIC:
help integration|integrations update|create ops_genie|opsGenie|OPS_GENIE:
help integration|integrations update|create pager_duty|pagerDuty|PAGER_DUTY:
help integration|integrations update|create datadog|DATADOG:
help integration|integrations update|create victor_ops|victorOps|VICTOR_OPS:
help integration|integrations update|create flowdock|FLOWDOCK:
help integration|integrations update|create webhook|WEBHOOK:
help integration|integrations ls|list:
help integration|integrations rm|delete:
help maintenancewindows|maintenance-windows|maintenanceWindow|maintenancewindow|maintenance-window|maintenanceWindows:
help maintenancewindows|maintenance-windows|maintenanceWindow|maintenancewindow|maintenance-window|maintenanceWindows rm|delete|clear:
help maintenancewindows|maintenance-windows|maintenanceWindow|maintenancewindow|maintenance-window|maintenanceWindows get|describe:
help customdns|custom-dns|customDn|customdn|custom-dn|customDns:
help customdns|custom-dns|customDn|customdn|custom-dn|customDns aw|aws:
help customdns|custom-dns|customDn|customdn|custom-dn|customDns aw|aws get|describe:
help cloudproviders|cloud-providers|cloudProvider|cloudprovider|cloud-provider|cloudProviders:
help cloudproviders|cloud-providers|cloudProvider|cloudprovider|cloud-provider|cloudProviders accessroles|access-roles|accessRole|accessrole|access-role|accessRoles:
help cloudproviders|cloud-providers|cloudProvider|cloudprovider|cloud-provider|cloudProviders accessroles|access-roles|accessRole|accessrole|access-role|accessRoles ls|list:
help sl|serverless:
help sl|serverless ls|list:
help sl|serverless get|describe:
help sl|serverless rm|delete:
help livemigrations|live-migrations|liveMigration|livemigration|live-migration|lm|liveMigrations:
help livemigrations|live-migrations|liveMigration|livemigration|live-migration|lm|liveMigrations link:
help livemigrations|live-migrations|liveMigration|livemigration|live-migration|lm|liveMigrations link rm|delete:
help livemigrations|live-migrations|liveMigration|livemigration|live-migration|lm|liveMigrations validation:
help livemigrations|live-migrations|liveMigration|livemigration|live-migration|lm|liveMigrations validation get|describe:
help livemigrations|live-migrations|liveMigration|livemigration|live-migration|lm|liveMigrations get|describe:
help accesslogs|access-logs|accessLog|accesslog|access-log|accessLogs:
help accesslogs|access-logs|accessLog|accesslog|access-log|accessLogs ls|list:`,
  'brew': `
:
list: -d|--debug -q|--quiet -v|--verbose -h|--help --formula|--formulae --cask|--casks
ls: -d|--debug -q|--quiet -v|--verbose -h|--help
leaves: -r|--installed-on-request -p|--installed-as-dependency
doctor: -d|--debug -q|--quiet -v|--verbose -h|--help -D|--audit-debug
abv|info: --cask|--casks --days= --category= -v|--verbose -d|--debug -q|--quiet -h|--help
update: -f|--force -v|--verbose -d|--debug -h|--help
outdated: -d|--debug -q|--quiet -v|--verbose -h|--help
pin: -d|--debug -q|--quiet -v|--verbose -h|--help
unpin: -d|--debug -q|--quiet -v|--verbose -h|--help
upgrade: -d|--debug -f|--force -v|--verbose -n|--dry-run -s|--build-from-source -i|--interactive -g|--git -q|--quiet -h|--help --formula|--formulae --cc= --cask|--casks --appdir= --colorpickerdir= --prefpanedir= --qlplugindir= --mdimporterdir= --dictionarydir= --fontdir= --servicedir= --input-methoddir= --internet-plugindir= --audio-unit-plugindir= --vst-plugindir= --vst3-plugindir= --screen-saverdir=
search: -d|--debug -q|--quiet -v|--verbose -h|--help --repology|--macports --fink|--opensuse --fedora|--debian
postinstall: -d|--debug -v|--verbose -q|--quiet -h|--help
install: -f|--force -v|--verbose -s|--build-from-source -i|--interactive -g|--git -q|--quiet -h|--help --cc= --appdir= --colorpickerdir= --prefpanedir= --qlplugindir= --mdimporterdir= --dictionarydir= --fontdir= --servicedir= --input-methoddir= --internet-plugindir= --audio-unit-plugindir= --vst-plugindir= --vst3-plugindir= --screen-saverdir=
reinstall: -d|--debug -f|--force -v|--verbose -s|--build-from-source -i|--interactive -g|--git
uninstall|remove|rm:
cask:
cask uninstall: -d|--debug -q|--quiet -v|--verbose -h|--help
cleanup: -d|--debug -q|--quiet -v|--verbose -h|--help --prune|--prune -n|--dry-run
services: -d|--debug -q|--quiet -v|--verbose -h|--help
autoremove: -n|--dry-run
tap: -d|--debug -q|--quiet -v|--verbose -h|--help
untap: -f|--force -d|--debug -q|--quiet -v|--verbose -h|--help
link: -n|--dry-run -f|--force
unlink: -n|--dry-run
edit: -d|--debug -q|--quiet -v|--verbose -h|--help --formula|--formulae --cask|--casks
home|homepage: -d|--debug -q|--quiet -v|--verbose -h|--help --formula|--formulae --cask|--casks
alias: -d|--debug -q|--quiet -v|--verbose -h|--help`,
  'cargo': `
: --explain= --color= --config= -Z= -h|--help -V|--version -v|--verbose -q|--quiet
bench: --bin= --example= --test= --bench= -p|--package= --exclude= -j|--jobs= --profile= --features= --target= --target-dir= --manifest-path= --message-format= --color= --config= -Z= -q|--quiet -h|--help -v|--verbose
build|b: -p|--package= --exclude= -j|--jobs= --bin= --example= --test= --bench= --profile= --features= --target= --target-dir= --out-dir= --manifest-path= --message-format= --color= --config= -Z= -q|--quiet -r|--release -h|--help -v|--verbose
check|c: -p|--package= --exclude= -j|--jobs= --bin= --example= --test= --bench= --profile= --features= --target= --target-dir= --manifest-path= --message-format= --color= --config= -Z= -q|--quiet -r|--release -h|--help -v|--verbose
clean: -p|--package= --manifest-path= --target= --target-dir= --profile= --color= --config= -Z= -q|--quiet -r|--release -h|--help -v|--verbose
config: --color= --config= -Z= -h|--help -v|--verbose
config get: --format= --merged= --color= --config= -Z= -h|--help -v|--verbose
config help: --color= --config= -Z= -h|--help -v|--verbose
doc|d: -p|--package= --exclude= -j|--jobs= --bin= --example= --profile= --features= --target= --target-dir= --manifest-path= --message-format= --color= --config= -Z= -q|--quiet -r|--release -h|--help -v|--verbose
fetch: --manifest-path= --target= --color= --config= -Z= -q|--quiet -h|--help -v|--verbose
fix: -p|--package= --exclude= -j|--jobs= --bin= --example= --test= --bench= --profile= --features= --target= --target-dir= --manifest-path= --message-format= --color= --config= -Z= -q|--quiet -r|--release -h|--help -v|--verbose
generate-lockfile: --manifest-path= --color= --config= -Z= -q|--quiet -h|--help -v|--verbose
git-checkout: --color= --config= -Z= -h|--help -v|--verbose
init: --registry= --vcs= --edition= --name= --color= --config= -Z= -q|--quiet -h|--help -v|--verbose
install: --version= --git= --branch= --tag= --rev= --path= -j|--jobs= --features= --profile= --bin= --example= --target= --target-dir= --root= --index= --registry= --message-format= --color= --config= -Z= -q|--quiet -f|--force -h|--help -v|--verbose
locate-project: --manifest-path= --message-format= --color= --config= -Z= -q|--quiet -h|--help -v|--verbose
login: --registry= --color= --config= -Z= -q|--quiet -h|--help -v|--verbose
logout: --registry= --color= --config= -Z= -q|--quiet -h|--help -v|--verbose
metadata: --features= --filter-platform= --manifest-path= --format-version= --color= --config= -Z= -q|--quiet -h|--help -v|--verbose
new: --registry= --vcs= --edition= --name= --color= --config= -Z= -q|--quiet -h|--help -v|--verbose
owner: -a|--add= -r|--remove= --index= --token= --registry= --color= --config= -Z= -q|--quiet -l|--list -h|--help -v|--verbose
package: --target= --target-dir= --features= -p|--package= --exclude= --manifest-path= -j|--jobs= --color= --config= -Z= -q|--quiet -l|--list -h|--help -v|--verbose
pkgid: -p|--package= --manifest-path= --color= --config= -Z= -q|--quiet -h|--help -v|--verbose
publish: --index= --token= --target= --target-dir= -p|--package= --manifest-path= --features= -j|--jobs= --registry= --color= --config= -Z= -q|--quiet -h|--help -v|--verbose
read-manifest: --manifest-path= --color= --config= -Z= -q|--quiet -h|--help -v|--verbose
report: --color= --config= -Z= -h|--help -v|--verbose
report future-incompatibilities: --id= -p|--package= --color= --config= -Z= -h|--help -v|--verbose
report help: --color= --config= -Z= -h|--help -v|--verbose
run|r: --bin= --example= -p|--package= -j|--jobs= --profile= --features= --target= --target-dir= --manifest-path= --message-format= --color= --config= -Z= -q|--quiet -r|--release -h|--help -v|--verbose
rustc: -p|--package= -j|--jobs= --bin= --example= --test= --bench= --profile= --features= --target= --print= --crate-type= --target-dir= --manifest-path= --message-format= --color= --config= -Z= -q|--quiet -r|--release -h|--help -v|--verbose
rustdoc: -p|--package= -j|--jobs= --bin= --example= --test= --bench= --profile= --features= --target= --target-dir= --manifest-path= --message-format= --color= --config= -Z= -q|--quiet -r|--release -h|--help -v|--verbose
search: --index= --limit= --registry= --color= --config= -Z= -q|--quiet -h|--help -v|--verbose
test|t: --bin= --example= --test= --bench= -p|--package= --exclude= -j|--jobs= --profile= --features= --target= --target-dir= --manifest-path= --message-format= --color= --config= -Z= -q|--quiet -r|--release -h|--help -v|--verbose
tree: --manifest-path= -p|--package= --exclude= --features= --target= -e|--edges= -i|--invert= --prune= --depth= --prefix= --charset= -f|--format= --color= --config= -Z= -q|--quiet -a|--all -d|--duplicates -V|--version -h|--help -v|--verbose
uninstall: -p|--package= --bin= --root= --color= --config= -Z= -q|--quiet -h|--help -v|--verbose
update: -p|--package= --precise= --manifest-path= --color= --config= -Z= -q|--quiet -w|--workspace -h|--help -v|--verbose
vendor: --manifest-path= -s|--sync= --color= --config= -Z= -q|--quiet -h|--help -v|--verbose
verify-project: --manifest-path= --color= --config= -Z= -q|--quiet -h|--help -v|--verbose
version: --color= --config= -Z= -q|--quiet -h|--help -v|--verbose
yank: --vers= --index= --token= --registry= --color= --config= -Z= -q|--quiet -h|--help -v|--verbose
help: --color= --config= -Z= -v|--verbose
add: -F|--features -v|--verbose --color= --rename= -p|--package= -q|--quiet -h|--help --path= --git= --branch= --tag= --rev= --registry= --target=
remove|rm: --target= -p|--package= -q|--quiet -v|--verbose --color= -h|--help`,
  'cdk': `
: -h|--help
synth|synthesize:
ls|list:
ack|acknowledge:
doc|docs:`,
  'composer': `
`,
  'docker': `
:
attach: --detach-keys=
build: --add-host= --build-arg= --cache-from= -f|--file= --iidfile= --isolation= --label= --network= -o|--output= --platform= --progress= -q|--quiet --secret= --ssh= -t|--tag --target=
commit: -a|--author= -c|--change= -m|--message= -p|--pause
cp: -a|--archive -L|--follow-link
create: --add-host= -a|--attach= --blkio-weight= --blkio-weight-device= --cap-add= --cap-drop= --cgroup-parent= --cgroupns= --cidfile= --cpu-period= --cpu-quota= --cpu-rt-period= --cpu-rt-runtime= -c|--cpu-shares= --cpus= --cpuset-cpus= --cpuset-mems= --device= --device-cgroup-rule= --device-read-bps= --device-read-iops= --device-write-bps= --device-write-iops= --dns= --dns-option= --dns-search= --domainname= --entrypoint= -e|--env= --env-file= --expose= --gpus= --group-add= --health-cmd= --health-interval= --health-retries= --health-start-period= --health-timeout= -h|--hostname= -i|--interactive --ip= --ip6= --ipc= --isolation= --kernel-memory= -l|--label= --label-file= --link= --link-local-ip= --log-driver= --log-opt= --mac-address= -m|--memory= --memory-reservation= --memory-swap= --memory-swappiness= --mount= --name= --network= --network-alias= --oom-score-adj= --pid= --pids-limit= --platform= -p|--publish= -P|--publish-all --pull= --restart= --runtime= --security-opt= --shm-size= --stop-signal= --stop-timeout= --storage-opt= --sysctl= --tmpfs= -t|--tty --ulimit= -u|--user= --userns= --uts= -v|--volume= --volume-driver= --volumes-from= -w|--workdir=
events: -f|--filter= --format= --since= --until=
exec: -d|--detach --detach-keys= -e|--env= --env-file= -i|--interactive -t|--tty -u|--user= -w|--workdir=
export: -o|--output=
history: --format= -H|--human -q|--quiet
images: -a|--all -f|--filter= --format= -q|--quiet
import: -c|--change= -m|--message= --platform=
info: -f|--format=
inspect: -f|--format= -s|--size --type=
kill: -s|--signal=
load: -i= -q|--quiet
login: -p|--password= -u|--username=
logs: -f|--follow --since= -n|--tail= -t|--timestamps --until=
ps: -a|--all -f|--filter= --format= -n|--last= -l|--latest -q|--quiet -s|--size
pull: -a|--all-tags --platform= -q|--quiet
push: -a|--all-tags -q|--quiet
restart: -t|--time=
rm: -f|--force -l|--link -v|--volumes
rmi: -f|--force
run: --add-host= -a|--attach= --blkio-weight= --blkio-weight-device= --cap-add= --cap-drop= --cgroup-parent= --cgroupns= --cidfile= --cpu-period= --cpu-quota= --cpu-rt-period= --cpu-rt-runtime= -c|--cpu-shares= --cpus= --cpuset-cpus= --cpuset-mems= -d|--detach --detach-keys= --device= --device-cgroup-rule= --device-read-bps= --device-read-iops= --device-write-bps= --device-write-iops= --dns= --dns-option= --dns-search= --domainname= --entrypoint= -e|--env= --env-file= --expose= --gpus= --group-add= --health-cmd= --health-interval= --health-retries= --health-start-period= --health-timeout= -h|--hostname= -i|--interactive --ip= --ip6= --ipc= --isolation= --kernel-memory= -l|--label= --label-file= --link= --link-local-ip= --log-driver= --log-opt= --mac-address= -m|--memory= --memory-reservation= --memory-swap= --memory-swappiness= --mount= --name= --network= --network-alias= --oom-score-adj= --pid= --pids-limit= --platform= -p|--publish= -P|--publish-all --pull= --restart= --runtime= --security-opt= --shm-size= --stop-signal= --stop-timeout= --storage-opt= --sysctl= --tmpfs= -t|--tty --ulimit= -u|--user= --userns= --uts= -v|--volume= --volume-driver= --volumes-from= -w|--workdir=
save: -o|--output=
search: -f|--filter= --format= --limit=
sbom: -D|--debug --exclude= --format= --layers= -o|--output= --platform= -v|--version
start: -a|--attach --detach-keys= -i|--interactive
stats: -a|--all --format=
stop: -t|--t=
update: --blkio-weight= --cpu-period= --cpu-quota= --cpu-rt-period= --cpu-rt-runtime= -c|--cpu-shares= --cpus= --cpuset-cpus= --cpuset-mems= --kernel-memory= -m|--memory= --memory-reservation= --memory-swap= --pids-limit= --restart=
version: -f|--format= --kubeconfig=
builder:
builder build: --add-host= --build-arg= --cache-from= -f|--file= --iidfile= --isolation= --label= --network= -o|--output= --platform= --progress= -q|--quiet --secret= --ssh= -t|--tag --target=
builder prune: -a|--all --filter= -f|--force --keep-storage=
config:
config create: -l= --template-driver=
config inspect: -f=
config ls: -f= --format= -q|--quiet
container:
container attach: --detach-keys=
container cp: -a|--archive -L|--follow-link
container create: --add-host= -a|--attach= --blkio-weight= --blkio-weight-device= --cap-add= --cap-drop= --cgroup-parent= --cgroupns= --cidfile= --cpu-period= --cpu-quota= --cpu-rt-period= --cpu-rt-runtime= -c|--cpu-shares= --cpus= --cpuset-cpus= --cpuset-mems= --device= --device-cgroup-rule= --device-read-bps= --device-read-iops= --device-write-bps= --device-write-iops= --dns= --dns-option= --dns-search= --domainname= --entrypoint= -e|--env= --env-file= --expose= --gpus= --group-add= --health-cmd= --health-interval= --health-retries= --health-start-period= --health-timeout= -h|--hostname= -i|--interactive --ip= --ip6= --ipc= --isolation= --kernel-memory= -l|--label= --label-file= --link= --link-local-ip= --log-driver= --log-opt= --mac-address= -m|--memory= --memory-reservation= --memory-swap= --memory-swappiness= --mount= --name= --network= --network-alias= --oom-score-adj= --pid= --pids-limit= --platform= -p|--publish= -P|--publish-all --pull= --restart= --runtime= --security-opt= --shm-size= --stop-signal= --stop-timeout= --storage-opt= --sysctl= --tmpfs= -t|--tty --ulimit= -u|--user= --userns= --uts= -v|--volume= --volume-driver= --volumes-from= -w|--workdir=
container exec: -d|--detach --detach-keys= -e|--env= --env-file= -i|--interactive -t|--tty -u|--user= -w|--workdir=
container export: -o|--output=
container inspect: -f|--format= -s|--size
container kill: -s|--signal=
container logs: -f|--follow --since= -n|--tail= -t|--timestamps --until=
container ls: -a|--all -f|--filter= --format= -n|--last= -l|--latest -q|--quiet -s|--size
container prune: --filter= -f|--force
container restart: -t|--time=
container rm: -f|--force -l|--link -v|--volumes
container run: --add-host= -a|--attach= --blkio-weight= --blkio-weight-device= --cap-add= --cap-drop= --cgroup-parent= --cgroupns= --cidfile= --cpu-period= --cpu-quota= --cpu-rt-period= --cpu-rt-runtime= -c|--cpu-shares= --cpus= --cpuset-cpus= --cpuset-mems= -d|--detach --detach-keys= --device= --device-cgroup-rule= --device-read-bps= --device-read-iops= --device-write-bps= --device-write-iops= --dns= --dns-option= --dns-search= --domainname= --entrypoint= -e|--env= --env-file= --expose= --gpus= --group-add= --health-cmd= --health-interval= --health-retries= --health-start-period= --health-timeout= -h|--hostname= -i|--interactive --ip= --ip6= --ipc= --isolation= --kernel-memory= -l|--label= --label-file= --link= --link-local-ip= --log-driver= --log-opt= --mac-address= -m|--memory= --memory-reservation= --memory-swap= --memory-swappiness= --mount= --name= --network= --network-alias= --oom-score-adj= --pid= --pids-limit= --platform= -p|--publish= -P|--publish-all --pull= --restart= --runtime= --security-opt= --shm-size= --stop-signal= --stop-timeout= --storage-opt= --sysctl= --tmpfs= -t|--tty --ulimit= -u|--user= --userns= --uts= -v|--volume= --volume-driver= --volumes-from= -w|--workdir=
container start: -a|--attach --detach-keys= -i|--interactive
container stats: -a|--all --format=
container stop: -t|--t=
container update: --blkio-weight= --cpu-period= --cpu-quota= --cpu-rt-period= --cpu-rt-runtime= -c|--cpu-shares= --cpus= --cpuset-cpus= --cpuset-mems= --kernel-memory= -m|--memory= --memory-reservation= --memory-swap= --pids-limit= --restart=
context: -h|--help
context create: --default-stack-orchestrator= --description= --docker= --from= -h|--help --kubernetes=
context create aci: --description= -h|--help --location= --resource-group= --subscription-id=
context create ecs: --access-keys= --description= -h|--help --profile=
context export: -h|--help
context import: -h|--help
context inspect: -f= -h|--help
context list: --format= -h|--help -q|--quiet
context rm: -f|--force -h|--help
context show: -h|--help
context update: --default-stack-orchestrator= --description= --docker= -h|--help --kubernetes=
context use: -h|--help
image:
image build: --add-host= --build-arg= --cache-from= -f|--file= --iidfile= --isolation= --label= --network= -o|--output= --platform= --progress= -q|--quiet --secret= --ssh= -t|--tag --target=
image history: --format= -H|--human -q|--quiet
image import: -c|--change= -m|--message= --platform=
image inspect: -f=
image load: -i= -q|--quiet
image ls: -a|--all -f|--filter= --format= -q|--quiet
image prune: -a|--all --filter= -f|--force
image pull: -a|--all-tags --platform= -q|--quiet
image push: -a|--all-tags -q|--quiet
image rm: -f|--force
image save: -o|--output=
network:
network connect: --alias= --driver-opt= --ip= --ip6= --link= --link-local-ip=
network create: --aux-address= --config-from= -d|--driver= --gateway= --ip-range= --ipam-driver= --ipam-opt= --label= -o|--opt= --scope= --subnet=
network disconnect: -f|--force
network inspect: -f|--format= -v|--verbose
network ls: -f|--filter= --format= -q|--quiet
network prune: --filter= -f|--force
node:
node inspect: -f|--format=
node ls: -f|--filter= --format= -q|--quiet
node ps: -f|--filter= --format= -q|--quiet
node rm: -f|--force
node update: --availability= --label-add= --label-rm= --role=
buildx: --builder=
buildx bake: -f|--file= --load= --metadata-file= --no-cache= --print= --progress= --pull= --push= --set=
buildx build: --add-host= --allow= --build-arg= --build-context= --cache-from= --cache-to= --cgroup-parent= --compress= --cpu-period= --cpu-quota= --cpu-shares|-c= --cpuset-cpus= --cpuset-mems= --file|-f= --force-rm= --iidfile= --invoke= --isolation= --label= --load= --memory|-m= --memory-swap= --metadata-file= --network= --no-cache= --no-cache-filter= --output|-o= --platform= --print= --progress= --pull= --push= --quiet|-q= --rm= --secret= --security-opt= --shm-size= --squash= --ssh= --tag|-t= --target= --ulimit=
buildx create: --append= --bootstrap= --buildkitd-flags= --config= --driver= --driver-opt= --leave= --name= --node= --platform= --use=
buildx imagetools create: --append= --dry-run= --file|-f= --progress= --tag|-t=
buildx imagetools inspect: --format=
buildx inspect: --bootstrap=
buildx prune: --all|-a= --filter= --force|-f= --keep-storage= --verbose=
buildx rm: --all-inactive= --force|-f= --keep-daemon= --keep-state=
buildx use: --default= --global=
plugin:
plugin disable: -f|--force
plugin enable: --timeout=
plugin inspect: -f|--format=
plugin install: --alias=
plugin ls: -f|--filter= --format= -q|--quiet
plugin rm: -f|--force
secret:
secret create: -d|--driver= -l|--label= --template-driver=
secret inspect: -f|--format=
secret ls: -f|--filter= --format= -q|--quiet
service:
service create: --cap-add= --cap-drop= --config= --constraint= --container-label= --credential-spec= -d|--detach --dns= --dns-option= --dns-search= --endpoint-mode= --entrypoint= -e|--env= --env-file= --generic-resource= --group= --health-cmd= --health-interval= --health-retries= --health-start-period= --health-timeout= --host= --hostname= --isolation= -l|--label= --limit-cpu= --limit-memory= --limit-pids= --log-driver= --log-opt= --max-concurrent= --mode= --mount= --name= --network= --placement-pref= -p|--publish= -q|--quiet --replicas= --replicas-max-per-node= --reserve-cpu= --reserve-memory= --restart-condition= --restart-delay= --restart-max-attempts= --restart-window= --rollback-delay= --rollback-failure-action= --rollback-max-failure-ratio= --rollback-monitor= --rollback-order= --rollback-parallelism= --secret= --stop-grace-period= --stop-signal= --sysctl= -t|--tty --ulimit= --update-delay= --update-failure-action= --update-max-failure-ratio= --update-monitor= --update-order= --update-parallelism= -u|--user= -w|--workdir=
service inspect: -f|--format=
service logs: -f|--follow --since= -n|--tail= -t|--timestamps
service ls: -f|--filter= --format= -q|--quiet
service ps: -f|--filter= --format= -q|--quiet
service rollback: -d|--detach -q|--quiet
service scale: -d|--detach
service update: --args= --cap-add= --cap-drop= --config-add= --config-rm= --constraint-add= --constraint-rm= --container-label-add= --container-label-rm= --credential-spec= -d|--detach --dns-add= --dns-option-add= --dns-option-rm= --dns-rm= --dns-search-add= --dns-search-rm= --endpoint-mode= --entrypoint= --env-add= --env-rm= --generic-resource-add= --generic-resource-rm= --group-add= --group-rm= --health-cmd= --health-interval= --health-retries= --health-start-period= --health-timeout= --host-add= --host-rm= --hostname= --image= --isolation= --label-add= --label-rm= --limit-cpu= --limit-memory= --limit-pids= --log-driver= --log-opt= --max-concurrent= --mount-add= --mount-rm= --network-add= --network-rm= --placement-pref-add= --placement-pref-rm= --publish-add= --publish-rm= -q|--quiet --replicas= --replicas-max-per-node= --reserve-cpu= --reserve-memory= --restart-condition= --restart-delay= --restart-max-attempts= --restart-window= --rollback-delay= --rollback-failure-action= --rollback-max-failure-ratio= --rollback-monitor= --rollback-order= --rollback-parallelism= --secret-add= --secret-rm= --stop-grace-period= --stop-signal= --sysctl-add= --sysctl-rm= -t|--tty --ulimit-add= --ulimit-rm= --update-delay= --update-failure-action= --update-max-failure-ratio= --update-monitor= --update-order= --update-parallelism= -u|--user= -w|--workdir=
stack:
stack deploy: -c|--compose-file= --orchestrator= --resolve-image=
stack ls: --format= --orchestrator=
stack ps: -f|--filter= --format= --orchestrator= -q|--quiet
stack rm: --orchestrator=
stack services: -f|--filter= --format= --orchestrator= -q|--quiet
swarm:
swarm ca: --ca-cert= --ca-key= --cert-expiry= -d|--detach --external-ca= -q|--quiet
swarm init: --advertise-addr= --availability= --cert-expiry= --data-path-addr= --data-path-port= --default-addr-pool= --default-addr-pool-mask-length= --dispatcher-heartbeat= --external-ca= --listen-addr= --max-snapshots= --snapshot-interval= --task-history-limit=
swarm join: --advertise-addr= --availability= --data-path-addr= --listen-addr= --token=
swarm join-token: -q|--quiet
swarm leave: -f|--force
swarm unlock-key: -q|--quiet
swarm update: --autolock= --cert-expiry= --dispatcher-heartbeat= --external-ca= --max-snapshots= --snapshot-interval= --task-history-limit=
system:
system prune: -a|--all --filter= -f|--force
system df: --format= -v|--verbose
system events: -f|--filter= --format= --since= --until=
system info: -f|--format=
trust:
trust revoke: -y|--yes
volume:
volume create: -d|--driver= --label= -o|--opt=
volume inspect: -f|--format=
volume ls: -f|--filter= --format= -q|--quiet
volume prune: --filter= -f|--force
volume rm: -f|--force`,
  'docker-compose': `
: --ansi= --env-file= --file|-f= --profile= --project-directory= --project-name|-p= --workdir=
build: --build-arg= --memory|-m= --progress= --quiet|-q --ssh=
config|convert: --format= --hash= --output|-o= --quiet|-q
cp: --archive|-a --follow-link|-L --index=
down: --rmi= --timeout|-t= --volumes|-v
exec: --detach|-d --env|-e= --index= --interactive|-i --no-TTY|-T --tty|-t --user|-u= --workdir|-w=
images: --quiet|-q
kill: --signal|-s=
logs: --follow|-f --since= --tail= --timestamps|-t --until=
ls: --all|-a --filter= --format= --quiet|-q
port: --index= --protocol=
ps: --all|-a --filter= --format= --quiet|-q --status=
pull: --quiet|-q
restart: --timeout|-t=
rm: --all|-a --force|-f --stop|-s --volumes|-v
run: --detach|-d --entrypoint= --env|-e= --interactive|-i --label|-l= --name= --no-TTY|-T --publish|-p= --tty|-t --user|-u= --volume|-v= --workdir|-w=
stop: --timeout|-t=
up: --attach= --detach|-d --exit-code-from= --renew-anon-volumes|-V --scale= --timeout|-t=
version: --format|-f=`,
  'doctl': `
: -h|--help -v|--verbose -o|--output= -c|--config -u|--api-url -t|--access-token`,
  'doppler': `
: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -h|--help -v|--version
activity: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -h|--help
activity get: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -h|--help --log=
changelog: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -h|--help -n|--number=
completion: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -h|--help
completion install: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -h|--help
configs: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -h|--help -p|--project=
configs clone: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -c|--config= -h|--help -p|--project= --name=
configs create: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -h|--help -p|--project= --name= --environment|-e=
configs delete: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -c|--config= -h|--help -p|--project= --yes|-y
configs get: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -c|--config= -h|--help -p|--project=
configs lock: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -c|--config= -h|--help -p|--project= --yes|-y
configs logs: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -c|--config= -h|--help -p|--project=
configs tokens: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -c|--config= -h|--help -p|--project=
configs tokens get: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= --slug= -c|--config= -h|--help -p|--project=
configs tokens create: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= --access= -c|--config= --max-age= --name= -h|--help -p|--project=
configs tokens revoke: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -c|--config= -h|--help -p|--project=
configs unlock: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -c|--config= -h|--help -p|--project= --yes|-y
configs update: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -c|--config= -h|--help -p|--project= --yes|-y --name=
configure: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -h|--help -p|--project=
configure debug: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -h|--help
configure get: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -h|--help
configure options: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -h|--help
configure reset: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -h|--help --yes|-y
configure set: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -h|--help
configure unset: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -h|--help
environments: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -h|--help -p|--project=
environments create: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -h|--help -p|--project=
environments delete: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -h|--help -p|--project= --yes|-y
environments get: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -h|--help -p|--project=
environments rename: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -h|--help -p|--project= --yes|-y --name= --slug=
feedback: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -h|--help
help: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -h|--help
import: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -h|--help --template=
login: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -h|--help --yes|-y
login revoke: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -h|--help --yes|-y
login roll: -h|--help --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t=
logout: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -h|--help --yes|-y
open: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -h|--help
open dashboard: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -h|--help
open docs: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -h|--help
open github: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -h|--help
open status: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -h|--help
projects: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -h|--help
projects create: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -h|--help --name= --description=
projects delete: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -h|--help -p|--project= --yes|-y
projects get: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -h|--help -p|--project=
projects update: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -h|--help -p|--project= --yes|-y --name= --description=
run: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -c|--config= -h|--help --passphrase= -p|--project= --command=
run clean: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -h|--help --max-age=
secrets: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -c|--config= -h|--help -p|--project= --raw=
secrets delete: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -c|--config= -h|--help -p|--project= --raw= --yes|-y
secrets download: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -c|--config= --fallback-passphrase= --format= -h|--help --passphrase= -p|--project= --yes|-y
secrets get: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -c|--config= -h|--help -p|--project= --raw= --copy=
secrets set: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -c|--config= -h|--help -p|--project= --raw=
secrets substitute: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -c|--config= -h|--help -p|--project= --output=
secrets upload: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -c|--config= -h|--help -p|--project= --raw=
settings: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -h|--help
settings update: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -h|--help --email= --name=
setup: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -c|--config= -h|--help -p|--project=
update: --api-host= --configuration= --dashboard-host= --debug= --dns-resolver-address= --dns-resolver-proto= --dns-resolver-timeout= --scope= --timeout= --token|-t= -h|--help --force|-f`,
  'firebase': `
:
appdistribution:distribute: --app= --release-notes-file= --testers= --testers-file= --groups= --groups-file= -h|--help
apps:android:sha:create: -h|--help
apps:android:sha:delete: -h|--help
apps:create: -a|--package-name= -b|--bundle-id= -s|--app-store-id= -h|--help
auth:export: --format= -h|--help
auth:import: --hash-algo= --hash-key= --salt-separator= --rounds= --mem-cost= --parallelization= --block-size= --dk-len= --hash-input-order= -h|--help
database:instances:create: -l|--location= -h|--help
database:instances:list: -h|--help
database:profile: -o|--output= -d|--duration= --raw= -i|--input= --instance= -h|--help
database:push: -d|--data= --instance= -h|--help
database:remove: -y|--confirm --instance= -h|--help
database:set: -d|--data= -y|--confirm --instance= -h|--help
database:settings:get: --instance= -h|--help
database:settings:set: --instance= -h|--help
database:update: -d|--data= -y|--confirm --instance= -h|--help
deploy: -p|--public -m|--message= -f|--force --except= -h|--help
emulators:exec: --only= --import= -h|--help
emulators:export: --only= -h|--help
emulators:start: --only= --inspect-functions= -h|--help
experimental:functions:shell: -p|--port= -h|--help
ext:configure: --params= -h|--help
ext:info: -h|--help
ext:uninstall: -f|--force -h|--help
ext:update: -h|--help
firestore:delete: -r|--recursive -y|--yes -h|--help
firestore:indexes: -h|--help
functions:config:clone: --from= --only= --except= -h|--help
functions:config:get: -h|--help
functions:config:set: -h|--help
functions:log: --only= -n|--lines= -h|--help
functions:shell: -p|--port= --inspect-functions= -h|--help
help: -h|--help
hosting:channel:create: -e|--expires= --site= -h|--help
hosting:channel:delete: --site= -f|--force -h|--help
hosting:channel:deploy: -e|--expires= -h|--help
hosting:channel:list: --site= -h|--help
hosting:channel:open: --site= -h|--help
hosting:clone: -h|--help
hosting:disable: -y|--confirm -s|--site= -h|--help
hosting:sites:create: --app= -h|--help
hosting:sites:delete: -f|--force -h|--help
hosting:sites:get: -h|--help
hosting:sites:list: -h|--help
init: -h|--help
login: -h|--help
login:add: -h|--help
login:ci: -h|--help
login:list: -h|--help
login:use: -h|--help
logout: -h|--help
open: -h|--help
projects:addfirebase: -h|--help
projects:create: -n|--display-name= -o|--organization= -f|--folder= -h|--help
projects:list: -h|--help
remoteconfig:get: -v|--version-number -o|--output= -h|--help
remoteconfig:rollback: -v|--version-number= -h|--help
remoteconfig:versions:list: --limit= -h|--help
serve: -p|--port= -o|--host= --except= -h|--help
setup:emulators:database: -h|--help
setup:emulators:firestore: -h|--help
setup:emulators:pubsub: -h|--help
setup:emulators:ui: -h|--help
target: -h|--help
target:apply: -h|--help
target:clear: -h|--help
target:remove: -h|--help
use: --add= --alias= --unalias= -h|--help`,
  'flyctl': `
: --access-token|-t= --builtinsfile= --json|-j --help|-h
agent:
agent daemon-start|run:
apps:
apps create: --name= --network= --org|-o=
apps destroy: --yes|-y
apps move: --org|-o= --yes|-y
apps open: --app|-a= --config|-c=
apps releases: --app|-a= --config|-c=
apps restart: -f|--force
auth:
auth login: --email= --interactive|-i --otp= --password=
autoscale: --app|-a= --config|-c=
autoscale balanced: --app|-a= --config|-c=
autoscale disable: --app|-a= --config|-c=
autoscale set: --app|-a= --config|-c=
autoscale show: --app|-a= --config|-c=
autoscale standard: --app|-a= --config|-c=
builds:
builds list: --app|-a= --config|-c=
certs: --app|-a= --config|-c=
certs create|add: --app|-a= --config|-c=
certs check: --app|-a= --config|-c=
certs list: --app|-a= --config|-c=
certs delete|remove: --app|-a= --config|-c= --yes|-y
certs show: --app|-a= --config|-c=
checks:
checks handlers create: --organization|-o= --type=
checks list: --app|-a= --check-name= --config|-c=
config: --app|-a= --config|-c=
config display: --app|-a= --config|-c=
config env: --app|-a= --config|-c=
config save: --app|-a= --config|-c=
config validate: --app|-a= --config|-c=
create: --name= --network= --org|-o=
dash|dashboard: --app|-a= --config|-c=
dash|dashboard metrics: --app|-a= --config|-c=
deploy: --app|-a= --build-arg= --build-target= --config|-c= --dockerfile= --env|-e= --image|-i= --image-label= --region|-r= --strategy=
destroy: --yes|-y
dig: --app|-a= --config|-c= --org|-o= --short|-s
doctor: --app|-a= --config|-c=
doctor diag: --app|-a= --config|-c=
history: --app|-a= --config|-c=
img|image:
img|image show: --app|-a= --config|-c=
img|image update: --app|-a= --config|-c= --yes|-y
info: --app|-a= --config|-c= --name|-n
ips: --app|-a= --config|-c=
ips allocate-v4: --app|-a= --config|-c= --region=
ips allocate-v6: --app|-a= --config|-c= --region=
ips list: --app|-a= --config|-c=
ips private: --app|-a= --config|-c=
ips release: --app|-a= --config|-c=
launch: --dockerfile= --image= --name= --org= --path= --region=
logs: --app|-a= --config|-c= --instance|-i= --region|-r=
machines|m|machine:
machines|m|machine clone: --app|-a= --config|-c= --detach|-d --name|-n= --org|-o= --region|-r=
machines|m|machine kill: --app|-a= --config|-c=
machines|m|machine list: --app|-a= --config|-c= --quiet|-q
machines|m|machine rm|remove: --app|-a= --config|-c= --force|-f
machines|m|machine run: --app|-a= --build-arg= --build-target= --config|-c= --cpu-kind= --cpus= --detach|-d --dockerfile= --entrypoint= --env|-e= --id= --image-label= --memory= --name|-n= --org= --port|-p= --region|-r= --size|-s= --volume|-v=
machines|m|machine start: --app|-a= --config|-c=
machines|m|machine status: --app|-a= --config|-c=
machines|m|machine stop: --app|-a= --config|-c= --signal|-s= --time=
monitor: --app|-a= --config|-c=
move: --org|-o= --yes|-y
open: --app|-a= --config|-c=
orgs:
orgs delete: --yes|-y
ping: --app|-a= --config|-c= --count|-n= --interval|-i= --org|-o= --size|-s=
pg|postgres:
pg|postgres attach: --app|-a= --config|-c= --database-name= --database-user= --postgres-app= --variable-name=
pg|postgres connect: --app|-a= --config|-c= --database= --password= --user=
pg|postgres create: --image-ref= --initial-cluster-size= --name= --organization= --password= --region= --snapshot-id= --vm-size= --volume-size=
pg|postgres db:
pg|postgres db list: --app|-a= --config|-c=
pg|postgres detach: --app|-a= --config|-c= --postgres-app=
pg|postgres users:
pg|postgres users list: --app|-a= --config|-c=
proxy: --app|-a= --config|-c= --org|-o= --select|-s
regions: --app|-a= --config|-c=
regions add: --app|-a= --config|-c= --group=
regions backup: --app|-a= --config|-c=
regions list: --app|-a= --config|-c=
regions remove: --app|-a= --config|-c= --group=
regions set: --app|-a= --config|-c= --group=
releases: --app|-a= --config|-c=
scale: --app|-a= --config|-c=
scale count: --app|-a= --config|-c= --max-per-region=
scale memory: --app|-a= --config|-c= --group=
scale show: --app|-a= --config|-c=
scale vm: --app|-a= --config|-c= --group= --memory=
secrets: --app|-a= --config|-c=
secrets import: --app|-a= --config|-c=
secrets list: --app|-a= --config|-c=
secrets set: --app|-a= --config|-c=
secrets unset: --app|-a= --config|-c=
ssh:
ssh console: --app|-a= --command|-C= --config|-c= --probe|-p --region|-r= --select|-s
ssh issue: --dotssh|-d --hours= --overwrite|-o --username|-u=
status: --app|-a= --config|-c= --rate=
status instance: --app|-a= --config|-c=
turboku: --heroku-token= --name= --org= --region=
version: --saveinstall|-s=
vm:
vm restart: --app|-a= --config|-c=
vm status: --app|-a= --config|-c=
vm stop: --app|-a= --config|-c=
vol|volumes:
vol|volumes create: --app|-a= --config|-c= --region|-r= --size|-s=
vol|volumes delete: --yes|-y
vol|volumes list: --app|-a= --config|-c=
vol|volumes snaps|snapshots:
wg|wireguard:
help:
help agent daemon-start|run:
help certs create|add:
help certs delete|remove:
help dash|dashboard:
help img|image:
help ls|list:
help machines|m|machine:
help machines|m|machine rm|remove:
help pg|postgres:
help vol|volumes:
help vol|volumes snaps|snapshots:
help wg|wireguard:`,
  'gcloud': `
`,
  'gem': `
: --help|-h -V|--verbose -q|--quiet -config-file= -v|--version
install|i: --platform=
cert: -a|--add= -l|--list[=] -r|--remove= -b|--build= -C|--certificate= -K|--private-key= -A|--key-algorithm= -s|--sign= -d|--days= -R|--re-sign
check: -a|--alien -v|--version=
cleanup: -n|-d|--dry-run -D|--check-development
contents: -v|--version= -s|--spec-dir= -l|--lib-only
dependency: -v|--version= --platform= -R|--reverse-dependencies -l|--local -r|--remote -b|--both -B|--bulk-threshold= -s|--source= -p|--http-proxy[=]
fetch: -v|--version= --platform= -B|--bulk-threshold= -s|--source= -p|--http-proxy[=]
generate_index: -d|--directory=
info: -a|--all -e|--exact -i|--installed -I|--no-installed -v|--version=
lock: -s|--strict
open: -e|--editor= -v|--version=
pristine: --skip= -E|--env-shebang -i|--install-dir= -n|--bindir= -v|--version=
query: -n|--name-matches= -d|--details -a|--all -e|--exact -i|--installed -I|--no-installed -v|--version= -l|--local -r|--remote -b|--both -B|--bulk-threshold= -s|--source= -p|--http-proxy[=]
rdoc: -v|--version=
search: -d|--details -a|--all -e|--exact -i|--installed -I|--no-installed -v|--version= -l|--local -r|--remote -b|--both -B|--bulk-threshold= -s|--source= -p|--http-proxy[=]
signin: --host= --otp=
sources: -a|--add= -l|--list -r|--remove= -c|--clear-all -u|--update -f|--force -p|--http-proxy[=]
specification: -v|--version= --platform=
unpack: --target= -v|--version=
yank: -v|--version= --platform= --host= -k|--key= --otp=
uninstall: -a|--all -I|--ignore-dependencies -D|--check-development -x|--executables -i|--install-dir= -n|--bindir= -v|--version= --platform=
list: -d|--details -u|--update-sources -a|--all -e|--exact -i|--installed -I|--no-installed -v|--version= -l|--local -r|--remote -b|--both -B|--bulk-threshold= -s|--source= -p|--http-proxy[=]
build: --platform= -o|--output= -C=
push: --host= -k|--key= --otp= -p|--http-proxy[=]
owner: -a|--add= -r|--remove= --host= -k|--key= --otp=
which: -a|--all -g|--gems-first
outdated: --platform=
update: --system[=] --platform= --install-dir|-i= --bindir|-n= --document= --build-root= --no-document|-N --env-shebang|-E --force|-f --wrappers|-w --trust-policy|-P= --file|-g= --without=`,
  'gh': `
:
alias:
alias set: -s|--shell
auth:
auth login: -h|--hostname= -s|--scopes= -w|--web --with-token=
auth logout: -h|--hostname=
auth refresh: -h|--hostname= -s|--scopes=
auth setup-git: -h|--hostname=
auth status: -h|--hostname= --with-token=
browse: -b|--branch= -c|--commit -n|--no-browser -p|--projects -R|--repo= -s|--settings -w|--wiki
completion: -s|--shell=
config:
config get: -h|--host=
config set: -h|--host=
gist:
gist create: -d|--desc= -f|--filename= -p|--public -w|--web
gist edit: -a|--add= -f|--filename
gist list: -L|--limit=
gist view: -f|--filename -r|--raw -w|--web
issue:
issue close: -R|--repo=
issue comment: -R|--repo= -b|--body= -F|--body-file= -e|--editor= -w|--web
issue create: -R|--repo= -a|--assignee= -b|--body= -F|--body-file= -l|--label= -m|--milestone= -p|--project= --recover= -t|--title= -w|--web
issue delete: -R|--repo=
issue edit: -R|--repo= --add-assignee= --add-label= -b|--body= -F|--body-file= -m|--milestone= --remove-assignee= --remove-label= --remove-project= -t|--title=
issue list: -R|--repo= -a|--assignee= -A|--author= -q|--jq= --json= -l|--label= -L|--limit= --mention= -m|--milestone= -S|--search= -s|--state= -t|--template= -w|--web
issue reopen: -R|--repo=
issue status: -R|--repo= -q|--jq= --json= -t|--template=
issue transfer: -R|--repo=
issue view: -R|--repo= -c|--comments -q|--jq= --json= -t|--template= -w|--web
pr:
pr checks: -w|--web
pr close: -d|--delete-branch
pr edit: --add-assignee= --add-label= --add-project= --add-reviewer= -B|--base= -b|--body= -F|--body-file= -m|--milestone= --remove-assignee= --remove-label= --remove-project= --remove-reviewer= -t|--title= --repo|-R=
pr comment: -b|--body= -e|--editor -w|--web
pr create: -a|--assignee= -B|--base= -b|--body= -d|--draft -f|--fill -H|--head= -l|--label= -m|--milestone= -p|--project= -recover= -r|--reviewer= -t|--title= -w|--web
pr diff: --color=
pr list: -a|--assignee= -B|--base= -l|--label= -L|--limit= -s|--state= -w|--web=
pr merge: -d|--delete-branch -m|--merge -r|--rebase -s|--squash
pr review: -a|--approve -b|--body= -c|--comment -r|--request-changes
pr view: -c|--comments -w|--web
repo:
repo archive: -y|--confirm
repo clone: -u|--upstream-remote-name=
repo create: -y|--confirm -d|--description= -h|--homepage= -p|--template= -c|--clone -g|--gitignore= -l|--license= -r|--remote= -s|--source= -t|--team=
repo deploy-key: -R|--repo=
repo deploy-key add: -w|--allow-write -t|--title=
repo delete: -y|--confirm
repo edit: --add-topic= --default-branch= -d|--description= -h|--homepage= --remove-topic= --visibility=
repo fork: --remote-name= --org= --fork-name=
repo list: --visibility= -l|--language -L|--limit= -q|--jq -t|--template --topic=
repo rename: -y|--confirm --repo|-R= -R|--repo=
repo set-default: -u|--unset -v|--view
repo sync: -b|--branch= -s|--source=
repo view: -b|--branch= -w|--web -q|--jq= --json= -t|--template=
run: --repo|-R=
run list: --repo|-R= -L|--limit= -w|--workflow=
run rerun: --repo|-R=
run view: --repo|-R= -j|--job= -v|--verbose -w|--web
run watch: --repo|-R= -i|--interval=
secret: --repo|-R=
secret list: --repo|-R= -e|--env= -o|--org=
secret remove: --repo|-R= -e|--env= -o|--org=
secret set: --repo|-R= -e|--env= -o|--org= -b|--body= -v|--visibility=
ssh-key:
ssh-key add: --repo|-R= -t|--title
ssh-key list: --repo|-R=
workflow: --repo|-R=
workflow disable: --repo|-R=
workflow enable: --repo|-R=
workflow list: --repo|-R= -a|--all -L|--limit=
workflow run: --repo|-R= -F|--field= -f|--raw-field= -r|--ref=
workflow view: --repo|-R= -r|--ref= -w|--web -y|--yaml
codespace|cs:
codespace|cs code: -c|--codespace= -w|--web
codespace|cs cp: -c|--codespace= -e|--expand -p|--profile= -r|--recursive
codespace|cs create: -b|--branch --devcontainer-path= -d|--display-name= --idle-timeout= -l|--location= -m|--machine= -R|--repo= --retention-period= -s|--status
codespace|cs delete: -c|--codespace= --days= -f|--force -o|--org= -r|--repo= -u|--user=
codespace|cs edit: -c|--codespace= -d|--display-name= -m|--machine=
codespace|cs jupyter: -c|--codespace=
codespace|cs list: -q|--jq= --json= -L|--limit= -o|--org= -R|--repo= -t|--template= -u|--user=
codespace|cs logs: -c|--codespace= -f|--follow
codespace|cs ports: -c|--codespace= -q|--jq= --json= -t|--template=
codespace|cs ports forward: -c|--codespace=
codespace|cs ports visibility: -c|--codespace=
codespace|cs rebuild: -c|--codespace=
codespace|cs ssh: -c|--codespace= -d|--debug --debug-file= --profile= --server-port=
codespace|cs stop: -c|--codespace= -o|--org= -u|--user=
project:
project create: --title= --owner= --format=
project edit: --title= -d|--description= --owner= --readme= --visibility=
project list: --closed= --owner= -L|--limit= --format=
project delete: --owner= --format=
project close: --owner= --format=
project view: --owner= --format= -w|--web
project copy: --title= --target-owner= --source-owner= --format=
project field-create: --name= --data-type= --owner= --format= --single-select-options=
project field-delete: --id=
project field-list: --owner= -L|--limit=
project item-create: --title= --body= --format= --owner=
project item-edit: --id= --project-id= --title= --body= --format= --field-id= --iteration-id= --text= --number= --single-select-option-id= --date=
project item-delete: --id= --format= --owner=
project item-list: --format= -L|--limit= --owner=
project item-add: --url= --owner= --format=
project item-archive: --id= --format= --owner=`,
  'git': `
: --version --help -C= -c= --exec-path[=] --html-path --man-path --info-path -p|--paginate --no-pager --no-replace-objects --no-optional-locks --bare --git-dir= --work-tree= --namespace=
archive: --format= --prefix= --add-file= -o|--output= --worktree-attributes -v|--verbose -NUM -l|--list --remote= --exec=
blame: --incremental -b --root --show-stats --progress --score-debug -f|--show-name -n|--show-number -p|--porcelain --line-porcelain -c -t -l -s -e|--show-email -w --ignore-rev= --ignore-revs-file= --color-lines --color-by-age --minimal -S= --contents= -C -M -L= --abbrev[=]
commit: -m|--message= -a|--all -am= -v|--verbose -p|--patch -C|--reuse-message= -c|--reedit-message= --fixup= --squash= --reset-author --short --branch --porcelain --long -z|--null -F|--file= --author= --date= -t|--template= -s|--signoff --no-signoff -n|--no-verify --allow-empty --allow-empty-message --cleanup= -e|--edit --no-edit --amend --no-post-rewrite -i|--include -o|--only --pathspec-from-file= --pathspec-file-nul -u|--untracked-files[=] -q|--quiet --dry-run --status --no-status -S|--gpg-sign[=] --no-gpg-sign
config: --local= --global --replace-all --add --get --get-all --get-regexp= --get-urlmatch= --system --worktree -f|--file= --blob= --remove-section --rename-section --unset --unset-all -l|--list --fixed-value --type= --no-type -z|--null --name-only --show-origin --show-scope --get-colorbool= --get-color= -e|--edit --includes --no-includes --default[=]
rebase: --onto= --keep-base --continue --abort --quit --apply --empty[=] --no-keep-empty --keep-empty --reapply-cherry-picks --no-reapply-cherry-picks --allow-empty-message --skip --edit-todo --show-current-patch -m|--merge -s|--strategy= -X|--strategy-option= --rerere-autoupdate --no-rerere-autoupdate -S|--gpg-sign[=] --no-gpg-sign -q|--quiet -v|--verbose --stat -n|--no-stat --no-verify --verify -C= --no-ff|--force-rebase|-f --fork-point --no-fork-point --ignore-whitespace --whitespace= --committer-date-is-author-date --ignore-date|--reset-author-date --signoff -i|--interactive -r|--rebase-merges[=] -x|--exec= --root --autosquash --no-autosquash --autostash --no-autostash --reschedule-failed-exec --no-reschedule-failed-exec
add: -n|--dry-run -v|--verbose -f|--force -i|--interactive -p|--patch -e|--edit -u|--update -A|--all|--no-ignore-removal --no-all|--ignore-removal -N|--intent-to-add --refresh --ignore-errors --ignore-missing --no-warn-embedded-repo --renormalize --chmod= --pathspec-from-file= --pathspec-file-nul
stage: -n|--dry-run -v|--verbose -f|--force -i|--interactive -p|--patch -e|--edit -u|--update -A|--all|--no-ignore-removal --no-all|--ignore-removal -N|--intent-to-add --refresh --ignore-errors --ignore-missing --no-warn-embedded-repo --renormalize --chmod= --pathspec-from-file= --pathspec-file-nul
status: -s|--short -v|--verbose -b|--branch --show-stash --porcelain[=] --ahead-behind --no-ahead-behind --column[=] --no-column[=] --long -z|--null -u|--untracked-files[=] --ignore-submodules[=] --ignored[=] --no-renames --renames --find-renames[=]
clean: -d -f|--force -i|--interactive -n|--dry-run -q|--quiet -e|--exclude= -x -X
push: --all --prune --mirror -n|--dry-run --porcelain -d|--delete --tags --follow-tags --signed[=] --no-signed --atomic --no-atomic -f|--force --repo= -u|--set-upstream --thin --no-thin -q|--quiet -v|--verbose --progress --no-recurse-submodules --recurse-submodules= --verify --no-verify -4|--ipv4 -6|--ipv6 -o|--push-option= --receive-pack|--exec= --no-force-with-lease --force-with-lease[=]
pull: --rebase|-r[=] --no-rebase --commit --no-commit --edit|-e --no-edit --cleanup= --ff --no-ff --ff-only -S|--gpg-sign[=] --no-gpg-sign --log[=] --no-log --signoff --no-signoff --stat -n|--no-stat --squash --no-squash --no-verify -s|--strategy= -X|--strategy-option= --verify-signatures --no-verify-signatures --summary --no-summary -q|--quiet -v|--verbose --autostash --no-autostash --allow-unrelated-histories --all -a|--append --atomic --depth= --deepen= --shallow-since= --shallow-exclude= --unshallow --update-shallow --negotiation-tip= --dry-run -f|--force -k|--keep -p|--prune -P|--prune-tags --no-tags --refmap= -t|--tags --recurse-submodules[=] --no-recurse-submodules -j|--jobs= --set-upstream --upload-pack= --progress -o|--server-option= --show-forced-updates --no-show-forced-updates -4|--ipv4 -6|--ipv6
diff: --staged --cached --help --numstat --name-only --shortstat --stat[=]
reset: --keep --soft --hard --mixed -N --merge -q|--quiet --no-quiet --pathspec-from-file= --pathspec-file-nul -p|--patch
log: --follow= -q|--quiet --show-signature --source --oneline -p|-u|--patch --stat --grep= --author=
remote: -v|--verbose
remote add: -t= -m= -f --tags --no-tags --mirror=
remote set-head: --auto|-a --delete|-d
remote set-branches: --add
remote rm|remove:
remote get-url: --push --all
remote set-url: --push --add --delete
remote show: -n
remote prune: -n --dry-run
remote update: -p|--prune
fetch: --all -a|--append --atomic --depth= --deepen= --shallow-since= --shallow-exclude= --unshallow --update-shallow --negotiation-tip= --dry-run --write-fetch-head --no-write-fetch-head -f|--force -k|--keep --multiple --auto-maintenance|--auto-gc --no-auto-maintenance|--no-auto-gc --write-commit-graph --no-write-commit-graph -p|--prune -P|--prune-tags -n|--no-tags --refmap= -t|--tags --recurse-submodules[=] -j|--jobs= --no-recurse-submodules --set-upstream --submodule-prefix= --recurse-submodules-default[=] -u|--update-head-ok --upload-pack= -q|--quiet -v|--verbose --progress -o|--server-option= --show-forced-updates --no-show-forced-updates -4|--ipv4 -6|--ipv6 --stdin
stash:
stash push: -p|--patch -k|--keep-index -u|--include-untracked -a|--all -q|--quiet -m|--message= --pathspec-from-file
stash save: -p|--patch -k|--keep-index -u|--include-untracked -a|--all -q|--quiet
stash pop: --index -q|--quiet
stash drop: -q|--quiet
stash apply: --index -q|--quiet
stash store: -m|--message= -q|--quiet
reflog: --relative-date --all
clone: -l|--local --no-hardlinks -s|--shared --dry-run --reference= --reference-if-able= --dissociate -q|--quiet -v|--verbose --progress --server-option= -n|--no-checkout --bare --sparse --filter= --mirror -o|--origin= -b|--branch= -u|--upload-pack= --template= -c|--config= --depth= --shallow-since= --shallow-exclude= --single-branch --no-single-branch --no-tags --recurse-submodules[=] --shallow-submodules --no-shallow-submodules --remote-submodules --no-remote-submodules -j|--jobs[=] --separate-git-dir=
init: -q|--quiet --bare --object-format= --template= --separate-git-dir= -b|--initial-branch[=] --shared[=]
mv: -f|--force -k -n|--dry-run -v|--verbose
rm: --cached -f|--force -n|--dry-run -r
bisect:
bisect start: --term-new= --term-bad= --term-good= --term-old= --no-checkout --first-parent
bisect terms: --term-old --term-good
bisect visualize|view:
branch: -a|--all -d|--delete= -D= -m|--move= -M= -c|--copy -C -l|--list --create-reflog --edit-description= -f|--force --merged= --no-merged= --column --no-column --sort= --points-at= -i|--ignore-case --format= -r|--remotes --show-current -v|--verbose -q|--quiet --abbrev= --no-abbrev -t|--track= --no-track= -u|--set-upstream-to[=] --unset-upstream[=] --contains[=] --no-contains[=] --color[=] --no-color
checkout: -q|--quiet --progress --no-progress -f|--force -2|--ours -3|--theirs -b= -B= -t|--track --no-track --guess --no-guess -l -d|--detach --orphan= --ignore-skip-worktree-bits -m|--merge --conflict[=] -p|--patch --ignore-other-worktrees --overwrite-ignore --no-overwrite-ignore --recurse-submodules --no-recurse-submodules --overlay --no-overlay --pathspec-from-file= --pathspec-file-nul
cherry-pick: --continue --skip --quit --abort -e|--edit --cleanup= -x -m|--mainline= -n|--no-commit -s|--signoff -S|--gpg-sign[=] --no-gpg-sign --ff --allow-empty --allow-empty-message --keep-redundant-commits --strategy= -X|--strategy-option= --rerere-autoupdate --no-rerere-autoupdate
submodule: -q|--quiet --cached
submodule add: -b= -f|--force --name= --reference= --depth=
submodule status: --cached --recursive
submodule deinit: -f|--force --all
submodule update: --init --remote -N|--no-fetch --no-recommend-shallow --recommend-shallow -f|--force --checkout --rebase --merge --reference= --depth= --recursive --jobs= --single-branch --no-single-branch
submodule set-branch: -b|--branch= -d|--default
submodule summary: --cached --files -n= --summary-limit=
submodule foreach: --recursive
submodule sync: --recursive
merge: --commit --no-commit --edit|-e --no-edit --cleanup= --ff --no-ff --ff-only -S|--gpg-sign[=] --no-gpg-sign --log[=] --no-log --signoff --no-signoff --stat -n|--no-stat --squash --no-squash --no-verify -s|--strategy= -X|--strategy-option= --verify-signatures --no-verify-signatures --summary --no-summary -q|--quiet -v|--verbose --progress --no-progress --autostash --no-autostash --allow-unrelated-histories -m= -F|--file= --rerere-autoupdate --no-rerere-autoupdate --overwrite-ignore --no-overwrite-ignore --abort --quit --continue
tag: -l|--list -n= -d|--delete -v|--verify -a|--annotate -m|--message= --points-at=
restore: -s|--source= -p|--patch -W|--worktree -S|--staged -q|--quiet --progress --no-progress -2|--ours -3|--theirs -m|--merge --conflict= --ignore-unmerged --ignore-skip-worktree-bits --recurse-submodules --no-recurse-submodules --overlay --no-overlay --pathspec-from-file= --pathspec-file-nul
switch: -c|--create= -C|--force-create= -d|--detach --guess --no-guess -f|--force --discard-changes -m|--merge --conflict= -q|--quiet --progress --no-progress -t|--track= --no-track= --orphan= --ignore-other-worktrees --recurse-submodules --no-recurse-submodules
worktree:
worktree add: -f|--force -d|--detach --checkout --lock -b|-B=
worktree list: --porcelain -v|--verbose --expire=
worktree lock: --reason=
worktree move: -f|--force
worktree prune: -n|--dry-run -v|--verbose --expire=
worktree remove: -f|--force
apply: --exclude= --include= -p= --no-add --stat --numstat --summary --check --index -N|--intent-to-add --cached --unsafe-paths --apply -3|--3way --build-fake-ancestor= -z -C= --whitespace= --ignore-space-change|--ignore-whitespace -R|--reverse --unidiff-zero --reject --allow-overlap -v|--verbose --inaccurate-eof --recount --directory=
daemon: --strict-paths --base-path= --base-path-relaxed --interpolated-path= --export-all --inetd --listen= --port= --init-timeout= --max-connections= --syslog --log-destination= --user-path= --verbose --detach --pid-file= --user= --group --enable= --disable= --allow-override= --forbid-override= --informative-errors --no-informative-errors --access-hook=`,
  'hasura': `
: --envfile= -h|--help --log-level= --project=
actions: --admin-secret= --certificate-authority= --endpoint= --envfile= -h|--help --log-level= --project=
actions codegen: --derive-from= --admin-secret= --certificate-authority= --endpoint= --envfile= -h|--help --log-level= --project=
actions create: --derive-from= --kind[=] --webhook[=] --admin-secret= --certificate-authority= --endpoint= --envfile= -h|--help --log-level= --project=
actions use-codegen: --framework= --output-dir= --admin-secret= --certificate-authority= --endpoint= --envfile= -h|--help --log-level= --project=
completions: --file= --envfile= -h|--help --log-level= --project=
console: --address[=] --api-port[=] --browser= --console-port[=] --static-dir= --admin-secret= --certificate-authority= --endpoint= --envfile= -h|--help --log-level= --project=
init: --admin-secret= --endpoint= --install-manifest= --version=
md|metadata: --admin-secret= --certificate-authority= --endpoint= --envfile= -h|--help --log-level= --project=
md|metadata apply: -o|--output[=] --admin-secret= --certificate-authority= --endpoint= --envfile= -h|--help --log-level= --project=
md|metadata clear: --admin-secret= --certificate-authority= --endpoint= --envfile= -h|--help --log-level= --project=
md|metadata diff: --admin-secret= --certificate-authority= --endpoint= --envfile= -h|--help --log-level= --project=
md|metadata export: -o|--output=
md|metadata ic|inconsistency|inconsistencies: --admin-secret= --certificate-authority= --endpoint= --envfile= -h|--help --log-level= --project=
md|metadata ic|inconsistency|inconsistencies drop: --admin-secret= --certificate-authority= --endpoint= --envfile= -h|--help --log-level= --project=
md|metadata ic|inconsistency|inconsistencies ls|list: --admin-secret= --certificate-authority= --endpoint= --envfile= -h|--help --log-level= --project=
md|metadata ic|inconsistency|inconsistencies status: --admin-secret= --certificate-authority= --endpoint= --envfile= -h|--help --log-level= --project=
md|metadata reload: --admin-secret= --certificate-authority= --endpoint= --envfile= -h|--help --log-level= --project=
migrate: --admin-secret= --certificate-authority= --endpoint= --envfile= -h|--help --log-level= --project=
migrate apply: --up[=] --down[=] --version= --type= --admin-secret= --certificate-authority= --endpoint= --envfile= -h|--help --log-level= --project=
migrate create: --down-sql= --metadata-from-file= --schema= --sql-from-file= --up-sql= --admin-secret= --certificate-authority= --endpoint= --envfile= -h|--help --log-level= --project=
migrate delete: --version= --admin-secret= --certificate-authority= --endpoint= --envfile= -h|--help --log-level= --project=
migrate squash: --from= --name= --admin-secret= --certificate-authority= --endpoint= --envfile= -h|--help --log-level= --project=
plugin|plugins: --envfile= -h|--help --log-level= --project=
plugin|plugins install: --version= --envfile= -h|--help --log-level= --project=
plugin|plugins list: --envfile= -h|--help --log-level= --project=
plugin|plugins uninstall: --envfile= -h|--help --log-level= --project=
plugin|plugins upgrade: --version= --envfile= -h|--help --log-level= --project=
scripts: --envfile= -h|--help --log-level= --project=
scripts update-project-v2: --metadata-dir= --admin-secret= --certificate-authority= --endpoint= --envfile= -h|--help --log-level= --project=
scripts update-project-v3: --database-name= --admin-secret= --certificate-authority= --endpoint= --envfile= -h|--help --log-level= --project=
sd|seed|seeds: --database-name= --admin-secret= --certificate-authority= --endpoint= --envfile= -h|--help --log-level= --project=
sd|seed|seeds apply: -f|--file= --admin-secret= --certificate-authority= --endpoint= --envfile= -h|--help --log-level= --project=
sd|seed|seeds create: --from-table= --admin-secret= --certificate-authority= --endpoint= --envfile= -h|--help --log-level= --project=
update-cli: --version[=] --envfile= -h|--help --log-level= --project=
version: --envfile= -h|--help --log-level= --project=`,
  'helm': `
: --burst-limit= --kube-apiserver= --kube-as-group= --kube-as-user= --kube-ca-file= --kube-context= --kube-tls-server-name= --kube-token= --kubeconfig= --log-backtrace-at= --log-dir= --log-file= --log-file-max-size= --namespace|-n= --registry-config= --repository-cache= --repository-config= --stderrthreshold= --v|-v= --vmodule= --help|-h
create: --starter|-p=
dep|dependencies|dependency:
dep|dependencies|dependency build: --keyring=
dep|dependencies|dependency ls|list: --max-col-width=
dep|dependencies|dependency up|update: --keyring=
get:
get all: --revision= --template=
get hooks: --revision=
get manifest: --revision=
get notes: --revision=
get values: --all|-a --output|-o= --revision=
hist|history: --max= --output|-o=
install: --ca-file= --cert-file= --description= --generate-name|-g --key-file= --keyring= --name-template= --output|-o= --password= --post-renderer= --post-renderer-args= --repo= --set= --set-file= --set-string= --timeout= --username= --values|-f= --version=
lint: --set= --set-file= --set-string= --values|-f=
ls|list: --all|-a --all-namespaces|-A --date|-d --filter|-f= --max|-m= --offset= --output|-o= --reverse|-r --selector|-l= --short|-q --time-format=
package: --app-version= --dependency-update|-u --destination|-d= --key= --keyring= --passphrase-file= --version=
plugin:
plugin add|install: --version=
plugin ls|list:
plugin rm|remove|uninstall:
plugin up|update:
fetch|pull: --ca-file= --cert-file= --destination|-d= --key-file= --keyring= --password= --repo= --untardir= --username= --version=
registry:
registry login: --password|-p= --username|-u=
repo:
repo add: --ca-file= --cert-file= --key-file= --password= --username=
repo index: --merge= --url=
repo ls|list: --output|-o=
repo rm|remove:
repo up|update:
rollback: --history-max= --timeout=
search:
search hub: --endpoint= --max-col-width= --output|-o=
search repo: --max-col-width= --output|-o= --regexp|-r --version= --versions|-l
inspect|show:
inspect|show all: --ca-file= --cert-file= --key-file= --keyring= --password= --repo= --username= --version=
inspect|show chart: --ca-file= --cert-file= --key-file= --keyring= --password= --repo= --username= --version=
inspect|show crds: --ca-file= --cert-file= --key-file= --keyring= --password= --repo= --username= --version=
inspect|show readme: --ca-file= --cert-file= --key-file= --keyring= --password= --repo= --username= --version=
inspect|show values: --ca-file= --cert-file= --jsonpath= --key-file= --keyring= --password= --repo= --username= --version=
status: --output|-o= --revision=
template: --api-versions|-a= --ca-file= --cert-file= --description= --generate-name|-g --key-file= --keyring= --kube-version= --name-template= --output-dir= --password= --post-renderer= --post-renderer-args= --repo= --set= --set-file= --set-string= --show-only|-s= --timeout= --username= --values|-f= --version=
test: --filter= --timeout=
del|delete|un|uninstall: --description= --timeout=
upgrade: --ca-file= --cert-file= --description= --history-max= --install|-i --key-file= --keyring= --output|-o= --password= --post-renderer= --post-renderer-args= --repo= --set= --set-file= --set-string= --timeout= --username= --values|-f= --version=
verify: --keyring=
version: --client|-c --template=
help:
help dep|dependencies|dependency:
help dep|dependencies|dependency ls|list:
help dep|dependencies|dependency up|update:
help hist|history:
help ls|list:
help plugin add|install:
help plugin ls|list:
help plugin rm|remove|uninstall:
help plugin up|update:
help fetch|pull:
help repo ls|list:
help repo rm|remove:
help repo up|update:
help inspect|show:
help del|delete|un|uninstall:`,
  'k3d': `
: -h|--help
cluster:
cluster create: -a|--agents= --agents-memory= --api-port= -c|--config= -e|--env= --gpus= -h|--help --host-alias= -i|--image= --k3s-arg= --k3s-node-label= --lb-config-override= --network= -p|--port= --registry-config= --registry-create= --registry-use= -s|--servers= --servers-memory= --subnet= --timeout= --token= -v|--volume=
cluster delete|del|rm: -a|--all -c|--config=
cluster edit|update:
cluster list|ls|get: -o|--output=
cluster start: --all --timeout=
cluster stop: -a|--all
config:
config init|create: -f|--force -o|--output
config migrate|update:
image:
image import|load: -c|--cluster= -k|--keep-tarball -t|--keep-tools -m|--mode=
kubeconfig:
kubeconfig get|print|show: -a|--all
kubeconfig merge|write: -a|--all -d|--kubeconfig-merge-default -s|--kubeconfig-switch-context -o|--output= -u|--update
node:
node create: -c|--cluster= -i|--image= --k3s-arg= --k3s-node-label= --memory= -n|--network= --replicas= --role= --runtime-label= --timeout= -t|--token=
node delete: -a|--all -r|--registry
node edit|update: --port-add=
node list|ls|get: -o|--output=
registry|registries|reg:
registry|registries|reg create: -i|--image= -p|--port= --proxy-password= --proxy-remote-url= --proxy-username= -v|--volume=
registry|registries|reg delete|del|rm: -a|--all
registry|registries|reg list|ls|get: -o|--output=`,
  'kind': `
: -h|--help -q|--quiet -v|--verbosity=
Build:
Build node-image: --arch= --base-image= --image= --kube-root= --type=
delete:
delete cluster: --name=
delete clusters: -A|--all
export:
export logs: --name=
get:
get kubeconfig: --name=
get nodes: -A|--all --name=
load:
load docker-image: --name= --nodes=
load image-archive: --name= --nodes=`,
  'kubectl': `
: -n|--namespace=
alpha:
alpha debug: --arguments-only= --attach= --container= --env= --image= --image-pull-policy= --quiet= -i|--stdin= --target= -t|--tty=
annotate: -f|--filename= -k|--kustomize= -o|--output= --resource-version= --dry-run= --field-selector= -R|--recursive -l|--selector= --template=
api-resources: -o|--output= --api-group= --sort-by= --verbs=
apply: -f|--filename= -k|--kustomize= -o|--output= --resource-version= --dry-run= --field-selector= -R|--recursive -l|--selector= --template= --field-manager= --grace-period= --prune-whitelist= --timeout=
apply edit-last-applied: -f|--filename= -k|--kustomize= -o|--output= -R|--recursive --template= --field-manager=
apply set-last-applied: -f|--filename= -o|--output= --template=
apply view-last-applied: -f|--filename= -k|--kustomize= -o|--output= -R|--recursive -l|--selector=
attach: -c|--container= --pod-running-timeout= -i|--stdin -t|--tty
auth:
auth can-i: -A|--all-namespaces -q|--quiet --subresource=
auth reconcile: --dry-run= -f|--filename= -k|--kustomize= -o|--output= -R|--recursive --template=
autoscale: -o|--output= -R|--recursive --dry-run= -f|--filename= -k|--kustomize= --template= --cpu-percent= --generator= --max= --min= --name=
certificate:
certificate approve: -f|--filename= -k|--kustomize= -o|--output= -R|--recursive --template=
certificate deny: -f|--filename= -k|--kustomize= -o|--output= -R|--recursive --template=
cluster-info:
cluster-info dump: -o|--output= --template= -A|--all-namespaces --namespaces= --output-directory= --pod-running-timeout=
config: --kubeconfig=
config get-contexts: -o|--output= --no-headers=
config set: --set-raw-bytes=
config set-cluster: --server= --certificate-authority= --insecure-skip-tls-verify= --tls-server-name=
config set-context: --cluster= --user= --namespace=
config set-credentials: --client-certificate= --client-key= --token= --username= --password= --auth-provider= --auth-provider-arg= --exec-api-version= --exec-arg= --exec-command= --exec-env=
config view: -o|--output= --template=
convert: -f|--filename= -k|--kustomize= -o|--output= -R|--recursive --template= --output-version=
cordon: --dry-run= -l|--selector=
cp: -c|--container= --no-preserve=
create: --dry-run= -f|--filename= -k|--kustomize= -o|--output= -R|--recursive -l|--selector= --template=
create clusterrole: --dry-run= -o|--output= --template= --aggregation-rule= --non-resource-url= --resource= --resource-name= --verb=
create clusterrolebinding: --dry-run= -o|--output= --template= --clusterrole= --user= --group= --serviceaccount=
create configmap: --dry-run= -o|--output= --template= --from-env-file= --from-file= --from-literal=
create cronjob: --dry-run= -o|--output= --template= --image= --restart= --schedule=
create deployment: --dry-run= -o|--output= --template= --image=
create ingress: --dry-run= -o|--output= --template= --annotation= --class= --default-backend= --field-manager= --rule=
create job: --dry-run= -o|--output= --template= --from= --image=
create namespace: --dry-run= -o|--output= --template=
create poddisruptionbudget: --dry-run= -o|--output= --template= -l|--selector= --max-unavailable= --min-available=
create priorityclass: --dry-run= -o|--output= --template= --description= --preemption-policy= --value=
create quota: --dry-run= -o|--output= --template= --field-manager= --hard= --scopes=
create role: --dry-run= -o|--output= --template= --resource= --resource-name= --verb=
create rolebinding: --dry-run= -o|--output= --template= --clusterrole= --group= --role= --serviceaccount= --username=
create secret docker-registry: --dry-run= -o|--output= --template= --docker-email= --docker-password= --docker-server= --docker-username= --from-file=
create secret generic: --dry-run= -o|--output= --template= --from-env-file= --from-file= --from-literal= --type=
create secret tls: --dry-run= -o|--output= --template= --cert= --key=
create service clusterip: --dry-run= -o|--output= --template= --clusterip= --tcp=
create service externalname: --dry-run= -o|--output= --template= --external-name= --tcp=
create service loadbalancer: --dry-run= -o|--output= --template= --tcp=
create service nodeport: --dry-run= -o|--output= --template= --node-port= --tcp=
create serviceaccount: --dry-run= -o|--output= --template=
delete: --dry-run= -f|--filename= -k|--kustomize= -o|--output= -R|--recursive -l|--selector= --field-selector= -A|--all-namespaces --grace-period= --timeout=
describe: -f|--filename= -k|--kustomize= -R|--recursive -l|--selector= -A|--all-namespaces
diff: -f|--filename= -k|--kustomize= -R|--recursive --field-manager=
drain: --dry-run= -l|--selector= --grace-period= --pod-selector= --skip-wait-for-delete-timeout= --timeout=
edit: -f|--filename= -k|--kustomize= -o|--output= -R|--recursive --template= --output-patch=
exec: -f|--filename= -c|--container= --pod-running-timeout= -i|--stdin -t|--tty
explain: --api-version=
expose: --dry-run= -f|--filename= -k|--kustomize= -o|--output= -R|--recursive -l|--selector= --template= --cluster-ip= --external-ip= --generator= -l|--labels= --load-balancer-ip= --name= --overrides= --port= --protocol= --session-affinity= --target-port= --type=
get: --field-selector= -f|--filename= -k|--kustomize= -o|--output= -R|--recursive -l|--selector= --template= -A|--all-namespaces --chunk-size= -L|--label-columns= --sort-by= -w|--watch
kustomize: -o|--output= --env|-e= --load-restrictor= --mount= --network-name=
label: --dry-run= --field-selector= -f|--filename= -k|--kustomize= -o|--output= -R|--recursive -l|--selector= --template= --resource-version=
logs: -l|--selector= -c|--container= -f|--follow --limit-bytes= --max-log-requests= --pod-running-timeout= -p|--previous --since= --since-time= --tail=
patch: --dry-run= -f|--filename= -k|--kustomize= -o|--output= -R|--recursive --template= -p|--patch= --type=
port-forward: --address= --pod-running-timeout=
proxy: --accept-hosts= --accept-paths= --address= --api-prefix= --keepalive= -p|--port= --reject-methods= --reject-paths= -u|--unix-socket= -w|--www= -P|--www-prefix=
replace: --dry-run= -f|--filename= -k|--kustomize= -o|--output= -R|--recursive --template= --grace-period= --raw= --timeout=
rollout:
rollout history: -f|--filename= -k|--kustomize= -o|--output= -R|--recursive --template= --revision=
rollout pause: -f|--filename= -k|--kustomize= -o|--output= -R|--recursive --template=
rollout restart: -f|--filename= -k|--kustomize= -o|--output= -R|--recursive --template=
rollout resume: -f|--filename= -k|--kustomize= -o|--output= -R|--recursive --template=
rollout status: -f|--filename= -k|--kustomize= -R|--recursive --revision= --timeout= -w|--watch
rollout undo: -f|--filename= -k|--kustomize= -R|--recursive --dry-run= --to_revision= --timeout=
run: -f|--filename= --dry-run= -k|--kustomize= -R|--recursive -o|--output= --template= --annotations= --cascade= --env= --grace-period= --hostport= --image= --image-pull-policy= -l|--labels= --limits= --overrides= --pod-running-timeout= --port= --requests= --restart= --serviceaccount= -i|--stdin --timeout= -t|--tty
scale: -f|--filename= -k|--kustomize= -o|--output= -R|--recursive --resource-version= -l|--selector= --template= --dry-run= --current-replicas= --replicas= --timeout=
set:
set env: --dry-run= -f|--filename= -k|--kustomize= -o|--output= -R|--recursive -l|--selector= --template= -c|--containers= -e|--env= --from= --keys= --prefix=
set image: --dry-run= -f|--filename= -k|--kustomize= -o|--output= -R|--recursive -l|--selector= --template=
set resources: --dry-run= -f|--filename= -k|--kustomize= -o|--output= -R|--recursive -l|--selector= --template= -c|--containers= --limits= --requests=
set selector: --dry-run= -f|--filename= -k|--kustomize= -o|--output= -R|--recursive --template= --resource-version= --all=
set serviceaccount: --dry-run= -f|--filename= -k|--kustomize= -o|--output= -R|--recursive --template=
set subject: --dry-run= -f|--filename= -k|--kustomize= -o|--output= -R|--recursive --template= --group= --serviceaccount=
taint: --dry-run= -o|--output= -l|--selector= --template=
uncordon: --dry-run= -l|--selector=
version: -o|--output=
wait: --field-selector= -f|--filename= -o|--output= -R|--recursive -l|--selector= --template= -A|--all-namespaces= --for= --timeout=`,
  'minikube': `
:
start: --auto-update-drivers= --cni= --container-runtime= --cpus= --delete-on-failure= --driver= --embed-certs= --force-systemd= --host-only-nic-type= --install-addons= --kvm-numa-count= --nodes|-n --output|-o= --preload= --trace=
status: --format|-f --layout|-l --node|-n --output|-o= --watch|-w
stop: --output|-o=
unpause: --all-namespaces|-A --namespaces|-n --output|-o=
docker-env: --no-proxy|-A --output|-o= --unset|-u
podman-env: --unset|-u
service:
service list: --namespace|-n
tunnel: --cleanup|-c
ssh: --node|-n
ssh-key: --node|-n
ssh-host: --node|-n
ip: --node|-n
logs: --follow|-f --length|-n
version: --output|-o= --short=`,
  'netlify': `
:
addons:auth|addon:auth: --httpProxy= --httpProxyCertificateFilename=
addons:config|addon:config: --httpProxy= --httpProxyCertificateFilename=
addons:create|addon:create: --httpProxy= --httpProxyCertificateFilename=
addons:delete|addon:delete: -f|--force --httpProxy= --httpProxyCertificateFilename=
addons:list|addon:list: --httpProxy= --httpProxyCertificateFilename=
api: -d|--data= --httpProxy= --httpProxyCertificateFilename=
build: -o|--offline --context= --httpProxy= --httpProxyCertificateFilename=
completion: -s|--shell=
completion:generate: -s|--shell
completion:generate:alias: -s|--shell
deploy: -a|--auth= -b|--branch= -d|--dir= -f|--functions= -m|--message= -o|--open -p|--prod -s|--site= --alias= --httpProxy= --httpProxyCertificateFilename= --timeout=
dev: -c|--command= -d|--dir= -f|--functions= -l|--live -o|--offline -p|--port= --httpProxy= --httpProxyCertificateFilename= --framework= --targetPort=
dev:exec: --httpProxy= --httpProxyCertificateFilename=
dev:trace: -H|--header= -X|--request= -B|--cookie= -w|--watch=
env: --httpProxy= --httpProxyCertificateFilename=
env:get: --httpProxy= --httpProxyCertificateFilename=
env:import: -r|--replaceExisting --httpProxy= --httpProxyCertificateFilename=
env:list: --httpProxy= --httpProxyCertificateFilename=
env:set: --httpProxy= --httpProxyCertificateFilename=
env:unset|env:delete|env:remove: --httpProxy= --httpProxyCertificateFilename=
functions:build|function:build: -f|--functions= -s|--src= --httpProxy= --httpProxyCertificateFilename=
functions:create|function:create: -n|--name= -u|--url= --httpProxy= --httpProxyCertificateFilename=
functions:invoke|function:trigger: -f|--functions= -n|--name= -p|--payload= -q|--querystring= --httpProxy= --httpProxyCertificateFilename=
functions:list|function:list: -f|--functions= -n|--name= --httpProxy= --httpProxyCertificateFilename=
functions:serve|function:server: -f|--functions= -o|--offline -p|--port= --httpProxy= --httpProxyCertificateFilename=
init: -m|--manual --gitRemoteName= --httpProxy= --httpProxyCertificateFilename=
link: --gitRemoteName= --id= --name= --httpProxy= --httpProxyCertificateFilename=
lm: --httpProxy= --httpProxyCertificateFilename=
lm:info: --httpProxy= --httpProxyCertificateFilename=
lm:install|lm:init: -f|--force
lm:setup: -f|--force-install -s|--skip-install --httpProxy= --httpProxyCertificateFilename=
login: --auth= --httpProxy= --httpProxyCertificateFilename=
open: --httpProxy= --httpProxyCertificateFilename=
open:admin: --httpProxy= --httpProxyCertificateFilename=
open:site: --httpProxy= --httpProxyCertificateFilename=
sites:create: -a|--account-slug -c|--with-ci -m|--manual -n|--name --httpProxy= --httpProxyCertificateFilename=
sites:delete: -f|--force --httpProxy= --httpProxyCertificateFilename=
sites:list: --httpProxy= --httpProxyCertificateFilename=
status: --httpProxy= --httpProxyCertificateFilename=
status:hooks: --httpProxy= --httpProxyCertificateFilename=
unlink: --httpProxy= --httpProxyCertificateFilename=
watch: --httpProxy= --httpProxyCertificateFilename=`,
  'npm': `
:
install|i|add: -P|--save-prod -D|--save-dev -O|--save-optional --no-save -E|--save-exact -B|--save-bundle -g|--global --global-style --legacy-bundling --legacy-peer-deps --strict-peer-deps --no-package-lock --registry= --verbose= --omit= --ignore-scripts --no-audit --no-bin-links --no-fund --dry-run -w|--workspace= -ws|--workspaces
run|run-script: -w|--workspace= -ws|--workspaces --if-present --silent --ignore-scripts --script-shell=
init: -y|--yes -w=
adduser|login: --registry= --scope=
audit: -w|--workspace= -ws|--workspaces --audit-level= --package-lock-only --json --omit=
audit fix: --dry-run -f|--force -w|--workspace= -ws|--workspaces
bin: -g|--global
bugs|issues: --no-browser --browser= --registry=
cache: --cache=
ci|clean-install|install-clean: --audit= --no-audit --ignore-scripts --script-shell= --verbose= --registry=
config|c:
config|c set: -g|--global
config|c list: -g -l --json
config|c edit: --global
dedupe|ddp:
deprecate: --registry=
docs|home: -w|--workspace= -ws|--workspaces --registry= --no-browser --browser=
doctor: --registry=
edit: --editor
help: --viewer=
help-search: -l|--long
logout: --registry= --scope=
ls|list: -a|-all --json -l|--long -p|--parseable --depth= --link --package-lock-only --no-unicode -g|--global --omit= -w|--workspace= -ws|--workspaces
org:
org set: --registry= --otp=
org rm: --registry= --otp=
org ls: --registry= --otp= --json -p|--parseable
outdated: -a|-all --json -l|--long -p|--parseable -g -w|--workspace= -ws|--workspaces
owner|author:
owner|author ls: --registry=
owner|author add: --registry= --otp=
owner|author rm: --registry= --otp=
pack: --json --dry-run -w|--workspace= -ws|--workspaces --pack-destination=
ping: --registry=
pkg:
pkg get: --json -w|--workspace= -ws|--workspaces
pkg set: --json -w|--workspace= -ws|--workspaces -f|--force
pkg delete: -w|--workspace= -ws|--workspaces -f|--force
prefix: -g|--global
profile:
profile get: --registry= --json -p|--parseable --otp=
profile set: --registry= --json -p|--parseable --otp=
profile enable-2fa: --registry= --otp=
profile disable-2fa: --registry= --otp=
prune: --omit= --dry-run --json --production -w|--workspace= -ws|--workspaces
publish: --tag= -w|--workspace= -ws|--workspaces --access= --dry-run --otp=
rebuild|rb: -g|--global -w|--workspace= -ws|--workspaces --ignore-scripts --no-bin-links
repo: -w|--workspace= -ws|--workspaces --no-browser --browser=
restart: --ignore-scripts --script-shell=
root: -g|--global
search|s|se|find: -l|--long --json --color= --no-color -p|--parseable --no-description --searchopts= --searchexclude= --registry= --prefer-online --prefer-offline --offline
set-script: -w|--workspace= -ws|--workspaces
star: --registry= --no-unicode
stars: --registry=
start: --ignore-scripts --script-shell=
stop: --ignore-scripts --script-shell=
team:
team create: --registry= --otp=
team destroy: --registry= --otp=
team add: --registry= --otp=
team rm: --registry= --otp=
team ls: --registry= --json -p|--parseable
test|tst|t: --ignore-scripts --script-shell=
token: --registry= --otp=
token list: --json -p|--parseable
token create: --read-only --cidr=
uninstall: -S|--save -D|--save-dev -O|--save-optional --no-save -g -w|--workspace= -ws|--workspaces
r|rm: -S|--save -D|--save-dev -O|--save-optional --no-save -g -w|--workspace= -ws|--workspaces
un: -S|--save -D|--save-dev -O|--save-optional --no-save -g -w|--workspace= -ws|--workspaces
remove: -S|--save -D|--save-dev -O|--save-optional --no-save -g -w|--workspace= -ws|--workspaces
unlink: -S|--save -D|--save-dev -O|--save-optional --no-save -g -w|--workspace= -ws|--workspaces
unpublish: --dry-run -f|--force -w|--workspace= -ws|--workspaces
unstar: --registry= --otp= --no-unicode
update|upgrade|up: -g --global-style --legacy-bundling --strict-peer-deps --no-package-lock --omit= --ignore-scripts --no-audit --no-bin-links --no-fund --save --dry-run -w|--workspace= -ws|--workspaces
version: -w|--workspace= -ws|--workspaces --json --allow-same-version --no-commit-hooks --no-git-tag-version --preid= --sign-git-tag
view|v|info|show: -w|--workspace= -ws|--workspaces --json
whoami: --registry=`,
  'op': `
: --account= --config= --encoding= --format= -h|--help --session= -v|--version
account:
account add: --address= --email= --shorthand=
account list|ls:
connect:
connect group grant: --group=
connect group revoke: --group=
connect server delete|remove|rm:
connect server list|ls:
connect token create: --expires-in= --server=
connect token edit: --name=
connect token delete|remove|rm:
connect token list|ls:
connect vault grant: --server=
connect vault revoke: --server=
document:
document create: --file-name= --tags= --title=
document get: --output=
document edit: --file-name= --tags= --title=
document delete|remove|rm:
document list|ls:
group:
group user grant: --group= --role=
group user revoke: --group=
group user list|ls:
group create: --description=
group edit: --description=
group delete|remove|rm:
group list|ls: --user=
item:
item template get: -f|--force
item template list|ls:
item create: --category= --generate-password= --tags= --template= --title= --url=
item get: --fields=
item delete|remove|rm:
item list|ls: --categories= --tags=
item share: --emails= --expiry= --vault=
user:
user provision: --email= --language=
user edit: --name=
user suspend: --deauthorize-devices-after=
user delete|remove|rm:
user list|ls: --group=
vault:
vault group grant: --group= --no-input= --permissions=
vault group revoke: --group= --no-input= --permissions=
vault group list|ls:
vault user grant: --no-input= --permissions= --user=
vault user revoke: --no-input= --permissions= --user=
vault user list|ls:
vault create: --allow-admins-to-manage= --description=
vault edit: --description= --icon= --name= --travel-mode=
vault delete|remove|rm:
vault list|ls: --group=
read: --file-mode= -f|--force -n|--no-newline
run: --env-file=
signin: -f|--force
update: --directory=`,
  'pip': `
:
install: -r|--requirement=
download: -c|--constraint -r|--requirement --only-binary= --src= --progress-bar= -d|--dest= --platform= --implementation= --abi= -i|--index-url= -f|--find-links=
freeze: -r|--requirement -l|--local --exclude=
list: -o|--outdated -u|--uptodate -e|--editable -l|--local --path= --exclude= -i|--index-url= -f|--find-links=
show: -f|--files
search: -i|--index
hash: -a|--algorithm=
debug: --platform= --python-version= --implementation=`,
  'pm2': `
: -V|--version -s|--silent -m|--mini-list -f|--force -n|--name= -i|--instances= --parallel= -l|--log[=] -o|--output= -e|--error= -p|--pid= -k|--kill-timeout= --listen-timeout= --max-memory-restart= --restart-delay= --env= --log-type= -x|--execute-command --max-restarts[=] -u|--user= --uid= --gid= --cwd= --hp= --service-name= -c|--cron= -w|--write --interpreter= --interpreter-args= --log-date-format= -a|--update-env -h
start: -V|--version -s|--silent -m|--mini-list -f|--force -n|--name= -i|--instances= --parallel= -l|--log[=] -o|--output= -e|--error= -p|--pid= -k|--kill-timeout= --listen-timeout= --max-memory-restart= --restart-delay= --env= --log-type= -x|--execute-command --max-restarts[=] -u|--user= --uid= --gid= --cwd= --hp= --service-name= -c|--cron= -w|--write --interpreter= --interpreter-args= --log-date-format= -a|--update-env -h
stop: -V|--version -s|--silent -m|--mini-list -f|--force -n|--name= -i|--instances= --parallel= -l|--log[=] -o|--output= -e|--error= -p|--pid= -k|--kill-timeout= --listen-timeout= --max-memory-restart= --restart-delay= --env= --log-type= -x|--execute-command --max-restarts[=] -u|--user= --uid= --gid= --cwd= --hp= --service-name= -c|--cron= -w|--write --interpreter= --interpreter-args= --log-date-format= -a|--update-env -h
restart: -V|--version -s|--silent -m|--mini-list -f|--force -n|--name= -i|--instances= --parallel= -l|--log[=] -o|--output= -e|--error= -p|--pid= -k|--kill-timeout= --listen-timeout= --max-memory-restart= --restart-delay= --env= --log-type= -x|--execute-command --max-restarts[=] -u|--user= --uid= --gid= --cwd= --hp= --service-name= -c|--cron= -w|--write --interpreter= --interpreter-args= --log-date-format= -a|--update-env -h
install|module:install: -V|--version -s|--silent -m|--mini-list -f|--force -n|--name= -i|--instances= --parallel= -l|--log[=] -o|--output= -e|--error= -p|--pid= -k|--kill-timeout= --listen-timeout= --max-memory-restart= --restart-delay= --env= --log-type= -x|--execute-command --max-restarts[=] -u|--user= --uid= --gid= --cwd= --hp= --service-name= -c|--cron= -w|--write --interpreter= --interpreter-args= --log-date-format= -a|--update-env -h
uninstall|module:uninstall:
publish|module:publish:
link|interact: -V|--version -s|--silent -m|--mini-list -f|--force -n|--name= -i|--instances= --parallel= -l|--log[=] -o|--output= -e|--error= -p|--pid= -k|--kill-timeout= --listen-timeout= --max-memory-restart= --restart-delay= --env= --log-type= -x|--execute-command --max-restarts[=] -u|--user= --uid= --gid= --cwd= --hp= --service-name= -c|--cron= -w|--write --interpreter= --interpreter-args= --log-date-format= -a|--update-env -h
dump|save:
ecosystem|init:
desc|info|show:
list|ls:
l|ps|status:
dashboard|dash:
logs: -V|--version -s|--silent -m|--mini-list -f|--force -n|--name= -i|--instances= --parallel= -l|--log[=] -o|--output= -e|--error= -p|--pid= -k|--kill-timeout= --listen-timeout= --max-memory-restart= --restart-delay= --env= --log-type= -x|--execute-command --max-restarts[=] -u|--user= --uid= --gid= --cwd= --hp= --service-name= -c|--cron= -w|--write --interpreter= --interpreter-args= --log-date-format= -a|--update-env -h
serve|expose:`,
  'pnpm': `
: -C|--dir= -w|--workspace-root= -h|--help -v|--version
add: --reporter= -P|--save-prod -D|--save-dev -O|--save-optional -E|--save-exact --ignore-workspace-root-check --global|-g --filter=
install|i:
install-test|it: --reporter= -P|--save-prod -D|--save-dev
update|upgrade|up: --recursive|-r --latest|-L -P|--save-prod -D|--save-dev --interactive|-i --filter=
remove|rm|uninstall|un: --recursive|-r -P|--save-prod -D|--save-dev --save-optional|-O --filter=
link|ln: --dir|-C
unlink: --recursive|-r --filter=
rebuild|rb: --recursive|-r --filter=
audit: --audit-level= --dev|-D --prod|-P
list|ls: --recursive|-r --depth= --dev|-D --prod|-P --filter=
outdated: --recursive|-r --dev|-D --prod|-P
why: --recursive|-r --dev|-D --prod|-P --filter=
run|run-script: -r|--recursive --filter=
exec: -r|--recursive --filter=
test|t|tst:
publish: --tag= --access= --filter=
recursive|m|multi|-r: --link-workspace-packages= --workspace-concurrency= --filter=
recursive|m|multi|-r add: --reporter= -P|--save-prod -D|--save-dev -O|--save-optional -E|--save-exact --ignore-workspace-root-check --global|-g --filter=
recursive|m|multi|-r install|i:
recursive|m|multi|-r update|upgrade|up: --recursive|-r --latest|-L -P|--save-prod -D|--save-dev --interactive|-i --filter=
recursive|m|multi|-r remove|rm|uninstall|un: --recursive|-r -P|--save-prod -D|--save-dev --save-optional|-O --filter=
recursive|m|multi|-r unlink: --recursive|-r --filter=
recursive|m|multi|-r rebuild|rb: --recursive|-r --filter=
recursive|m|multi|-r list|ls: --recursive|-r --depth= --dev|-D --prod|-P --filter=
recursive|m|multi|-r outdated: --recursive|-r --dev|-D --prod|-P
recursive|m|multi|-r why: --recursive|-r --dev|-D --prod|-P --filter=
recursive|m|multi|-r run|run-script: -r|--recursive --filter=
recursive|m|multi|-r exec: -r|--recursive --filter=
recursive|m|multi|-r test|t|tst:
recursive|m|multi|-r publish: --tag= --access= --filter=
server:
server start: --network-concurrency= --protocol= --port= --store-dir=`,
  'podman': `
: --connection|-c --help|-h --version|-v
attach: --detach-keys=
build: --add-host= --build-arg= --cache-from= -f|--file= --iidfile= --isolation= --label= --network= -o|--output= --platform= --progress= -q|--quiet --secret= --ssh= -t|--tag --target=
commit: -a|--author= -c|--change= -m|--message= -p|--pause
cp: -a|--archive -L|--follow-link
create: --add-host= -a|--attach= --blkio-weight= --blkio-weight-device= --cap-add= --cap-drop= --cgroup-parent= --cgroupns= --cidfile= --cpu-period= --cpu-quota= --cpu-rt-period= --cpu-rt-runtime= -c|--cpu-shares= --cpus= --cpuset-cpus= --cpuset-mems= --device= --device-cgroup-rule= --device-read-bps= --device-read-iops= --device-write-bps= --device-write-iops= --dns= --dns-option= --dns-search= --domainname= --entrypoint= -e|--env= --env-file= --expose= --gpus= --group-add= --health-cmd= --health-interval= --health-retries= --health-start-period= --health-timeout= -h|--hostname= -i|--interactive --ip= --ip6= --ipc= --isolation= --kernel-memory= -l|--label= --label-file= --link= --link-local-ip= --log-driver= --log-opt= --mac-address= -m|--memory= --memory-reservation= --memory-swap= --memory-swappiness= --mount= --name= --network= --network-alias= --oom-score-adj= --pid= --pids-limit= --platform= -p|--publish= -P|--publish-all --pull= --restart= --runtime= --security-opt= --shm-size= --stop-signal= --stop-timeout= --storage-opt= --sysctl= --tmpfs= -t|--tty --ulimit= -u|--user= --userns= --uts= -v|--volume= --volume-driver= --volumes-from= -w|--workdir=
events: -f|--filter= --format= --since= --until=
exec: -d|--detach --detach-keys= -e|--env= --env-file= -i|--interactive -t|--tty -u|--user= -w|--workdir=
export: -o|--output=
history: --format= -H|--human -q|--quiet
images: -a|--all -f|--filter= --format= -q|--quiet
import: -c|--change= -m|--message= --platform=
info: -f|--format=
inspect: -f|--format= -s|--size --type=
kill: -s|--signal=
load: -i= -q|--quiet
login: -p|--password= -u|--username=
logs: -f|--follow --since= -n|--tail= -t|--timestamps --until=
ps: -a|--all -f|--filter= --format= -n|--last= -l|--latest -q|--quiet -s|--size
pull: -a|--all-tags --platform= -q|--quiet
push: -a|--all-tags -q|--quiet
restart: -t|--time=
rm: -f|--force -l|--link -v|--volumes
rmi: -f|--force
run: --add-host= -a|--attach= --blkio-weight= --blkio-weight-device= --cap-add= --cap-drop= --cgroup-parent= --cgroupns= --cidfile= --cpu-period= --cpu-quota= --cpu-rt-period= --cpu-rt-runtime= -c|--cpu-shares= --cpus= --cpuset-cpus= --cpuset-mems= -d|--detach --detach-keys= --device= --device-cgroup-rule= --device-read-bps= --device-read-iops= --device-write-bps= --device-write-iops= --dns= --dns-option= --dns-search= --domainname= --entrypoint= -e|--env= --env-file= --expose= --gpus= --group-add= --health-cmd= --health-interval= --health-retries= --health-start-period= --health-timeout= -h|--hostname= -i|--interactive --ip= --ip6= --ipc= --isolation= --kernel-memory= -l|--label= --label-file= --link= --link-local-ip= --log-driver= --log-opt= --mac-address= -m|--memory= --memory-reservation= --memory-swap= --memory-swappiness= --mount= --name= --network= --network-alias= --oom-score-adj= --pid= --pids-limit= --platform= -p|--publish= -P|--publish-all --pull= --restart= --runtime= --security-opt= --shm-size= --stop-signal= --stop-timeout= --storage-opt= --sysctl= --tmpfs= -t|--tty --ulimit= -u|--user= --userns= --uts= -v|--volume= --volume-driver= --volumes-from= -w|--workdir=
save: -o|--output=
search: -f|--filter= --format= --limit=
start: -a|--attach --detach-keys= -i|--interactive
stats: -a|--all --format=
stop: -t|--t=
update: --blkio-weight= --cpu-period= --cpu-quota= --cpu-rt-period= --cpu-rt-runtime= -c|--cpu-shares= --cpus= --cpuset-cpus= --cpuset-mems= --kernel-memory= -m|--memory= --memory-reservation= --memory-swap= --pids-limit= --restart=
version: -f|--format= --kubeconfig=
container:
container attach: --detach-keys=
container cp: -a|--archive -L|--follow-link
container create: --add-host= -a|--attach= --blkio-weight= --blkio-weight-device= --cap-add= --cap-drop= --cgroup-parent= --cgroupns= --cidfile= --cpu-period= --cpu-quota= --cpu-rt-period= --cpu-rt-runtime= -c|--cpu-shares= --cpus= --cpuset-cpus= --cpuset-mems= --device= --device-cgroup-rule= --device-read-bps= --device-read-iops= --device-write-bps= --device-write-iops= --dns= --dns-option= --dns-search= --domainname= --entrypoint= -e|--env= --env-file= --expose= --gpus= --group-add= --health-cmd= --health-interval= --health-retries= --health-start-period= --health-timeout= -h|--hostname= -i|--interactive --ip= --ip6= --ipc= --isolation= --kernel-memory= -l|--label= --label-file= --link= --link-local-ip= --log-driver= --log-opt= --mac-address= -m|--memory= --memory-reservation= --memory-swap= --memory-swappiness= --mount= --name= --network= --network-alias= --oom-score-adj= --pid= --pids-limit= --platform= -p|--publish= -P|--publish-all --pull= --restart= --runtime= --security-opt= --shm-size= --stop-signal= --stop-timeout= --storage-opt= --sysctl= --tmpfs= -t|--tty --ulimit= -u|--user= --userns= --uts= -v|--volume= --volume-driver= --volumes-from= -w|--workdir=
container exec: -d|--detach --detach-keys= -e|--env= --env-file= -i|--interactive -t|--tty -u|--user= -w|--workdir=
container export: -o|--output=
container inspect: -f|--format= -s|--size
container kill: -s|--signal=
container logs: -f|--follow --since= -n|--tail= -t|--timestamps --until=
container ls: -a|--all -f|--filter= --format= -n|--last= -l|--latest -q|--quiet -s|--size
container prune: --filter= -f|--force
container restart: -t|--time=
container rm: -f|--force -l|--link -v|--volumes
container run: --add-host= -a|--attach= --blkio-weight= --blkio-weight-device= --cap-add= --cap-drop= --cgroup-parent= --cgroupns= --cidfile= --cpu-period= --cpu-quota= --cpu-rt-period= --cpu-rt-runtime= -c|--cpu-shares= --cpus= --cpuset-cpus= --cpuset-mems= -d|--detach --detach-keys= --device= --device-cgroup-rule= --device-read-bps= --device-read-iops= --device-write-bps= --device-write-iops= --dns= --dns-option= --dns-search= --domainname= --entrypoint= -e|--env= --env-file= --expose= --gpus= --group-add= --health-cmd= --health-interval= --health-retries= --health-start-period= --health-timeout= -h|--hostname= -i|--interactive --ip= --ip6= --ipc= --isolation= --kernel-memory= -l|--label= --label-file= --link= --link-local-ip= --log-driver= --log-opt= --mac-address= -m|--memory= --memory-reservation= --memory-swap= --memory-swappiness= --mount= --name= --network= --network-alias= --oom-score-adj= --pid= --pids-limit= --platform= -p|--publish= -P|--publish-all --pull= --restart= --runtime= --security-opt= --shm-size= --stop-signal= --stop-timeout= --storage-opt= --sysctl= --tmpfs= -t|--tty --ulimit= -u|--user= --userns= --uts= -v|--volume= --volume-driver= --volumes-from= -w|--workdir=
container start: -a|--attach --detach-keys= -i|--interactive
container stats: -a|--all --format=
container stop: -t|--t=
container update: --blkio-weight= --cpu-period= --cpu-quota= --cpu-rt-period= --cpu-rt-runtime= -c|--cpu-shares= --cpus= --cpuset-cpus= --cpuset-mems= --kernel-memory= -m|--memory= --memory-reservation= --memory-swap= --pids-limit= --restart=
image:
image build: --add-host= --build-arg= --cache-from= -f|--file= --iidfile= --isolation= --label= --network= -o|--output= --platform= --progress= -q|--quiet --secret= --ssh= -t|--tag --target=
image history: --format= -H|--human -q|--quiet
image import: -c|--change= -m|--message= --platform=
image inspect: -f=
image load: -i= -q|--quiet
image ls: -a|--all -f|--filter= --format= -q|--quiet
image prune: -a|--all --filter= -f|--force
image pull: -a|--all-tags --platform= -q|--quiet
image push: -a|--all-tags -q|--quiet
image rm: -f|--force
image save: -o|--output=
network:
network connect: --alias= --driver-opt= --ip= --ip6= --link= --link-local-ip=
network create: --aux-address= --config-from= -d|--driver= --gateway= --ip-range= --ipam-driver= --ipam-opt= --label= -o|--opt= --scope= --subnet=
network disconnect: -f|--force
network inspect: -f|--format= -v|--verbose
network ls: -f|--filter= --format= -q|--quiet
network prune: --filter= -f|--force
secret:
secret create: -d|--driver= -l|--label= --template-driver=
secret inspect: -f|--format=
secret ls: -f|--filter= --format= -q|--quiet
system:
system prune: -a|--all --filter= -f|--force
system df: --format= -v|--verbose
system events: -f|--filter= --format= --since= --until=
system info: -f|--format=
volume:
volume create: -d|--driver= --label= -o|--opt=
volume inspect: -f|--format=
volume ls: -f|--filter= --format= -q|--quiet
volume prune: --filter= -f|--force
volume rm: -f|--force`,
  'poetry': `
: -h|--help -v|--verbose -V|--version -n|--no-interaction --directory= -q|--quiet
about: -h|--help -v|--verbose -V|--version -n|--no-interaction --directory= -q|--quiet
add: -h|--help -v|--verbose -V|--version -n|--no-interaction --directory= -q|--quiet
build: -h|--help -v|--verbose -V|--version -n|--no-interaction --directory= -q|--quiet
cache:
cache clear: -h|--help -v|--verbose -V|--version -n|--no-interaction --directory= -q|--quiet
cache list: -h|--help -v|--verbose -V|--version -n|--no-interaction --directory= -q|--quiet
check: -h|--help -v|--verbose -V|--version -n|--no-interaction --directory= -q|--quiet
config: -h|--help -v|--verbose -V|--version -n|--no-interaction --directory= -q|--quiet
debug:
debug info: -h|--help -v|--verbose -V|--version -n|--no-interaction --directory= -q|--quiet
debug resolve: -h|--help -v|--verbose -V|--version -n|--no-interaction --directory= -q|--quiet
env:
env info: -h|--help -v|--verbose -V|--version -n|--no-interaction --directory= -q|--quiet
env list: -h|--help -v|--verbose -V|--version -n|--no-interaction --directory= -q|--quiet
env remove: -h|--help -v|--verbose -V|--version -n|--no-interaction --directory= -q|--quiet
env use: -h|--help -v|--verbose -V|--version -n|--no-interaction --directory= -q|--quiet
init: -h|--help -v|--verbose -V|--version -n|--no-interaction --directory= -q|--quiet
install: -h|--help -v|--verbose -V|--version -n|--no-interaction --directory= -q|--quiet
lock: -h|--help -v|--verbose -V|--version -n|--no-interaction --directory= -q|--quiet
new: -h|--help -v|--verbose -V|--version -n|--no-interaction --directory= -q|--quiet
publish: -h|--help -v|--verbose -V|--version -n|--no-interaction --directory= -q|--quiet
remove: -h|--help -v|--verbose -V|--version -n|--no-interaction --directory= -q|--quiet
run: -h|--help -v|--verbose -V|--version -n|--no-interaction --directory= -q|--quiet
search: -h|--help -v|--verbose -V|--version -n|--no-interaction --directory= -q|--quiet
self:
self add: -h|--help -v|--verbose -V|--version -n|--no-interaction --directory= -q|--quiet
self install: -h|--help -v|--verbose -V|--version -n|--no-interaction --directory= -q|--quiet
self lock: -h|--help -v|--verbose -V|--version -n|--no-interaction --directory= -q|--quiet
self remove: -h|--help -v|--verbose -V|--version -n|--no-interaction --directory= -q|--quiet
self show: -h|--help -v|--verbose -V|--version -n|--no-interaction --directory= -q|--quiet
self update: -h|--help -v|--verbose -V|--version -n|--no-interaction --directory= -q|--quiet
shell: -h|--help -v|--verbose -V|--version -n|--no-interaction --directory= -q|--quiet
show: -h|--help -v|--verbose -V|--version -n|--no-interaction --directory= -q|--quiet
source:
source add: -h|--help -v|--verbose -V|--version -n|--no-interaction --directory= -q|--quiet
source remove: -h|--help -v|--verbose -V|--version -n|--no-interaction --directory= -q|--quiet
source show: -h|--help -v|--verbose -V|--version -n|--no-interaction --directory= -q|--quiet
update: -h|--help -v|--verbose -V|--version -n|--no-interaction --directory= -q|--quiet
version: -h|--help -v|--verbose -V|--version -n|--no-interaction --directory= -q|--quiet`,
  'prisma': `
:
init: -h|--help --datasource-provider= --url=
generate: -h|--help --schema=
studio: -h|--help --schema= -p|--port= -b|--browser= -n|--hostname=
format: -h|--help --schema=
migrate:
migrate dev: -h|--help --schema= -n|--name[=]
migrate reset: -h|--help --schema= -f|--force
migrate deploy: -h|--help --schema=
migrate resolve: -h|--help --schema= --applied= --rolled-back=
migrate status: -h|--help --schema=
migrate diff: -h|--help --from-url= --to-url= --from-schema-datamodel= --to-schema-datamodel= --from-schema-datasource= --to-schema-datasource= --from-migrations= --to-migrations= --shadow-database-url= --script=
db:
db pull: -h|--help --schema= --url= --composite-type-depth=
db push: -h|--help --schema=
db seed: -h|--help --schema=
db execute: -h|--help --schema= --url= --file=
version|-v:`,
  'pulumi': `
: --help|-h
about: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose= -j|--json -t|--transitive
cancel: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose= -y|--yes -s|--stack=
config: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose= -j|--json -s|--stack= --config-file=
config cp: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose= -d|--dest=
config get: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose= -j|--json
config refresh: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose= -f|--force
config rm: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose=
config rm-all: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose=
config set: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose=
config set-all: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose= --plaintext= --secret=
console: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose= -s|--stack=
destroy: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose= -s|--stack= -p|--parallel= -m|--message= -d|--debug --config-file= --suppress-permalink= -t|--target= -j|--json -r|--refresh= -y|--yes -f|--skip-preview
import: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose= --config-file= -d|--debug -m|--message= -p|--parallel= -s|--stack= -y|--yes -f|--skip-preview --suppress-permalink= -f|--file= -o|--out= --parent= --provider=
login: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose= -l|--local -c|--cloud-url= --default-org=
logout: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose= -l|--local -c|--cloud-url=
logs: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose= --config-file= -s|--stack= -j|--json -f|--follow -r|--resource= --since=
new: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose= -s|--stack= -y|--yes --secrets-provider= -c|--config= -d|--description= --dir= -f|--force -g|--generate-only -n|--name= -o|--offline
org: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose=
plugin: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose=
plugin install: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose= -f|--file= --server=
plugin ls: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose= -j|--json -p|--project
plugin rm: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose= -y|--yes -a|--all
policy: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose=
policy disable: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose= --policy-group= --version=
policy enable: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose= --policy-group= --config=
policy group: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose=
policy ls: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose= -j|--json
policy new: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose= -j|--json -o|--offline -g|--generate-only -f|--force --dir=
policy publish: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose=
policy rm: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose= -y|--yes
policy validate-config: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose= --config=
preview: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose= -s|--stack= -p|--parallel= -m|--message= -d|--debug --config-file= --suppress-permalink= -t|--target= -j|--json -r|--refresh= -c|--config= --policy-pack= --policy-pack-config= --replace= --target-replace=
refresh: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose= --config-file= -d|--debug -m|--message= -p|--parallel= -f|--skip-preview -s|--stack= -y|--yes --suppress-permalink= -t|--target= -j|--json
schema: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose=
stack: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose= -s|--stack= -i|--show-ids -u|--show-urns
stack change-secrets-provider: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose=
stack export: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose= --file= --show-secrets=
stack graph: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose= --dependency-edge-color= --parent-edge-color=
stack history: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose= -j|--json --page= --page-size=
stack import: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose= -f|--force --file=
stack init: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose= --secrets-provider= --copy-config-from=
stack ls: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose= -j|--json -a|--all -o|--organization= -p|--project= -t|--tag=
stack output: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose= -j|--json
stack rename: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose=
stack rm: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose= -y|--yes -f|--force
stack select: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose= --secrets-provider=
stack tag: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose=
stack tag get -C|--cwd:
stack tag get -e|--emoji:
stack tag get -v|--verbose:
stack tag ls -C|--cwd:
stack tag ls -e|--emoji:
stack tag ls -v|--verbose:
stack tag ls -j|--json:
stack tag rm -C|--cwd:
stack tag rm -e|--emoji:
stack tag rm -v|--verbose:
stack tag set -C|--cwd:
stack tag set -e|--emoji:
stack tag set -v|--verbose:
state: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose=
state delete: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose= -s|--stack= -y|--yes --force=
state unprotect: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose= -s|--stack= -y|--yes --all=
up: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose= -s|--stack= -p|--parallel= -m|--message= -d|--debug --config-file= --suppress-permalink= -t|--target= -j|--json -r|--refresh= -y|--yes -f|--skip-preview --secrets-provider= -c|--config= --policy-pack= --policy-pack-config= --replace= --target-replace=
version: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose=
watch: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose= --config-file= -d|--debug -m|--message= -p|--parallel= -s|--stack= --secrets-provider= -c|--config= --path= --policy-pack= --policy-pack-config= -r|--refresh
whoami: --color= -C|--cwd= -e|--emoji --tracing= -v|--verbose=`,
  'railway': `
: --help|-h --version|-V --verbose|-v
down: -e|--environment=
logs: -n|--lines=
run: -e|--environment= -s|--service=
shell: -s|--service=
up: -d|--detach -e|--environment -s|--service=
variables: -e|--environment -s|--service=`,
  'sam': `
: --help|-h
init: --config-env= --config-file= --help|-h -a|--architecture= -l|--location= -r|--runtime= -p|--package-type= -i|--base-image= -d|--dependency-manager= -o|--output-dir= -n|--name= --app-template= --extra-context=
validate: --config-env= --config-file= --help|-h --profile= --region= -t|--template-file|--template=
build: --config-env= --config-file= --docker-network= --help|-h --parameter-overrides= --profile= --region= -t|--template-file|--template= -u|--use-container -e|--container-env-var= -ef|--container-env-var-file= -bi|--build-image= -p|--parallel -b|--build-dir= -cd|--cache-dir= -s|--base-dir= -m|--manifest= -c|--cached --beta-features|--no-beta-features
local: --help|-h
local generate-event: --help|-h
local invoke: --config-env= --config-file= --container-env-vars= --container-host-interface= --container-host= --debugger-args= --debugger-path= -d|--debug-port= --docker-network= -v|--docker-volume-basedir= -n|--env-vars= --help|-h -ii|--invoke-image= --layer-cache-basedir= -l|--log-file= --parameter-overrides= --profile= --region= -t|--template-file|--template= -e|--event=
local start-api: --config-env= --config-file= --container-env-vars= --container-host-interface= --container-host= --debug-function= --debugger-args= --debugger-path= -d|--debug-port= --docker-network= -v|--docker-volume-basedir= -n|--env-vars= --help|-h --host= -ii|--invoke-image= --layer-cache-basedir= -l|--log-file= --parameter-overrides= -p|--port= -t|--template-file|--template= --warm-containers= -s|--static-dir=
local start-lambda: --config-env= --config-file= --container-env-vars= --container-host-interface= --container-host= --debug-function= --debugger-args= --debugger-path= -d|--debug-port= --docker-network= -v|--docker-volume-basedir= -n|--env-vars= --help|-h --host= -ii|--invoke-image= --layer-cache-basedir= -l|--log-file= --parameter-overrides= -p|--port= --profile= --region= -t|--template-file|--template= --warm-containers=
package: --config-env= --config-file= --help|-h --image-repositories= --image-repository= --kms-key-id= --metadata= --profile= --region= --s3-bucket= --s3-prefix= --signing-profiles= -t|--template-file|--template= --output-template-file=
deploy: --config-env= --config-file= -g|--guided -t|--template-file|--template= --stack-name= --s3-bucket= --image-repository= --image-repositories= --s3-prefix= --kms-key-id= --metadata= --parameter-overrides= --signing-profiles= --profile= --region= --help|-h
delete: --config-env= --config-file= --help|-h --profile= --region= --stack-name=
logs: --config-env= --config-file= --stack-name= --profile= --region= --help|-h
publish: --config-env= --config-file= --help|-h --profile= --region= -t|--template-file|--template= --semantic-version=
pipeline: --help|-h`,
  'serverless': `
:
deploy: --package|-p= --verbose|-v= --function|-f= --region|-r= --aws-profile= --app= --org= --config|-c= --stage|-s= --help|-h
deploy function: --app= --aws-profile= --config|-c= --function|-f= --help|-h --org= --region|-r= --stage|-s= --update-config|-u=
deploy list: --region|-r= --aws-profile= --app= --org= --config|-c= --stage|-s= --help|-h
deploy list functions: --region|-r= --aws-profile= --app= --org= --config|-c= --stage|-s= --help|-h
info: --region|-r= --aws-profile= --app= --org= --config|-c= --stage|-s= --help|-h
invoke: --function|-f= --path|-p= --data|-d= --context= --contextPath= --region|-r= --aws-profile= --app= --org= --config|-c= --stage|-s= --help|-h
invoke local: --function|-f= --path|-p= --data|-d= --context= --contextPath= --env|-e= --region|-r= --aws-profile= --app= --org= --config|-c= --stage|-s= --help|-h`,
  'sls': `
:
deploy: --package|-p= --verbose|-v= --function|-f= --region|-r= --aws-profile= --app= --org= --config|-c= --stage|-s= --help|-h
deploy function: --app= --aws-profile= --config|-c= --function|-f= --help|-h --org= --region|-r= --stage|-s= --update-config|-u=
deploy list: --region|-r= --aws-profile= --app= --org= --config|-c= --stage|-s= --help|-h
deploy list functions: --region|-r= --aws-profile= --app= --org= --config|-c= --stage|-s= --help|-h
info: --region|-r= --aws-profile= --app= --org= --config|-c= --stage|-s= --help|-h
invoke: --function|-f= --path|-p= --data|-d= --context= --contextPath= --region|-r= --aws-profile= --app= --org= --config|-c= --stage|-s= --help|-h
invoke local: --function|-f= --path|-p= --data|-d= --context= --contextPath= --env|-e= --region|-r= --aws-profile= --app= --org= --config|-c= --stage|-s= --help|-h`,
  'stripe': `
: --api-key= --color= --config= --device-name= -h|--help --log-level= -v|--version
login: -i|--interactive --api-key= --color= --config= --device-name= -h|--help --log-level= -v|--version
config: -e|--edit --set= --unset= --api-key= --color= --config= --device-name= -h|--help --log-level= -v|--version
completion: --shell= --api-key= --color= --config= --device-name= -h|--help --log-level= -v|--version
status: --format= --poll-rate= --api-key= --color= --config= --device-name= -h|--help --log-level= -v|--version
open: --api-key= --color= --config= --device-name= -h|--help --log-level= -v|--version
listen: --connect-headers= -e|--events= -c|--forward-connect-to= -f|--forward-to= -H|--headers= -l|--latest -a|--load-from-webhooks-api -j|--print-json --api-key= --color= --config= --device-name= -h|--help --log-level= -v|--version
trigger: --api-key= --color= --config= --device-name= -h|--help --log-level= -v|--version
get: -b|--ending-before= -l|--limit= -a|--starting-after= -s|--show-headers -c|--confirm -d|--data= -e|--expand= -i|--idempotency= --stripe-account= -v|--stripe-version= --api-key= --color= --config= --device-name= -h|--help --log-level= -v|--version
post: -s|--show-headers -c|--confirm -d|--data= -e|--expand= -i|--idempotency= --stripe-account= -v|--stripe-version= --api-key= --color= --config= --device-name= -h|--help --log-level= -v|--version
delete: -s|--show-headers -c|--confirm -d|--data= -e|--expand= -i|--idempotency= --stripe-account= -v|--stripe-version= --api-key= --color= --config= --device-name= -h|--help --log-level= -v|--version
samples: --api-key= --color= --config= --device-name= -h|--help --log-level= -v|--version
samples create: --api-key= --color= --config= --device-name= -h|--help --log-level= -v|--version
samples list: --api-key= --color= --config= --device-name= -h|--help --log-level= -v|--version
serve: --port= --api-key= --color= --config= --device-name= -h|--help --log-level= -v|--version
logout: -a|--all --api-key= --color= --config= --device-name= -h|--help --log-level= -v|--version
feedback: --api-key= --color= --config= --device-name= -h|--help --log-level= -v|--version`,
  'supabase': `
: --help|-h
db:
db diff: --file|-f= --schema|-s=
db dump: --db-url= --file|-f= -h|--help --password|-p= --schema|-s=
db lint: --level= --schema|-s=
db push: --password|-p=
db remote: --password|-p=
functions:
functions delete: --project-ref=
functions deploy: --project-ref=
functions serve: --env-file=
gen:
gen types typescript: --db-url=
link: --password|-p= --project-ref=
migration:
migration list: --password|-p= --db-url=
migration repair: --status= --password|-p= --db-url=
migration squash: --password|-p= --version= --db-url=
projects:
projects create: --db-password= --interactive|-i --org-id= --plan= --region=
secrets:
secrets set: --env-file=`,
  'systemctl': `
: -h|--help --version --system --user -H|--host= -M|--machine= -t|--type= --state= --failed -p|--property= -P -a|--all -l|--full -r|--recursive --reverse --with-dependencies --job-mode= -T|--show-transaction --show-types --value --check-inhibitors= -i --kill-who= -s|--signal= --what= --now --dry-run -q|--quiet --wait --no-block --no-wall --no-reload --legend= --no-pager --no-ask-password --global --runtime -f|--force --preset-mode= --root= -n|--lines= -o|--output= --firmware-setup --boot-loader-menu= --boot-loader-entry= --plain --timestamp= --read-only --mkdir --marked`,
  'terraform': `
: -chdir=
init: -lock= -force= -lock-timeout= -input= -chdir=
validate: -chdir=
plan: -parallelism= -refresh= -state= -var= -var-file= -lock= -force= -lock-timeout= -input= -chdir=
apply: -chdir=
destroy: -chdir=
console: -chdir=
fmt: -chdir=
force-unlock: -chdir=
get: -chdir=
graph: -chdir=
import: -chdir=
login: -chdir=
logout: -chdir=
output: -chdir=
providers: -chdir=
refresh: -chdir=
show: -chdir=
taint: -lock= -lock-timeout= -ignore-remote-version= -chdir=
untaint: -chdir=
workspace: -chdir=
workspace new: -lock= -lock-timeout= -state= -chdir=
workspace show: -chdir=
workspace list: -chdir=
workspace delete: -lock= -force= -lock-timeout= -input=`,
  'terragrunt': `
: -h|--help -v|--version --terragrunt-config= --terragrunt-tfpath= --terragrunt-working-dir= --terragrunt-download-dir= --terragrunt-source= --terragrunt-iam-role= --terragrunt-iam-assume-role-duration= --terragrunt-iam-assume-role-session-name= --terragrunt-exclude-dir= --terragrunt-include-dir= --terragrunt-parallelism= --terragrunt-hclfmt-file= --terragrunt-override-attr= --terragrunt-json-out= --terragrunt-modules-that-include=
init: -lock= -force= -lock-timeout= -input= -h|--help -v|--version --terragrunt-config= --terragrunt-tfpath= --terragrunt-working-dir= --terragrunt-download-dir= --terragrunt-source= --terragrunt-iam-role= --terragrunt-iam-assume-role-duration= --terragrunt-iam-assume-role-session-name= --terragrunt-exclude-dir= --terragrunt-include-dir= --terragrunt-parallelism= --terragrunt-hclfmt-file= --terragrunt-override-attr= --terragrunt-json-out= --terragrunt-modules-that-include=
validate: -h|--help -v|--version --terragrunt-config= --terragrunt-tfpath= --terragrunt-working-dir= --terragrunt-download-dir= --terragrunt-source= --terragrunt-iam-role= --terragrunt-iam-assume-role-duration= --terragrunt-iam-assume-role-session-name= --terragrunt-exclude-dir= --terragrunt-include-dir= --terragrunt-parallelism= --terragrunt-hclfmt-file= --terragrunt-override-attr= --terragrunt-json-out= --terragrunt-modules-that-include=
plan: -parallelism= -refresh= -state= -var= -var-file= -lock= -force= -lock-timeout= -input= -h|--help -v|--version --terragrunt-config= --terragrunt-tfpath= --terragrunt-working-dir= --terragrunt-download-dir= --terragrunt-source= --terragrunt-iam-role= --terragrunt-iam-assume-role-duration= --terragrunt-iam-assume-role-session-name= --terragrunt-exclude-dir= --terragrunt-include-dir= --terragrunt-parallelism= --terragrunt-hclfmt-file= --terragrunt-override-attr= --terragrunt-json-out= --terragrunt-modules-that-include=
apply: -h|--help -v|--version --terragrunt-config= --terragrunt-tfpath= --terragrunt-working-dir= --terragrunt-download-dir= --terragrunt-source= --terragrunt-iam-role= --terragrunt-iam-assume-role-duration= --terragrunt-iam-assume-role-session-name= --terragrunt-exclude-dir= --terragrunt-include-dir= --terragrunt-parallelism= --terragrunt-hclfmt-file= --terragrunt-override-attr= --terragrunt-json-out= --terragrunt-modules-that-include=
destroy: -h|--help -v|--version --terragrunt-config= --terragrunt-tfpath= --terragrunt-working-dir= --terragrunt-download-dir= --terragrunt-source= --terragrunt-iam-role= --terragrunt-iam-assume-role-duration= --terragrunt-iam-assume-role-session-name= --terragrunt-exclude-dir= --terragrunt-include-dir= --terragrunt-parallelism= --terragrunt-hclfmt-file= --terragrunt-override-attr= --terragrunt-json-out= --terragrunt-modules-that-include=
console: -h|--help -v|--version --terragrunt-config= --terragrunt-tfpath= --terragrunt-working-dir= --terragrunt-download-dir= --terragrunt-source= --terragrunt-iam-role= --terragrunt-iam-assume-role-duration= --terragrunt-iam-assume-role-session-name= --terragrunt-exclude-dir= --terragrunt-include-dir= --terragrunt-parallelism= --terragrunt-hclfmt-file= --terragrunt-override-attr= --terragrunt-json-out= --terragrunt-modules-that-include=
fmt: -h|--help -v|--version --terragrunt-config= --terragrunt-tfpath= --terragrunt-working-dir= --terragrunt-download-dir= --terragrunt-source= --terragrunt-iam-role= --terragrunt-iam-assume-role-duration= --terragrunt-iam-assume-role-session-name= --terragrunt-exclude-dir= --terragrunt-include-dir= --terragrunt-parallelism= --terragrunt-hclfmt-file= --terragrunt-override-attr= --terragrunt-json-out= --terragrunt-modules-that-include=
force-unlock: -h|--help -v|--version --terragrunt-config= --terragrunt-tfpath= --terragrunt-working-dir= --terragrunt-download-dir= --terragrunt-source= --terragrunt-iam-role= --terragrunt-iam-assume-role-duration= --terragrunt-iam-assume-role-session-name= --terragrunt-exclude-dir= --terragrunt-include-dir= --terragrunt-parallelism= --terragrunt-hclfmt-file= --terragrunt-override-attr= --terragrunt-json-out= --terragrunt-modules-that-include=
get: -h|--help -v|--version --terragrunt-config= --terragrunt-tfpath= --terragrunt-working-dir= --terragrunt-download-dir= --terragrunt-source= --terragrunt-iam-role= --terragrunt-iam-assume-role-duration= --terragrunt-iam-assume-role-session-name= --terragrunt-exclude-dir= --terragrunt-include-dir= --terragrunt-parallelism= --terragrunt-hclfmt-file= --terragrunt-override-attr= --terragrunt-json-out= --terragrunt-modules-that-include=
graph: -h|--help -v|--version --terragrunt-config= --terragrunt-tfpath= --terragrunt-working-dir= --terragrunt-download-dir= --terragrunt-source= --terragrunt-iam-role= --terragrunt-iam-assume-role-duration= --terragrunt-iam-assume-role-session-name= --terragrunt-exclude-dir= --terragrunt-include-dir= --terragrunt-parallelism= --terragrunt-hclfmt-file= --terragrunt-override-attr= --terragrunt-json-out= --terragrunt-modules-that-include=
import: -h|--help -v|--version --terragrunt-config= --terragrunt-tfpath= --terragrunt-working-dir= --terragrunt-download-dir= --terragrunt-source= --terragrunt-iam-role= --terragrunt-iam-assume-role-duration= --terragrunt-iam-assume-role-session-name= --terragrunt-exclude-dir= --terragrunt-include-dir= --terragrunt-parallelism= --terragrunt-hclfmt-file= --terragrunt-override-attr= --terragrunt-json-out= --terragrunt-modules-that-include=
login: -h|--help -v|--version --terragrunt-config= --terragrunt-tfpath= --terragrunt-working-dir= --terragrunt-download-dir= --terragrunt-source= --terragrunt-iam-role= --terragrunt-iam-assume-role-duration= --terragrunt-iam-assume-role-session-name= --terragrunt-exclude-dir= --terragrunt-include-dir= --terragrunt-parallelism= --terragrunt-hclfmt-file= --terragrunt-override-attr= --terragrunt-json-out= --terragrunt-modules-that-include=
logout: -h|--help -v|--version --terragrunt-config= --terragrunt-tfpath= --terragrunt-working-dir= --terragrunt-download-dir= --terragrunt-source= --terragrunt-iam-role= --terragrunt-iam-assume-role-duration= --terragrunt-iam-assume-role-session-name= --terragrunt-exclude-dir= --terragrunt-include-dir= --terragrunt-parallelism= --terragrunt-hclfmt-file= --terragrunt-override-attr= --terragrunt-json-out= --terragrunt-modules-that-include=
output: -h|--help -v|--version --terragrunt-config= --terragrunt-tfpath= --terragrunt-working-dir= --terragrunt-download-dir= --terragrunt-source= --terragrunt-iam-role= --terragrunt-iam-assume-role-duration= --terragrunt-iam-assume-role-session-name= --terragrunt-exclude-dir= --terragrunt-include-dir= --terragrunt-parallelism= --terragrunt-hclfmt-file= --terragrunt-override-attr= --terragrunt-json-out= --terragrunt-modules-that-include=
providers: -h|--help -v|--version --terragrunt-config= --terragrunt-tfpath= --terragrunt-working-dir= --terragrunt-download-dir= --terragrunt-source= --terragrunt-iam-role= --terragrunt-iam-assume-role-duration= --terragrunt-iam-assume-role-session-name= --terragrunt-exclude-dir= --terragrunt-include-dir= --terragrunt-parallelism= --terragrunt-hclfmt-file= --terragrunt-override-attr= --terragrunt-json-out= --terragrunt-modules-that-include=
refresh: -h|--help -v|--version --terragrunt-config= --terragrunt-tfpath= --terragrunt-working-dir= --terragrunt-download-dir= --terragrunt-source= --terragrunt-iam-role= --terragrunt-iam-assume-role-duration= --terragrunt-iam-assume-role-session-name= --terragrunt-exclude-dir= --terragrunt-include-dir= --terragrunt-parallelism= --terragrunt-hclfmt-file= --terragrunt-override-attr= --terragrunt-json-out= --terragrunt-modules-that-include=
show: -h|--help -v|--version --terragrunt-config= --terragrunt-tfpath= --terragrunt-working-dir= --terragrunt-download-dir= --terragrunt-source= --terragrunt-iam-role= --terragrunt-iam-assume-role-duration= --terragrunt-iam-assume-role-session-name= --terragrunt-exclude-dir= --terragrunt-include-dir= --terragrunt-parallelism= --terragrunt-hclfmt-file= --terragrunt-override-attr= --terragrunt-json-out= --terragrunt-modules-that-include=
taint: -lock= -lock-timeout= -ignore-remote-version= -h|--help -v|--version --terragrunt-config= --terragrunt-tfpath= --terragrunt-working-dir= --terragrunt-download-dir= --terragrunt-source= --terragrunt-iam-role= --terragrunt-iam-assume-role-duration= --terragrunt-iam-assume-role-session-name= --terragrunt-exclude-dir= --terragrunt-include-dir= --terragrunt-parallelism= --terragrunt-hclfmt-file= --terragrunt-override-attr= --terragrunt-json-out= --terragrunt-modules-that-include=
untaint: -h|--help -v|--version --terragrunt-config= --terragrunt-tfpath= --terragrunt-working-dir= --terragrunt-download-dir= --terragrunt-source= --terragrunt-iam-role= --terragrunt-iam-assume-role-duration= --terragrunt-iam-assume-role-session-name= --terragrunt-exclude-dir= --terragrunt-include-dir= --terragrunt-parallelism= --terragrunt-hclfmt-file= --terragrunt-override-attr= --terragrunt-json-out= --terragrunt-modules-that-include=
workspace: -h|--help -v|--version --terragrunt-config= --terragrunt-tfpath= --terragrunt-working-dir= --terragrunt-download-dir= --terragrunt-source= --terragrunt-iam-role= --terragrunt-iam-assume-role-duration= --terragrunt-iam-assume-role-session-name= --terragrunt-exclude-dir= --terragrunt-include-dir= --terragrunt-parallelism= --terragrunt-hclfmt-file= --terragrunt-override-attr= --terragrunt-json-out= --terragrunt-modules-that-include=
workspace new: -lock= -lock-timeout= -state= -h|--help -v|--version --terragrunt-config= --terragrunt-tfpath= --terragrunt-working-dir= --terragrunt-download-dir= --terragrunt-source= --terragrunt-iam-role= --terragrunt-iam-assume-role-duration= --terragrunt-iam-assume-role-session-name= --terragrunt-exclude-dir= --terragrunt-include-dir= --terragrunt-parallelism= --terragrunt-hclfmt-file= --terragrunt-override-attr= --terragrunt-json-out= --terragrunt-modules-that-include=
workspace show: -h|--help -v|--version --terragrunt-config= --terragrunt-tfpath= --terragrunt-working-dir= --terragrunt-download-dir= --terragrunt-source= --terragrunt-iam-role= --terragrunt-iam-assume-role-duration= --terragrunt-iam-assume-role-session-name= --terragrunt-exclude-dir= --terragrunt-include-dir= --terragrunt-parallelism= --terragrunt-hclfmt-file= --terragrunt-override-attr= --terragrunt-json-out= --terragrunt-modules-that-include=
workspace list: -h|--help -v|--version --terragrunt-config= --terragrunt-tfpath= --terragrunt-working-dir= --terragrunt-download-dir= --terragrunt-source= --terragrunt-iam-role= --terragrunt-iam-assume-role-duration= --terragrunt-iam-assume-role-session-name= --terragrunt-exclude-dir= --terragrunt-include-dir= --terragrunt-parallelism= --terragrunt-hclfmt-file= --terragrunt-override-attr= --terragrunt-json-out= --terragrunt-modules-that-include=
workspace delete: -lock= -force= -lock-timeout= -input=`,
  'vault': `
: --help|-h[=]
read: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -field= -format=
write: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -field= -format= -force|-f
delete: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -field= -format=
list: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -format=
login: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -field= -format= -method= -no-print= -no-store= -path= -token-only=
agent: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -config= -exit-after-auth= -log-level=
server: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -config= -exit-on-core-shutdown= -log-format= -log-level= -recovery= -dev= -dev-listen-address= -dev-no-store-token= -dev-root-token-id=
status: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -format=
unwrap: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -field= -format=
audit:
audit list: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -format= -detailed=
audit disable: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl=
audit enable: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl=
debug: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -compress= -duration= -interval= -metrics-interval= -output= -target=
kv: --help|-h
kv delete: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -field= -format= -versions=
kv destroy: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -format= -versions=
kv enable-versioning: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -format=
kv get: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -format=
kv list: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -field= -format= -versions=
kv metadata: --help|-h
kv metadata delete: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl=
kv metadata get: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -format=
kv metadata patch: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -format= -cas-required= -custom-metadata= -delete-version-after= -max-versions=
kv metadata put: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -format= -cas-required= -custom-metadata= -delete-version-after= -max-versions=
kv patch: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -field= -format= -cas= -method=
kv put: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -field= -format= -cas=
kv rollback: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -format= -versions=
kv undelete: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -format= -versions=
lease: --help|-h
lease lookup: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -format=
lease renew: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -format= -increment=
lease revoke: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -force= -prefix= -sync=
monitor: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -log-level=
namespace: --help|-h
namespace create: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -field= -format=
namespace delete: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl=
namespace list: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -format=
namespace lock: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -format=
namespace lookup: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -format=
namespace unlock: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -format=
operator: --help|-h
operator diagnose: --help|-h -config= -format= -skip=
operator generate-root: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -format= -decode= -nonce= -otp= -pgp-key=
operator init: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -format= -key-shares|-n= -key-threshold|-t= -pgp-keys= -root-token-pgp-key= -stored-shares= -consul-service=
operator key-status: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -format=
operator members: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -format=
operator migrate: -config= -start=
operator raft autopilot get-config: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -format=
operator raft autopilot set-config: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -format= -cleanup-dead-servers= -dead-server-last-contact-threshold= -last-contact-threshold= -max-trailing-logs= -min-quorum= -server-stabilization-time=
operator raft autopilot state: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -format=
operator raft join: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -format= -auto-join-port= -auto-join-scheme= -leader-ca-cert= -leader-client-cert= -leader-client-key=
operator raft list-peers: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -format= -dr-token=
operator raft remove-peer: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -format= -dr-token=
operator raft snapshot restore: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -format=
operator raft snapshot save: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -format=
operator rekey: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -format= -key-shares|-n= -key-threshold|-t= -nonce= -pgp-keys= -target=
operator rotate: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -format=
operator seal: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl=
operator step-down: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl=
operator unseal: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -format=
operator usage: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -format= -end-time= -start-time=
path-help: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -format=
plugin:
plugin deregister: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl=
plugin info: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -format= -field=
plugin list: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -format=
plugin register: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -args= -command= -sha256=
plugin reload: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -mounts= -plugin= -scope=
plugin reload-status: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl=
policy:
policy delete: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl=
policy fmt: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl=
policy list: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -format=
policy read: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -format=
policy write: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl=
secrets:
secrets disable: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl=
secrets enable: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -allowed-managed-keys= -allowed-response-headers= -audit-non-hmac-request-keys= -audit-non-hmac-response-keys= -default-lease-ttl= -description= -listing-visibility= -max-lease-ttl= -options= -passthrough-request-headers= -path= -plugin-name= -version=
secrets list: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -format=
secrets move: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl=
secrets tune: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl=
ssh: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -field= -format= -mode= -mount-point= -role= -strict-host-key-checking= -user-known-hosts-file= -host-key-hostnames= -host-key-mount-point= -private-key-path= -public-key-path= -ssh-executable= -valid-principals=
token:
token capabilities: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -format=
token create: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -field= -format= -display-name= -empty-alias= -explicit-max-ttl= -id= -metadata= -period= -policy= -role= -ttl= -type= -use-limit=
token lookup: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -format=
token renew: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -format= -increment|-i=
token revoke: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -mode=
version-history: --help|-h -address= -agent-address= -ca-cert= -ca-path= -client-cert= -client-key= -header-key= -mfa= -namespace= -non-interactive= -output-curl-string= -policy-override= -tls-server-name= -tls-skip-verify= -unlock-key= -wrap-ttl= -format=`,
  'vercel': `
: -h|--help -v|--version -V|--platform-version -A|--local-config= -Q|--global-config= -d|--debug -f|--force -t|--token= -p|--public -e|--env -b|--build-env -m|--meta -C|--no-clipboard -S|--scope= -c|--confirm
list: -m|--meta=
rm: -s|--safe -y|--yes
certs: --crt= --key= --ca=
logs: -a|--all -f|--follow -n|--number= -o|--output= --since= -q|--query= --until=`,
  'wget': `
: -V|--version -h|--help -b|--background -e|--execute -o|--output-file -a|--append-output -q|--quiet -v|--verbose -nv|--no-verbose --report-speed -i|--input-file -F|--force-html -B|--base --config --no-config --rejected-log -t|--tries --retry-connrefused --retry-on-http-error -O|--output-document -nc|--no-clobber --no-netrc -c|--continue --start-pos --progress --show-progress -N|--timestamping -S|--server-response --spider -T|--timeout --dns-timeout --connect-timeout --read-timeout -w|--wait --waitretry --random-wait --no-proxy -Q|--quota --bind-address --limit-rate --no-dns-cache --restrict-file-names --ignore-case -4|--inet4-only -6|--inet6-only --user --password --ask-password --no-iri --local-encoding --remote-encoding --unlink --xattr -nd|--no-directories -x|--force-directories -nH|--no-host-directories --protocol-directories -P|--directory-prefix --cut-dirs --http-user --http-password --no-cache -E|--adjust-extension --ignore-length --header --compression --max-redirect --proxy-user --proxy-password --referer --save-headers -U|--user-agent --no-http-keep-alive --no-cookies --load-cookies --save-cookies --keep-session-cookies --post-data --post-file --method --body-data --body-file --content-on-error --secure-protocol --https-only --no-check-certificate --certificate --certificate-type --private-key --private-key-type --ca-certificate --ca-directory --crl-file --ciphers -r|--recursive -l|--level --delete-after -k|--convert-links -K|--backup-converted -m|--mirror -p|--page-requisites -A|--accept -R|--reject --accept-regex --reject-regex --regex-type -D|--domains --exclude-domains --follow-ftp --follow-tags --ignore-tags -H|--span-hosts -L|--relative -I|--include-directories -X|--exclude-directories -np|--no-parent`,
  'wrangler': `
: -h|--help -V|--version
generate: -c|--config= -e|--env= -h|--help -s|--site[=] -t|--type[=]
kv:namespace: -c|--config= -e|--env= -h|--help
kv:key: -c|--config= -e|--env= -h|--help
kv:key delete: -b|--binding= -n|--namespace-id=
kv:bulk: -c|--config= -e|--env= -h|--help
route: -c|--config= -e|--env= -h|--help
secret: -c|--config= -e|--env= -h|--help
init: -c|--config= -e|--env= -h|--help -s|--site -t|--type[=]
build: -c|--config= -e|--env= -h|--help
preview: -c|--config= -e|--env= -h|--help -u|--url
dev: -c|--config= -e|--env= -h|--host= -i|--ip= -p|--port=
publish: -c|--config= -e|--env= -h|--help --delete-class= --new-class= --rename-class= --transfer-class=
config: -c|--config= -e|--env= -h|--help
subdomain: -c|--config= -e|--env= -h|--help
whoami: -c|--config= -e|--env= -h|--help
tail: -c|--config= -e|--env= -h|--help -f|--format= --metrics= -p|--port=
login: -c|--config= -e|--env= -h|--help
report: -c|--config= -e|--env= -h|--help`,
  'yarn': `
: --emoji= --enable-pnp|--pnp --global-folder= --https-proxy= --link-folder= --modules-folder= --mutex= --network-concurrency= --network-timeout= --otp= --preferred-cache-folder= --prod|--production= --proxy= --registry= -s|--silent --scripts-prepend-node-path= --use-yarnrc= --prod|--production --cache-folder= --cwd= --proxy|--https-proxy= -v|--version -h|--help
add: -s|--silent --use-yarnrc= --enable-pnp|--pnp --prod|--production --link-folder= --global-folder= --modules-folder= --preferred-cache-folder= --cache-folder= --mutex= --emoji= --cwd= --proxy|--https-proxy= --registry= --network-concurrency= --network-timeout= --otp= -W|--ignore-workspace-root-check -D|--dev -P|--peer -O|--optional -E|--exact -T|--tilde -A|--audit -h|--help
audit: --groups= --level= -h|--help
autoclean: -h|--help -i|--init -f|--force
bin: -h|--help
cache: -s|--silent --use-yarnrc= --enable-pnp|--pnp --prod|--production --link-folder= --global-folder= --modules-folder= --preferred-cache-folder= --cache-folder= --mutex= --emoji= --cwd= --proxy|--https-proxy= --registry= --network-concurrency= --network-timeout= --otp= -h|--help
cache list: --pattern=
config: -h|--help
config set: -g|--global
create: -s|--silent --use-yarnrc= --enable-pnp|--pnp --prod|--production --link-folder= --global-folder= --modules-folder= --preferred-cache-folder= --cache-folder= --mutex= --emoji= --cwd= --proxy|--https-proxy= --registry= --network-concurrency= --network-timeout= --otp= -h|--help
exec: -h|--help
generate-lock-entry: --use-manifest= --resolved= -h|--help
global: -s|--silent --use-yarnrc= --enable-pnp|--pnp --prod|--production --link-folder= --global-folder= --modules-folder= --preferred-cache-folder= --cache-folder= --mutex= --emoji= --cwd= --proxy|--https-proxy= --registry= --network-concurrency= --network-timeout= --otp= --prefix= -h|--help
global remove: -s|--silent --use-yarnrc= --enable-pnp|--pnp --prod|--production --link-folder= --global-folder= --modules-folder= --preferred-cache-folder= --cache-folder= --mutex= --emoji= --cwd= --proxy|--https-proxy= --registry= --network-concurrency= --network-timeout= --otp= -W|--ignore-workspace-root-check -h|--help
global upgrade: -s|--silent --use-yarnrc= --enable-pnp|--pnp --prod|--production --link-folder= --global-folder= --modules-folder= --preferred-cache-folder= --cache-folder= --mutex= --emoji= --cwd= --proxy|--https-proxy= --registry= --network-concurrency= --network-timeout= --otp= -S|--scope= -L|--latest -E|--exact -P|--pattern= -T|--tilde -C|--caret -A|--audit -h|--help
init: -s|--silent --use-yarnrc= --enable-pnp|--pnp --prod|--production --link-folder= --global-folder= --modules-folder= --preferred-cache-folder= --cache-folder= --mutex= --emoji= --cwd= --proxy|--https-proxy= --registry= --network-concurrency= --network-timeout= --otp= -y|--yes -p|--private -i|--install= -h|--help
install: -s|--silent --use-yarnrc= --enable-pnp|--pnp --prod|--production --link-folder= --global-folder= --modules-folder= --preferred-cache-folder= --cache-folder= --mutex= --emoji= --cwd= --proxy|--https-proxy= --registry= --network-concurrency= --network-timeout= --otp= -A|--audit -h|--help
link: -s|--silent --use-yarnrc= --enable-pnp|--pnp --prod|--production --link-folder= --global-folder= --modules-folder= --preferred-cache-folder= --cache-folder= --mutex= --emoji= --cwd= --proxy|--https-proxy= --registry= --network-concurrency= --network-timeout= --otp= -h|--help
outdated: -s|--silent --use-yarnrc= --enable-pnp|--pnp --prod|--production --link-folder= --global-folder= --modules-folder= --preferred-cache-folder= --cache-folder= --mutex= --emoji= --cwd= --proxy|--https-proxy= --registry= --network-concurrency= --network-timeout= --otp= -h|--help
publish: -s|--silent --use-yarnrc= --enable-pnp|--pnp --prod|--production --link-folder= --global-folder= --modules-folder= --preferred-cache-folder= --cache-folder= --mutex= --emoji= --cwd= --proxy|--https-proxy= --registry= --network-concurrency= --network-timeout= --otp= -h|--help --preid= --message= --access= --tag=
remove: -s|--silent --use-yarnrc= --enable-pnp|--pnp --prod|--production --link-folder= --global-folder= --modules-folder= --preferred-cache-folder= --cache-folder= --mutex= --emoji= --cwd= --proxy|--https-proxy= --registry= --network-concurrency= --network-timeout= --otp= -W|--ignore-workspace-root-check -h|--help
run: -s|--silent --use-yarnrc= --enable-pnp|--pnp --prod|--production --link-folder= --global-folder= --modules-folder= --preferred-cache-folder= --cache-folder= --mutex= --emoji= --cwd= --proxy|--https-proxy= --registry= --network-concurrency= --network-timeout= --otp= -h|--help
upgrade: -s|--silent --use-yarnrc= --enable-pnp|--pnp --prod|--production --link-folder= --global-folder= --modules-folder= --preferred-cache-folder= --cache-folder= --mutex= --emoji= --cwd= --proxy|--https-proxy= --registry= --network-concurrency= --network-timeout= --otp= -S|--scope= -L|--latest -E|--exact -P|--pattern= -T|--tilde -C|--caret -A|--audit -h|--help
version: -s|--silent --use-yarnrc= --enable-pnp|--pnp --prod|--production --link-folder= --global-folder= --modules-folder= --preferred-cache-folder= --cache-folder= --mutex= --emoji= --cwd= --proxy|--https-proxy= --registry= --network-concurrency= --network-timeout= --otp= -h|--help --new-version= --preid= --message= --access= --tag=
why: -s|--silent --use-yarnrc= --enable-pnp|--pnp --prod|--production --link-folder= --global-folder= --modules-folder= --preferred-cache-folder= --cache-folder= --mutex= --emoji= --cwd= --proxy|--https-proxy= --registry= --network-concurrency= --network-timeout= --otp= -h|--help -R|--recursive
set:
set resolution: -s|--save`,
};
