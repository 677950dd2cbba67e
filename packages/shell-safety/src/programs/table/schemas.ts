// biome-ignore-all format: a row stands in one line, or each way to call a program does
import { servesFolder } from '../../rules/sensitive-files.ts';
import type { Row } from '../program.ts';
import { changes, destroysData, prints, SHOWING_EDITOR, secretBehind } from './ways.ts';

/** What code for a framework's console deletes. */
const DELETES_ROWS = destroysData({ argument: /(?:\b\w+(?:\.objects\.all\(\))?\.(?:delete_all|destroy_all)\b|\.objects\.all\(\)\.delete\(|::truncate\(|\btruncate_tables?\b|->truncate\()/ });

/** What it prints: settings with passwords in them. */
const PRINTS_SETTINGS =
  /(?:print\(settings\.(?:SECRET_KEY|\w*(?:PASSWORD|TOKEN|SECRET)\w*)|credentials\.(?:to_h|config|\w*(?:key|secret|token|password))|secret_key_base|config\(["'](?:database|services|app\.key)|env\(["']\w*(?:KEY|SECRET|PASSWORD|TOKEN))/;

const DJANGO = [
  destroysData('{*manage.py ,manage.py ,}{flush,reset_db,migrate * zero} $'),
  destroysData({ words: '{{*/,}manage.py ,}shell', argument: /\.objects\.all\(\)\.delete\(/ }),
  prints('{*manage.py ,manage.py ,}diffsettings', '--all'),
  prints('keyring get', '-m'),
  prints({ argument: PRINTS_SETTINGS }),
];

/** Modules that show the file they are given. */
const SHOWN_BY_MODULE = /^(?:base64|json\.tool|tokenize|quopri|gzip|zipfile|tarfile|ast)$/;

const LARAVEL = [
  destroysData('{*artisan ,artisan ,}{migrate:{fresh,refresh,reset},db:wipe,queue:{flush,clear}}'),
  DELETES_ROWS,
  prints('{*artisan ,artisan ,}env:decrypt'),
  prints({ argument: PRINTS_SETTINGS }),
];

const SYMFONY = [
  destroysData('{*/console ,console ,}doctrine:{database,schema}:drop', '--force -f'),
  prints('{*/console ,console ,}secrets:reveal'),
  prints('{*/console ,console ,}secrets:list', '--reveal'),
];

/** What frameworks and their tools do with schemas and the rows in them. */
export const schemas: readonly Row[] = [
  ['php',
    ...LARAVEL,
    ...SYMFONY,
    {
      files: ['uses'], prompts: true, runs: { code: 'r', valued: '-d -c -z' }, rules: [servesFolder], prints: 'code',
      serves: { says: /^-S$/, folderIn: '-t' },
    },
  ],
  ['artisan', ...LARAVEL],
  ['python',
    ...DJANGO,
    {
      files: ['uses'], harmful: true, prompts: true, runs: { code: 'c', module: 'm', valued: '-W -X --check-hash-based-pycs' },
      rules: [servesFolder], lists: SHOWN_BY_MODULE, prints: 'code', recipes: 'sitecustomize.py usercustomize.py',
      serves: { says: /^(?:http\.server|SimpleHTTPServer)$/, folderIn: '-d --directory' },
    },
  ],
  ['py manage.py django-admin', ...DJANGO],
  ['rails rake bin/rails spring',
    destroysData({ words: '** db:{drop,reset,purge,migrate:reset,schema:load,truncate_all,seed:replant}{:*,}', not: '** db:*:test{*,}' }),
    DELETES_ROWS,
    changes('** db:{migrate,rollback,seed}{:*,}'),
    prints('{credentials,secrets}:show'),
    prints({ words: '{credentials,secrets}:edit', variable: SHOWING_EDITOR }),
    prints({ argument: PRINTS_SETTINGS }),
    { statements: true, recipes: 'Rakefile' },
  ],
  ['symfony bin/console console doctrine', ...SYMFONY],
  ['drush', destroysData('sql{-,:}{drop,create}, si, site{-,:}install, entity:delete'), prints('sql{-,:}connect'), prints('sql{-,:}conf', '--show-passwords')],
  ['wp',
    destroysData('db {reset,drop,clean}, site {empty,delete}, user delete, plugin delete *'),
    destroysData({ words: '{post,comment,term} delete', argument: /\ue000/ }),
    destroysData('plugin delete', '--all'),
    destroysData({ words: 'db query', word: /\b(?:drop|truncate)\b/i }),
    prints('config list'),
    prints(secretBehind('config get')),
  ],
  ['prisma',
    destroysData('migrate reset'),
    destroysData('db push', '--force-reset --accept-data-loss'),
    changes('migrate deploy, db {push,execute}'),
    { statements: true },
  ],
  ['sequelize sequelize-cli', destroysData('db:{drop,migrate:undo:all}')],
  ['typeorm typeorm-ts-node-commonjs typeorm-ts-node-esm', destroysData('schema:drop'), { statements: true }],
  ['mikro-orm', destroysData('schema:{drop,fresh}, migration:fresh')],
  ['payload', destroysData('migrate:{fresh,reset,refresh}')],
  ['knex', destroysData('migrate:rollback', '--all')],
  ['drizzle-kit', destroysData('drop'), destroysData('push', '--force')],
  ['mix', destroysData('ecto.{drop,reset}'), destroysData('ecto.rollback', '--all')],
  ['flask alembic', destroysData('{db ,}downgrade base')],
  ['flyway', destroysData('** clean')],
  ['liquibase', destroysData('** {dropAll,drop-all}')],
  ['mvn mvnw gradle gradlew', destroysData('** {*:,}{flyway:clean,flywayClean,liquibase:dropAll,dropAll} $'), { namesPrograms: true }],
  ['dotnet', destroysData('ef database {drop,update 0}, nuget delete'), prints('user-secrets list')],
  ['goose', destroysData('** {reset,down-to 0} $'), changes('** down $')],
  ['migrate', destroysData('drop, down $'), destroysData('down', '--all'), { valued: 'database path source', style: 'one-dash' }],
  ['tern', destroysData('migrate', '--destination=0'), { valued: 'destination' }],
  ['dbmate', destroysData('drop')],
  ['sqitch', destroysData('revert')],
  ['atlas',
    destroysData('schema clean, {cluster{s,},project{s,},dbusers,serverless,deployments} delete'),
    destroysData('backups snapshots delete, streams instances delete'),
  ],
  ['skeema', destroysData('push', '--allow-unsafe')],
  ['sea-orm-cli', destroysData('migrate {fresh,reset,refresh}')],
  ['diesel sqlx', destroysData('database {reset,drop}'), destroysData('migration revert', '--all')],
  ['hasura', destroysData('migrate apply ** all $, metadata clear'), destroysData('migrate apply', '--down')],
];
