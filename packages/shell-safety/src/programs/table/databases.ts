import { changesResources, destroysData, destroysResources } from '../../rules/infrastructure.ts';
import { scheduled } from '../../rules/machine.ts';
import { servesPhp, servesPython } from '../../rules/served-folders.ts';
import type { DangerousCall, Program, Row } from '../program.ts';

const TESTS = /^--(?:help|version)$|(?:test|ci|e2e)$|^--env(?:ironment)?=test/i;
const data = (words: RegExp, option?: RegExp): DangerousCall => ({
  words,
  ...(option && { option }),
  unless: TESTS,
  is: destroysData,
});

const REDIS_CLI: Program = {
  valued: 'h p a n u host port user',
  dangers: [
    data(/(?:^| )(?:flushall|flushdb)\b/i),
    data(/^(?:cluster reset|script flush|shutdown nosave)\b/i),
    {
      words: /^config set (?:dir|dbfilename) (?:\/etc|\/var\/spool|\/root|~|authorized_keys)/i,
      is: scheduled,
    },
    { words: /^(?:slaveof|replicaof) (?!no one)\S/i, is: destroysData },
    { words: /^(?:del|unlink|config set|shutdown|debug|eval)\b/i, is: changesResources },
  ],
  printsSecret: [{ words: /^config get (?:requirepass|\*)/i }],
};

const PSQL: Program = { statements: true };

const PYTHON: Program = { dangers: [data(/^(?:\S*manage\.py )?(?:flush|reset_db|sqlflush)$/)] };

/** Databases, queues and the tools of frameworks around them. */
// biome-ignore format: a table has its rows in lines
export const databases: readonly Row[] = [
  ['dropdb dropuser', { valued: 'h p U T host port username maintenance-db', dangers: [data(/^(?!.*(?:^|[_-])(?:test|tmp|temp|ci|e2e)(?:[_-]|$))\S/)] }],
  ['mysqladmin mariadb-admin', { valued: 'u h P user host port', dangers: [
      data(/^drop\b(?!.*test)/),
      { words: /^(?:shutdown|flush)/, is: changesResources },
    ] }],
  ['redis-cli', { ...REDIS_CLI, remote: true }],
  ['valkey-cli keydb-cli', { ...REDIS_CLI }],
  ['psql mysql', { ...PSQL, prompts: true, told: true, runs: 'queries', forms: 'sql', carries: { patterns: [/^\s*(?:\\!|system)\s*(.+)$/gs] } }],
  ['sqlite3', { ...PSQL, prompts: true, told: true, carries: { patterns: [/^\.(?:shell|system)\s+(.+)$/gs] } }],
  ['mariadb', { ...PSQL, told: true, runs: 'queries', forms: 'sql', carries: { patterns: [/^\s*(?:\\!|system)\s*(.+)$/gs] } }],
  ['sqlite duckdb', { ...PSQL, runs: 'queries', forms: 'sql' }],
  ['mongosh mongo clickhouse-client clickhouse cqlsh sqlcmd snowsql usql pgcli mycli litecli cockroach bq-query rqlite turso-sql mssql-cli osqlquery', { ...PSQL }],
  ['php', { dangers: [data(/^(?:\S*\/)?artisan (?:migrate:(?:fresh|refresh|reset)|db:wipe)\b/)], files: ['uses'], prompts: true, rules: [servesPhp], prints: 'code', runs: { code: 'r' } }],
  ['python', { ...PYTHON, files: ['uses'], harmful: true, prompts: true, rules: [servesPython], prints: 'code', runs: { code: 'c', module: 'm' } }],
  ['python3', { ...PYTHON, files: ['uses'], harmful: true, prompts: true, rules: [servesPython], prints: 'code' }],
  ['py manage.py django-admin', { ...PYTHON }],
  ['memcached-tool', { dangers: [data(/ flush/)] }],
  ['rails rake bin/rails spring', { dangers: [
      data(/(?:^| )db:(?:drop|reset|purge|migrate:reset|schema:load|truncate_all)(?!:test)\b/),
      { words: /(?:^| )db:(?:migrate|rollback|seed)\b/, is: changesResources },
    ], printsSecret: [{ words: /^credentials:show\b/ }] }],
  ['artisan', { dangers: [data(/^(?:migrate:(?:fresh|refresh|reset)|db:wipe)\b/)] }],
  ['prisma', { dangers: [
      data(/^migrate reset\b/),
      data(/^db push\b/, /^--(?:force-reset|accept-data-loss)$/),
      { words: /^(?:migrate deploy|db push|db execute)\b/, is: changesResources },
    ] }],
  ['sequelize sequelize-cli', { dangers: [data(/^db:(?:drop|migrate:undo:all)\b/)] }],
  ['typeorm typeorm-ts-node-commonjs typeorm-ts-node-esm', { dangers: [data(/^schema:drop\b/)] }],
  ['knex', { dangers: [data(/^migrate:rollback\b/, /^--all$/)] }],
  ['drizzle-kit', { dangers: [data(/^drop\b/), { words: /^push\b/, option: /^--force$/, is: destroysData }] }],
  ['mix', { dangers: [data(/^ecto\.(?:drop|reset)\b/)] }],
  ['flask alembic', { dangers: [{ words: /^(?:db )?downgrade base\b/, is: destroysData }] }],
  ['doctrine bin/console console', { dangers: [data(/^doctrine:(?:database:drop|schema:drop)\b/, /^--force$|^-f$/)] }],
  ['pg_restore', { dangers: [{ option: /^(?:-c|--clean)$/, is: changesResources }] }],
  ['kafka-topics kafka-topics.sh', { valued: 'topic bootstrap-server', dangers: [{ option: /^--delete$/, is: destroysResources }] }],
  ['kafka-consumer-groups kafka-consumer-groups.sh kafka-delete-records kafka-delete-records.sh', { valued: 'group bootstrap-server', dangers: [
      { option: /^--(?:delete|delete-offsets|reset-offsets)$/, is: changesResources },
    ] }],
  ['rabbitmqctl rabbitmqadmin', { dangers: [
      { words: /^(?:reset|force_reset|delete|delete_queue|delete_vhost|purge_queue|purge)\b/, is: destroysResources },
    ] }],
  ['zkcli zkcli.sh', { dangers: [{ line: /(?:^| )(?:deleteall|rmr)\b/, is: destroysResources }] }],
  ['nats', { remote: true, dangers: [{ words: /^(?:stream|str|consumer|kv|object) (?:rm|del|delete|purge)\b/, is: destroysResources }] }],
  ['flyway', { dangers: [data(/^(?:\S+ )*clean\b/)] }],
  ['liquibase', { dangers: [data(/^(?:\S+ )*(?:dropAll|drop-all)\b/)] }],
  ['dotnet', { dangers: [data(/^ef database drop\b/), { words: /^ef database update 0\b/, is: destroysData }] }],
  ['goose', { dangers: [data(/(?:^| )(?:reset|down-to 0)$/), { words: /(?:^| )down$/, is: changesResources }] }],
  ['migrate', { valued: 'database path source', oneDash: true, dangers: [data(/^(?:drop|down -all)\b/), data(/^down$/)] }],
  ['dbmate', { dangers: [data(/^drop\b/)] }],
  ['diesel sqlx', { dangers: [data(/^database (?:reset|drop)\b/)] }],
  ['hasura', { dangers: [data(/^(?:migrate apply\b.* all$|metadata clear\b)/), { words: /^migrate apply\b/, option: /^--down$/, is: destroysData }] }],
  ['pg_dropcluster', { dangers: [data(/\S/)] }],
  ['pg_ctl', { dangers: [{ words: /^(?:stop|restart)\b/, is: changesResources }] }],
  ['mongorestore', { dangers: [{ option: /^--drop$/, is: destroysData }] }],
  ['ldapdelete', { dangers: [{ unless: /^-n$/, is: destroysData }] }],
  ['influx', { dangers: [{ words: /^(?:delete|bucket delete|org delete)\b/, is: destroysData }] }],
  ['nodetool', { dangers: [
      { words: /^(?:removenode|decommission|clearsnapshot|assassinate)\b/, is: destroysResources },
    ] }],
  ['curator_cli', { dangers: [{ words: /delete/, is: destroysResources }] }],
];
