import { changesResources, destroysData, destroysResources, scheduled, stopsService } from '../../dangers.ts';
import type { DangerousCall, Program, Row } from '../program.ts';
import { data } from './ways.ts';

const REDIS_CLI: Program = {
  statements: true,
  valued: 'h p a n u host port user',
  dangers: [
    data(/(?:^| )(?:flushall|flushdb)\b/i),
    data(/^(?:cluster reset|script flush|shutdown nosave)\b/i),
    { words: /^(?:eval .*flush(?:all|db)|(?:del|unlink) .*\ue003)/i, is: destroysData },
    {
      words: /^config set (?:dir|dbfilename) (?:\/etc|\/var\/spool|\/root|~|authorized_keys)/i,
      is: scheduled,
    },
    { words: /^shutdown\b/i, unless: /^-p=(?!6379)/, is: stopsService },
    { words: /^(?:slaveof|replicaof) (?!no one)\S/i, is: destroysData },
    { words: /^(?:del|unlink|config set|shutdown|debug|eval)\b/i, is: changesResources },
  ],
  listsAll: /(?:^| )(?:keys \*|--scan(?! --pattern [^*])\b.*)$/i,
  printsSecret: [{ words: /^config get (?:requirepass|\*)|^acl list/i }],
};

/** A script whose name says that it deletes. */
const DROPS_BY_NAME: DangerousCall = {
  option: /^(?:-f|--file)=(?:.*[/_.-])?(?:drop|wipe|destroy|purge|truncate)[\w.-]*\.sql$/i,
  is: destroysData,
};

const PSQL: Program = {
  statements: true,
  valued: 'f file d dbname c command h host U p',
  dangers: [DROPS_BY_NAME],
};

/** Databases, queues and the tools of frameworks around them. */
// biome-ignore format: a table has its rows in lines
export const databases: readonly Row[] = [
  ['dropdb dropuser', { valued: 'h p U T host port username maintenance-db', dangers: [data(/^(?!.*(?:^|[_-])(?:test|tmp|temp|ci|e2e)(?:[_-]|$))\S/)] }],
  ['mysqladmin mariadb-admin', { valued: 'u h P user host port', dangers: [
      data(/^drop\b(?!.*test)/),
      { words: /^shutdown/, is: destroysResources },
      { words: /^flush/, is: changesResources },
    ] }],
  ['redis-cli valkey-cli keydb-cli', { ...REDIS_CLI, remote: true }],
  ['psql mysql mariadb sqlite3 sqlite duckdb', { ...PSQL, prompts: true, told: true, runs: 'queries', forms: 'sql', carries: { patterns: [/^\s*(?:\\!|\.?system|\.shell)\s*(.+)$/gs] } }],
  ['snow sqlplus sqlcl sql db2 hive beeline spark-sql impala-shell presto trino mysqlsh hbase isql tsql surreal dolt edgedb gel ysqlsh ycqlsh vsql nzsql bteq tarantool questdb mongosh mongo clickhouse-client clickhouse cqlsh sqlcmd snowsql usql pgcli mycli litecli cockroach bq-query rqlite turso-sql mssql-cli osqlquery', { ...PSQL }],
  ['pg_restore', { valued: 'd dbname h U p host', dangers: [{ option: '-c --clean', unless: /^(?:-d|--dbname)=\S*(?:test|tmp|dev|local|ci)|^(?:-l|--list|-f|--file)/, is: destroysData }] }],
  ['pg_dropcluster', { dangers: [data(/\S/)] }],
  ['pg_resetwal', { dangers: [{ unless: '-n --dry-run', is: destroysData }] }],
  ['initdb mysql_install_db', { dangers: [{ line: /(?:^| )(?:--force(?: |$)|(?:-D ?|--pgdata[= ])\/var\/lib\/)/, is: destroysData }] }],
  ['patronictl', { dangers: [data('remove, reinit')] }],
  ['neo4j-admin', { dangers: [data('database delete')] }],
  ['cypher-shell', { dangers: [{ line: /\bdetach\s+delete\b/i, is: destroysData }] }],
  ['arangosh', { dangers: [{ line: /_drop(?:Database)?\(|\.truncate\(/, is: destroysData }] }],
  ['pg_dumpall', { prints: [[/(?:)/, '\ue00b']], printsSecret: [{ option: '-g --globals-only -r --roles-only' }] }],
  ['pg_dump mongodump mysqldump mariadb-dump', { prints: [[/(?:)/, '\ue00b']], writes: { behind: '-r -f --result-file --file' } }],
  ['mysql_config_editor', { printsSecret: [{ words: 'print' }] }],
  ['slapcat', { printsSecret: [{ unless: '-l' }] }],
  ['ldapsearch', { printsSecret: [{ line: /^(?=.*\buserPassword\b)/ }] }],
  ['pg_ctl', { dangers: [{ words: 'stop, restart', is: changesResources }] }],
  ['mongorestore', { dangers: [{ option: '--drop', is: destroysData }] }],
  ['ldapdelete', { dangers: [{ unless: '-n', is: destroysData }] }],
  ['influx', { statements: true, dangers: [{ words: 'delete, bucket delete, org delete', is: destroysData }] }],
  ['nodetool', { dangers: [
      { words: 'removenode, decommission, clearsnapshot, assassinate', is: destroysResources },
    ] }],
  ['curator_cli', { dangers: [{ words: /delete/, is: destroysResources }] }],
];
