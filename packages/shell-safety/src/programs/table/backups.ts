import { destroysData, destroysResources } from '../../dangers.ts';
import type { Program, Row } from '../program.ts';
import { ANY_VERB, ways } from './ways.ts';

const DRY = '-n --dry-run --dryrun --help -i --interactive';
const deletes = ways(destroysResources, DRY);
const BACKUP: Program = { files: ['shows'], dangers: [deletes(ANY_VERB)] };

/** Backups, and what waits in queues: mail, jobs, messages. */
// biome-ignore format: a table has its rows in lines
export const backups: readonly Row[] = [
  ['restic borg attic kopia rdiff-backup duply wal-g wal-e pg_probackup pgbackrest barman borgmatic autorestic snapper bup urbackupclientctl xtrabackup', { ...BACKUP, dangers: [deletes(ANY_VERB), { option: '--remove-older-than --prune --delete --force-unlock', unless: DRY, is: destroysResources }] }],
  ['duplicity', { ...BACKUP, files: ['shows', 'sends'] }],
  ['tarsnap', { dangers: [{ option: '-d --nuke', is: destroysResources }] }],
  ['timeshift', { dangers: [{ option: '--delete --delete-all --restore', is: destroysResources }] }],
  ['unison', { dangers: [{ line: /^(?=(?:.* )?-force(?: |$))/, is: destroysResources }] }],
  ['postsuper', { dangers: [{ option: /^-d/, is: destroysResources }] }],
  ['exim exim4', { dangers: [{ line: /(?:^| )-Mrm(?: |$)/, is: destroysResources }] }],
  ['exiqgrep mailq', { listsAll: /^(?:-i)?$/ }],
  ['lprm cancel', { dangers: [{ line: /^(?:-|-a|-a \S+)$/, is: destroysResources }] }],
  ['atrm', { dangers: [{ words: /\d/, is: { ...destroysResources, severity: 'medium' } }, { line: /\ue003/, is: destroysResources }] }],
  ['atq', { listsAll: /^$/ }],
  ['varnishadm', { dangers: [{ words: /^ban\b.* \.$|^ban req\.url ~ \.|^ban\.url \.$/, is: destroysResources }] }],
  ['celery', { valued: 'A app b broker', dangers: [deletes('purge, amqp queue.purge'), deletes('control shutdown')] }],
  ['pulsar-admin rpk', { dangers: [deletes('topics delete, topics delete-partitioned-topic, topics truncate, topic delete, topic delete-partitioned-topic, topic truncate, namespaces delete, namespaces delete-partitioned-topic, namespaces truncate, tenants delete, tenants delete-partitioned-topic, tenants truncate, clusters delete, clusters delete-partitioned-topic, clusters truncate, cluster delete, cluster delete-partitioned-topic, cluster truncate')] }],
  ['kafka-topics kafka-topics.sh', { valued: 'topic bootstrap-server', dangers: [{ option: '--delete', is: destroysResources }] }],
  ['kafka-delete-records kafka-delete-records.sh', { dangers: [{ option: /^--offset-json-file/, is: destroysResources }] }],
  ['kafka-consumer-groups kafka-consumer-groups.sh', { valued: 'group bootstrap-server', dangers: [
      { option: '--delete --delete-offsets --reset-offsets', is: { ...destroysResources, severity: 'medium' } },
    ] }],
  ['rabbitmqctl rabbitmqadmin', { dangers: [
      deletes('reset, force_reset, delete, delete_queue, delete_vhost, delete_user, purge_queue, purge, stop_app, forget_cluster_node'),
    ] }],
  ['nats', { remote: true, dangers: [deletes('stream rm, stream del, stream delete, stream purge, str rm, str del, str delete, str purge, consumer rm, consumer del, consumer delete, consumer purge, kv rm, kv del, kv delete, kv purge, object rm, object del, object delete, object purge')] }],
  ['zkcli zkcli.sh', { dangers: [{ line: /(?:^| )(?:deleteall|rmr)\b/, is: destroysResources }] }],
  ['memcached-tool', { dangers: [{ words: / flush/, is: destroysData }] }],
];
