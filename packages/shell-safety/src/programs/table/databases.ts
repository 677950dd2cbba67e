// biome-ignore-all format: a row stands in one line, or each way to call a program does
import { BULK } from '../../shell/marks.ts';
import type { Known, Row } from '../program.ts';
import { changes, destroys, destroysData, FOR_TESTS, prints, scheduled, stopsService } from './ways.ts';

const STATEMENTS: readonly Known[] = [
  // A script whose name says that it deletes.
  destroysData({ option: /^(?:-f|--file)=(?:.*[/_.-])?(?:drop|wipe|destroy|purge|truncate)[\w.-]{0,200}\.sql$/i }),
  { statements: true, valued: 'f file d dbname c command h host U p' },
];

/** A shell that takes statements, and commands of its own. */
const SQL_SHELL: Known = { prompts: true, told: true, runs: 'queries', forms: 'sql', carries: { patterns: [/^\s*(?:\\!|\.?system|\.shell)\s*(.+)$/gs] } };

/** Databases, queues and the tools of frameworks around them. */
export const databases: readonly Row[] = [
  ['dropdb dropuser', destroysData({ words: '*', lacks: FOR_TESTS }), { valued: 'h p U T host port username maintenance-db' }],
  ['mysqladmin mariadb-admin', destroysData({ words: 'drop', lacks: FOR_TESTS }), destroys('shutdown'), changes('flush-*'), { valued: 'u h P user host port' }],
  ['redis-cli valkey-cli keydb-cli',
    destroysData('cluster reset, script flush, shutdown nosave'),
    destroysData({ words: 'del, unlink', everything: true }),
    destroysData({ words: '{slaveof,replicaof} *', not: '* no one' }),
    scheduled('config set {dir,dbfilename} {/etc,/var/spool,/root,~,authorized_keys}{*,}'),
    stopsService({ words: 'shutdown', unless: /^-p=(?!6379)/ }),
    changes('del, unlink, config set, shutdown, debug, eval'),
    prints('config get {requirepass,\\*{*,}}, acl list'),
    { valued: 'h p a n u host port user pattern', statements: true, remote: true, listsAll: [{ words: 'keys \\* $' }, { option: '--scan', unless: /^--pattern=[^*]/ }] },
  ],
  ['sqlite3 sqlite', ...STATEMENTS, { ...SQL_SHELL, style: 'one-dash', dryRun: '--readonly' }],
  ['psql mysql mariadb duckdb', ...STATEMENTS, SQL_SHELL],
  [`snow sqlplus sqlcl sql db2 hive beeline spark-sql impala-shell presto trino mysqlsh hbase isql tsql surreal dolt edgedb gel
    ysqlsh ycqlsh vsql nzsql bteq tarantool questdb mongosh mongo clickhouse-client clickhouse cqlsh sqlcmd snowsql usql pgcli mycli
    litecli cockroach rqlite mssql-cli`, ...STATEMENTS],
  ['pg_restore',
    destroysData({ option: '-c --clean', unless: /^(?:-d|--dbname)=\S*(?:test|tmp|dev|local|ci)|^(?:-l|--list|-f|--file)/ }),
    { valued: 'd dbname h U p host' },
  ],
  ['pg_dropcluster', destroysData('*')],
  ['pg_resetwal', destroysData({ unless: '-n --dry-run' })],
  ['mysql_install_db', destroysData({ option: '--force' })],
  // It refuses a folder with something in it.
  ['initdb', { valued: 'D pgdata' }],
  ['patronictl', destroysData('remove, reinit')],
  ['neo4j-admin', destroysData('database delete')],
  ['cypher-shell', destroysData({ argument: /\bdetach\s+delete\b/i })],
  ['arangosh', destroysData({ argument: /_drop(?:Database)?\(|\.truncate\(/ })],
  ['pg_dumpall', prints({ option: '-g --globals-only -r --roles-only' }), { prints: [[{}, BULK]] }],
  ['pg_dump mongodump mysqldump mariadb-dump', { writes: { behind: '-r -f --result-file --file' }, prints: [[{}, BULK]] }],
  ['mysql_config_editor', prints('print')],
  ['slapcat', prints({ unless: '-l' })],
  ['ldapsearch', prints({ argument: /\buserPassword\b/ })],
  ['pg_ctl', changes('stop, restart')],
  ['mongorestore', destroysData({ option: '--drop' })],
  ['ldapdelete', destroysData({ unless: '-n' })],
  ['influx', destroysData('delete, {bucket,org} delete'), { statements: true }],
  ['nodetool', destroys('removenode, decommission, clearsnapshot, assassinate')],
  ['curator_cli', destroys('** {*,}delete{*,}')],
];
