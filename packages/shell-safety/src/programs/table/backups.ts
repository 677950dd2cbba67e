// biome-ignore-all format: a row stands in one line, or each way to call a program does
import { destroysResources } from '../../dangers.ts';
import type { Row } from '../program.ts';
import { DELETING_VERB, destroys, destroysData, medium, way } from './ways.ts';

const deletes = way(destroysResources, '-n --dry-run --dryrun --help -i --interactive');

/** Backups, and what waits in queues: mail, jobs, messages. */
export const backups: readonly Row[] = [
  [`restic borg attic kopia rdiff-backup duply wal-g wal-e pg_probackup pgbackrest barman borgmatic autorestic snapper bup
    urbackupclientctl xtrabackup`, deletes(DELETING_VERB), deletes({ option: '--remove-older-than --prune --delete --force-unlock' }), { files: ['shows'] }],
  ['duplicity', deletes(DELETING_VERB), { files: ['shows', 'sends'] }],
  ['tarsnap', destroys({ option: '-d --nuke' })],
  ['timeshift', destroys({ option: '--delete --delete-all --restore' })],
  ['unison', destroys({ option: '--force' }), { style: 'one-dash' }],
  ['postsuper', destroys({ option: '-d' })],
  ['exim exim4', destroys({ option: '--Mrm' }), { style: 'one-dash' }],
  ['exiqgrep mailq', { listsAll: '$' }],
  ['lprm cancel', destroys({ option: '-a' }), destroys('- $')],
  ['atrm', destroys({ everything: true }), medium(destroys({ word: /\d/ }))],
  ['atq', { listsAll: '$' }],
  ['varnishadm', destroys({ argument: /^ban(?:\.url)?\b.* \.\*?$/ }), destroys('ban{.url,} ** .{\\*,} $')],
  ['celery', destroys('purge, amqp queue.purge, control shutdown'), { valued: 'A app b broker' }],
  ['pulsar-admin rpk', destroys('{topics,topic,namespaces,tenants,clusters,cluster} {delete,truncate}')],
  ['kafka-topics kafka-topics.sh', destroys({ option: '--delete' }), { valued: 'topic bootstrap-server' }],
  ['kafka-delete-records kafka-delete-records.sh', destroys({ option: '--offset-json-file' })],
  ['kafka-consumer-groups kafka-consumer-groups.sh',
    medium(destroys({ option: '--delete --delete-offsets --reset-offsets' })),
    { valued: 'group bootstrap-server' },
  ],
  ['rabbitmqctl rabbitmqadmin', destroys('{force_,}reset, delete{_queue,_vhost,_user,}, purge{_queue,}, stop_app, forget_cluster_node')],
  ['nats', destroys('{stream,str,consumer,kv,object} {rm,del,delete,purge}'), { remote: true }],
  ['zkcli zkcli.sh', destroys('{* ,}{deleteall,rmr}')],
  ['memcached-tool', destroysData('** flush{*,}')],
];
