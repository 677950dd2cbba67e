import { changesResources, destroysData } from '../../dangers.ts';
import { servesFolder } from '../../rules/sensitive-files.ts';
import type { DangerousCall, Program, Row } from '../program.ts';
import { data, ways } from './ways.ts';

const changes = ways(changesResources, '--help --version --dry-run --preview');

/** What code for a framework's console deletes. */
const DELETES_ROWS: DangerousCall = {
  line: /(?:\b\w+(?:\.objects\.all\(\))?\.(?:delete_all|destroy_all)\b|\.objects\.all\(\)\.delete\(|::truncate\(|\btruncate_tables?\b|->truncate\()/,
  is: destroysData,
};
/** What it prints: settings with passwords in them. */
const PRINTS_SETTINGS =
  /(?:print\(settings\.(?:SECRET_KEY|\w*(?:PASSWORD|TOKEN|SECRET)\w*)|credentials\.(?:to_h|config|\w*(?:key|secret|token|password))|secret_key_base|config\(["'](?:database|services|app\.key)|env\(["']\w*(?:KEY|SECRET|PASSWORD|TOKEN))/;

const DJANGO: Program = {
  dangers: [
    data(/^(?:\S*manage\.py )?(?:flush|reset_db)$/),
    data(/^(?:\S*manage\.py )?migrate \S+ zero$/),
    { line: /^(?=(?:\S*\/)?(?:manage\.py )?shell )(?=.*\.objects\.all\(\)\.delete\()/, is: destroysData },
  ],
  printsSecret: [
    { line: /^-m keyring get\b/ },
    { line: PRINTS_SETTINGS },
    { words: /^(?:\S*manage\.py )?diffsettings\b/, option: '--all' },
  ],
};
/** Modules that show the file they are given. */
const SHOWN_BY_MODULE = /^(?:base64|json\.tool|tokenize|quopri|gzip|zipfile|tarfile|ast)$/;
const ARTISAN = '(?:\\S*\\/?artisan )?';
const LARAVEL: Program = {
  dangers: [
    data(new RegExp(`^${ARTISAN}(?:migrate:(?:fresh|refresh|reset)|db:wipe|queue:(?:flush|clear))\\b`)),
    data(/^(?:\S*\/)?console doctrine:(?:database:drop|schema:drop)\b/, '--force -f'),
    DELETES_ROWS,
  ],
  printsSecret: [
    { words: new RegExp(`^${ARTISAN}env:decrypt\\b`) },
    { line: PRINTS_SETTINGS },
    { words: /^(?:\S*\/)?console secrets:reveal\b/ },
    { words: /^(?:\S*\/)?console secrets:list\b/, option: '--reveal' },
  ],
};
const SYMFONY: Program = {
  dangers: [
    data(
      'console doctrine:database:drop, console doctrine:schema:drop, doctrine:database:drop, doctrine:schema:drop',
      /^--force$|^-f$/,
    ),
  ],
  printsSecret: [
    { words: 'console secrets:reveal, secrets:reveal' },
    { words: 'console secrets:list, secrets:list', option: '--reveal' },
  ],
};
const JVM: Program = {
  namesPrograms: true,
  dangers: [data(/(?:^| |:)(?:flyway:clean|flywayClean|liquibase:dropAll|dropAll)$/)],
};

/** What frameworks and their tools do with schemas and the rows in them. */
// biome-ignore format: a table has its rows in lines
export const schemas: readonly Row[] = [
  ['php', { ...LARAVEL, files: ['uses'], prompts: true, rules: [servesFolder], serves: { says: /^-S$/, folderIn: '-t' }, prints: 'code', runs: { code: 'r', valued: '-d -c -z' } }],
  ['artisan', LARAVEL],
  ['python', { ...DJANGO, lists: SHOWN_BY_MODULE, files: ['uses'], harmful: true, prompts: true, rules: [servesFolder], serves: { says: /^(?:http\.server|SimpleHTTPServer)$/, folderIn: '-d --directory' }, prints: 'code', runs: { code: 'c', module: 'm', valued: '-W -X --check-hash-based-pycs' } }],
  ['py manage.py django-admin', DJANGO],
  ['rails rake bin/rails spring', { dangers: [
      data(/(?:^| )db:(?:drop|reset|purge|migrate:reset|schema:load|truncate_all|seed:replant)(?!:test)\b/),
      DELETES_ROWS,
      changes(/(?:^| )db:(?:migrate|rollback|seed)\b/),
    ], statements: true, printsSecret: [{ words: 'credentials:show, secrets:show' }, { words: 'credentials:edit, secrets:edit', variable: /^(?:SUDO_|KUBE_)?(?:EDITOR|VISUAL)=\S*\b(?:cat|less|more|head|tail|bat|sed|grep|awk|cp|tee)\b/ }, { line: PRINTS_SETTINGS }] }],
  ['symfony bin/console console doctrine', SYMFONY],
  ['drush', { dangers: [data(/^(?:sql[-:]drop|si|site[-:]install|sql[-:]create|entity:delete)\b/)], printsSecret: [{ words: /^sql[-:]connect\b/ }, { words: /^sql[-:]conf\b/, option: '--show-passwords' }] }],
  ['wp', { dangers: [data(/^(?:db (?:reset|drop|clean)|site (?:empty|delete)|user delete|plugin delete .*)\b/), data(/^(?:post|comment|term) delete\b.*\ue000/), { words: 'plugin delete', option: '--all', is: destroysData }, { words: /^db query\b.*\b(?:drop|truncate)\b/i, is: destroysData }], printsSecret: [{ words: /^config (?:get \S*(?:PASSWORD|KEY|SALT)|list)\b/ }] }],
  ['prisma', { statements: true, dangers: [
      data('migrate reset'),
      data('db push', '--force-reset --accept-data-loss'),
      changes('migrate deploy, db push, db execute'),
    ] }],
  ['sequelize sequelize-cli', { dangers: [data('db:drop, db:migrate:undo:all')] }],
  ['typeorm typeorm-ts-node-commonjs typeorm-ts-node-esm', { statements: true, dangers: [data('schema:drop')] }],
  ['mikro-orm', { dangers: [data('schema:drop, schema:fresh, migration:fresh')] }],
  ['payload', { dangers: [data('migrate:fresh, migrate:reset, migrate:refresh')] }],
  ['knex', { dangers: [data('migrate:rollback', '--all')] }],
  ['drizzle-kit', { dangers: [data('drop'), { words: 'push', option: '--force', is: destroysData }] }],
  ['mix', { dangers: [data('ecto.drop, ecto.reset'), data('ecto.rollback', '--all')] }],
  ['flask alembic', { dangers: [{ words: 'db downgrade base, downgrade base', is: destroysData }] }],
  ['flyway', { dangers: [data(/^(?:\S+ )*clean\b/)] }],
  ['liquibase', { dangers: [data(/^(?:\S+ )*(?:dropAll|drop-all)\b/)] }],
  ['mvn mvnw gradle gradlew', JVM],
  ['dotnet', { dangers: [data('ef database drop'), { words: 'ef database update 0', is: destroysData }, { words: 'nuget delete', is: destroysData }], printsSecret: [{ words: 'user-secrets list' }] }],
  ['goose', { dangers: [data(/(?:^| )(?:reset|down-to 0)$/), changes(/(?:^| )down$/)] }],
  ['migrate', { valued: 'database path source', oneDash: true, dangers: [data('drop, down -all'), data('down $')] }],
  ['tern', { dangers: [{ words: 'migrate', option: '--destination=0', is: destroysData }], valued: 'destination' }],
  ['dbmate', { dangers: [data('drop')] }],
  ['sqitch', { dangers: [data('revert')] }],
  ['atlas', { dangers: [data('schema clean'), data('clusters delete, cluster delete, projects delete, project delete, backups snapshots delete, dbusers delete, serverless delete, deployments delete, streams instances delete')] }],
  ['skeema', { dangers: [{ words: 'push', option: '--allow-unsafe', is: destroysData }] }],
  ['sea-orm-cli', { dangers: [data('migrate fresh, migrate reset, migrate refresh')] }],
  ['diesel sqlx', { dangers: [data('database reset, database drop'), data('migration revert', '--all')] }],
  ['hasura', { dangers: [data(/^(?:migrate apply\b.* all$|metadata clear\b)/), { words: 'migrate apply', option: '--down', is: destroysData }] }],
];
