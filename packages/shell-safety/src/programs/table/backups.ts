import { destroysData, destroysResources } from '../../rules/infrastructure.ts';
import type { DangerousCall, Program, Row } from '../program.ts';

const DRY = /^(?:-n|--dry-?run|--help|-i|--interactive)$/;
const deletes = (words: RegExp, option?: RegExp): DangerousCall => ({
  words,
  ...(option && { option }),
  unless: DRY,
  is: destroysResources,
});

/** A verb that deletes, wherever it stands. */
const ANY_VERB: readonly DangerousCall[] = [
  deletes(
    /(?:^|[ :_.-])(?:delete|destroy|remove|purge|prune|forget|erase|expire|rm)(?:[-_ ][a-z_-]*)?(?: |$)|(?:^| )delete-?\w+/,
  ),
];
const BACKUP: Program = { files: ['shows'], dangers: ANY_VERB };

/** Backups, and what waits in queues: mail, jobs, messages. */
// biome-ignore format: a table has its rows in lines
export const backups: readonly Row[] = [
  ['restic borg attic kopia rdiff-backup duply wal-g wal-e pg_probackup pgbackrest barman borgmatic autorestic snapper bup tarsnap urbackupclientctl xtrabackup', { ...BACKUP, dangers: [...ANY_VERB, { option: /^--(?:remove-older-than|prune|delete|force-unlock)(?:=|$)/, unless: DRY, is: destroysResources }] }],
  ['duplicity', { ...BACKUP, files: ['shows', 'sends'] }],
  ['timeshift', { dangers: [{ option: /^--(?:delete|delete-all|restore)$/, is: destroysResources }] }],
  ['unison', { dangers: [{ line: /^(?=(?:.* )?-force(?: |$))/, is: destroysResources }] }],
  ['postsuper', { dangers: [{ option: /^-d/, is: destroysResources }] }],
  ['exim exim4', { dangers: [{ line: /(?:^| )-Mrm(?: |$)/, is: destroysResources }] }],
  ['exiqgrep mailq', { listsAll: /^(?:-i)?$/ }],
  ['lprm cancel', { dangers: [{ line: /^(?:-|-a|-a \S+)$/, is: destroysResources }] }],
  ['atrm', { dangers: [{ words: /\d/, is: { ...destroysResources, severity: 'medium' } }, { line: /\ue003/, is: destroysResources }] }],
  ['atq', { listsAll: /^$/ }],
  ['varnishadm', { dangers: [{ words: /^ban\b.* \.$|^ban req\.url ~ \.|^ban\.url \.$/, is: destroysResources }] }],
  ['celery', { valued: 'A app b broker', dangers: [deletes(/^(?:purge|amqp queue\.purge)\b/), deletes(/^control shutdown\b/)] }],
  ['pulsar-admin rpk', { dangers: [deletes(/^(?:topics?|namespaces|tenants|clusters?) (?:delete|delete-partitioned-topic|truncate)\b/)] }],
  ['kafka-topics kafka-topics.sh', { valued: 'topic bootstrap-server', dangers: [{ option: /^--delete$/, is: destroysResources }] }],
  ['kafka-delete-records kafka-delete-records.sh', { dangers: [{ option: /^--offset-json-file/, is: destroysResources }] }],
  ['kafka-consumer-groups kafka-consumer-groups.sh', { valued: 'group bootstrap-server', dangers: [
      { option: /^--(?:delete|delete-offsets|reset-offsets)$/, is: { ...destroysResources, severity: 'medium' } },
    ] }],
  ['rabbitmqctl rabbitmqadmin', { dangers: [
      deletes(/^(?:reset|force_reset|delete|delete_queue|delete_vhost|delete_user|purge_queue|purge|stop_app|forget_cluster_node)\b/),
    ] }],
  ['nats', { remote: true, dangers: [deletes(/^(?:stream|str|consumer|kv|object) (?:rm|del|delete|purge)\b/)] }],
  ['zkcli zkcli.sh', { dangers: [{ line: /(?:^| )(?:deleteall|rmr)\b/, is: destroysResources }] }],
  ['memcached-tool', { dangers: [{ words: / flush/, is: destroysData }] }],
];
