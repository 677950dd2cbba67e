import { drawn } from '@hooks/testing/random';
import { describe, expect, test, vi } from 'vitest';
import { createSecretRedactor, findSecrets } from '../src/index.ts';
import { fill, randomFrom } from './secret-samples.ts';
import { stepsPerCharacter } from './slow-texts.ts';

vi.setConfig({ testTimeout: 60_000 });

/** How a template begins, what may stand in it, and how it ends. */
const TEMPLATES: readonly (readonly [open: string, inside: string, close: string])[] = [
  ['{{', 'env', '}}'],
  ['{{{', 'x', '}}}'],
  ['{{-', '.Values.x', '-}}'],
  ['{{', "lookup('env', 'X')", '}}'],
  ['{{', 'x | default("y")', '}}'],
  ['{%', 'x', '%}'],
  [`\${{`, 'secrets.X', '}}'],
  [`\${{`, "secrets['X']", '}}'],
  [`\${`, 'X', '}'],
  [`\${`, `X:-\${Y}`, '}'],
  [`\${`, 'f({a: 1})', '}'],
  [`\${`, 'x.map((y) => y.z)', '}'],
  ['#{', 'h["x"]', '}'],
  ['%{', 'x', '}'],
  ['@{', 'x', '}'],
  ['{', 'x', '}'],
  ['$(', 'cat x', ')'],
  ['$(', 'cat "a b"', ')'],
  ['$(', 'echo $(cat x)', ')'],
  ['$((', '1 + x', '))'],
  ['$[', 'x', ']'],
  ['#[', 'x', ']'],
  ['[[', 'x', ']]'],
  ['<%=', 'x', '%>'],
  ['<?=', '$x', '?>'],
  ['<', 'x', '>'],
  ['<', 'your key', '>'],
  ['<<', 'x', '>>'],
  ['$<', 'X', '>'],
  ['%', 'X', '%'],
  ['%', 'DB_PASS', '%'],
  ['%(', 'x', ')s'],
  ['@', 'X', '@'],
  ['*|', 'X', '|*'],
];

/** Where a value may stand. */
const PLACES: Readonly<Record<string, (value: string) => string>> = {
  'behind a colon': (value) => `password: ${value}`,
  'behind a colon, in a list': (value) => `api_token: ${value}, other`,
  'in a variable': (value) => `DB_PASSWORD=${value}\nX=1`,
  'in double quotes': (value) => `password: "${value}"`,
  'in single quotes': (value) => `config.password = '${value}';`,
  'in JSON': (value) => JSON.stringify({ a: { password: value }, b: '' }),
  'in JSON in JSON': (value) => JSON.stringify({ a: JSON.stringify({ password: value }) }),
  'in a URL': (value) => `postgres://app:${value}@db/app`,
  'in a header': (value) => `Authorization: Bearer ${value}`,
  'in XML': (value) => `<password>${value}</password>`,
};

const random = randomFrom(42);
const clean = (text: string): string => createSecretRedactor().text(text);

/** A secret of twenty characters that is found where nothing stands beside it. */
function secretFor(place: (value: string) => string): string {
  for (let nth = 0; nth < 200; nth++) {
    const { text } = fill('<alnum:20>', 'benign', random);
    // Some look like words, and then like a part of a name.
    if (![`api_token: ${text}`, place(text)].some((whole) => clean(whole).includes(text))) return text;
  }
  throw new Error(`No secret is found in ${place('S')}.`);
}

describe('a template excuses no secret beside it', () => {
  test.each(TEMPLATES.map(([open, inside, close]) => [`${open} ${inside} ${close}`, open, inside, close]))(
    '%s',
    (_, open, inside, close) => {
      const leaked: string[] = [];
      for (const template of [open + inside + close, `${open} ${inside} ${close}`])
        for (const place of Object.values(PLACES)) {
          const secret = secretFor(place);
          const values = [template + secret, secret + template, secret + template + secret];
          for (const value of [...values, template + secret + template])
            if (clean(place(value)).includes(secret)) leaked.push(place(value));
        }
      expect(leaked).toEqual([]);
    },
  );

  test('in the field of an object', () => {
    for (const [open, inside, close] of TEMPLATES) {
      const secret = secretFor((value) => `password: ${value}`);
      expect(createSecretRedactor().text(`${open} ${inside} ${close}${secret}`, 'password')).not.toContain(
        secret,
      );
    }
  });

  test.each([
    '<S',
    '{S',
    '{{S',
    '(S',
    '[S',
    `\${S`,
    '$(S',
    `\${f(S`,
    'ab12$(S',
    '$S',
    '%S',
    '#{S',
    '<S>',
    '{S}',
    '(S)',
    `\${S}`,
    '{{ S }}',
    '%S%',
    '$(S)',
    `\${X:-S}`,
    '{{ x | default("S") }}',
  ])('nor one that begins like one or stands in one: %s', (form) => {
    for (const place of [
      (value: string) => JSON.stringify({ password: value }),
      (value: string) => `password: "${value}"`,
    ])
      for (let nth = 0; nth < 20; nth++) {
        const secret = secretFor(place);
        expect(clean(place(form.replace('S', () => secret)))).not.toContain(secret);
      }
  });

  test.each<[string, (value: string) => string]>([
    ['a URL', (value) => `postgres://app:${value}@db/app`],
    ['a URL without a user', (value) => `redis://:${value}@db:6379`],
    ['curl', (value) => `curl -u app:${value} https://a.test`],
    ['mysql', (value) => `mysql -u root -p${value} shop`],
    ['sshpass', (value) => `sshpass -p ${value} ssh a.test`],
    ['YAML', (value) => `db:\n  password: ${value}\n  host: a`],
    ['quotes', (value) => `DB_PASSWORD='${value}'`],
  ])('nor one that is the default in a template, in %s', (_, place) => {
    for (const form of [
      `\${X:-S}`,
      `\${X:-\${Y:-S}}`,
      `\${X:=S}`,
      `\${X-"S"}`,
      `\${db.pass:S}`,
      '$(echo S)',
      "{{ x | default('S') }}",
      '{{ env "X" | default "S" }}',
      '<%= ENV.fetch("X", "S") %>',
    ])
      for (let nth = 0; nth < 5; nth++) {
        const secret = secretFor((value) => place(form.replace('S', () => value)));
        expect(clean(place(form.replace('S', () => secret)))).not.toContain(secret);
      }
  });

  test.each([
    `postgres://app:S@\${HOST}/x`,
    'postgres://app:S@{{ host }}/x',
    'postgres://app:S@%HOST%/x',
    'postgres://app:S@<host>/x',
    `https://\${T:-S}@a.test/x`,
    `Cookie: session=\${X:-S}`,
    "mysql -u root -p'S' shop",
    `mysql -u root -p"\${P:-S}" shop`,
    'password = f"S"',
    'password = f"{prefix}S"',
    'password = os.environ.get("P", "S")',
    "password = getenv('P', 'S')",
    'password = coalesce(var.p, "S")',
  ])('nor one beside, behind or before a template or a name: %s', (form) => {
    for (let nth = 0; nth < 10; nth++) {
      const secret = secretFor((value) => form.replace('S', () => value));
      expect(clean(form.replace('S', () => secret))).not.toContain(secret);
    }
  });

  /** Where a value has spaces in it, and so has none of the shapes of a value. */
  const SPACED: Readonly<Record<string, (value: string) => string>> = {
    'double quotes': (value) => `password: "${value}"`,
    'single quotes': (value) => `password = '${value}';`,
    JSON: (value) => JSON.stringify({ a: { password: value }, b: '' }),
    'JSON in JSON': (value) => JSON.stringify({ a: JSON.stringify({ password: value }) }),
    XML: (value) => `<password>${value}</password>`,
    'an object': (value) => JSON.stringify({ a: value }),
  };
  const cleanIn = (place: string, text: string): string =>
    place === 'an object' ? createSecretRedactor().text(JSON.parse(text).a, 'password') : clean(text);

  test.each([
    '{{ x S',
    '{{ S',
    '{{ x }}\nS',
    'S\n{{ x }}',
    '{{ x\ny }}S',
    '@ x @S @',
    '@x\ny@S',
    '%x\ny%S',
    '%x%y%S',
    '\\(x y)S',
    '@(a ? b : c)S',
    '[% x %]S',
    '{$x ? y : z}S',
    '|x y|S',
    'x, y S',
    'it is S',
  ])('nor one in a value with spaces: %j', (form) => {
    for (const [name, place] of Object.entries(SPACED))
      for (let nth = 0; nth < 5; nth++) {
        const secret = secretFor((value) => `password: ${value}`);
        expect(cleanIn(name, place(form.replace('S', () => secret))), name).not.toContain(secret);
      }
  });

  test.each([
    'password: "{{ lookup(\'env\', \'DB_PASSWORD\') }}", user: "a"',
    'password: "The password of your account, which we never send."',
    'token: "", commit: "a94a8fe5ccb19ba61c4c0873d391e987982fbbd3"',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: what a file has in it
    'token: ${{ secrets.GITHUB_TOKEN }} # a94a8fe5ccb19ba61c4c0873d391e987982fbbd3',
    '<password>see the documentation of authentication-providers</password>',
    "const password = t('account.password.placeholder text');",
  ])('and a value with spaces that has none is left alone: %s', (text) => {
    expect(clean(text)).toBe(text);
  });

  test('nor one in a URL, which keeps its host', () => {
    const url = `postgres://app:\${DB_PASS:-Sk39dkQpz02Lxc84Qmz1}@db/app`;
    expect(clean(url)).toMatch(/^postgres:\/\/app:.*\[REDACTED:[^\]]*\]\}?@db\/app$/);
  });

  const BRACKETS = [
    '{',
    '{{',
    '(',
    '[',
    '<',
    '<%=',
    `\${`,
    '#{',
    '%(',
    '*|',
    '$<',
    '@{',
    '}',
    '}}',
    ')',
    ']',
    '%>',
  ];

  test.each<[string, (value: string) => string]>([
    ['YAML', (value) => `db:\n  password: ${value}\n  host: a`],
    ['an INI file', (value) => `password = ${value}`],
    ['a connection string', (value) => `Server=db;Password=${value};Encrypt=true`],
    ['a header', (value) => `X-Api-Key: ${value}`],
    ['an option', (value) => `deploy --password=${value} --now`],
    ['XML', (value) => `<password>${value}</password>`],
  ])('nor one with a bracket at its beginning or in its middle, in %s', (_, place) => {
    for (const bracket of BRACKETS)
      for (let nth = 0; nth < 5; nth++) {
        const [first, second] = [secretFor(place), secretFor(place)];
        expect(clean(place(bracket + first))).not.toContain(first);
        const cleaned = clean(place(first + bracket + second));
        expect(cleaned).not.toContain(first);
        expect(cleaned).not.toContain(second);
      }
  });

  test.each(['p@ssw0rd1', 'ssw0rd1@x9', 's2NY9MIGE5@C02O7fwIIB'])(
    'nor a password with an @ in a URL: %s',
    (password) => {
      expect(clean(`mysql://app:${password}@db:3306/x`)).toMatch(/^mysql:\/\/app:\[[^\]]*\]@db:3306\/x$/);
    },
  );

  test.each(['a{b', 'a(b', 'a[b', 'a<b', `a\${b`, 'a{{b', '(ab', '{ab', 'ab{', 'a}}b'])(
    'nor a variable of the environment with brackets: %s',
    (form) => {
      const value = form.replace('b', () => secretFor((value) => `DB_PASSWORD=${value}`));
      expect(clean(`DB_PASSWORD=${value}\nX=1`)).toMatch(/^DB_PASSWORD=\[REDACTED:[\w-]+#\w+\]\nX=1$/);
    },
  );
});

/** What stands in templates: names, quotes, calls, operators, and more than one line. */
const INSIDES = [
  'x',
  'DB_PASS',
  'db.pass',
  'your api key here',
  "lookup('env', 'X')",
  'h["x"]',
  'env "X"',
  'x | default("y")',
  "x ? 'a' : 'b'",
  'f(a, b)',
  'a/b',
  'a;b',
  'x=y',
  '$x',
  '\\"x\\"',
  'secrets/db#pass',
  '`x`',
  '\u00e9 x',
  "it's",
  'a\n  b',
  '\n x\n',
];

const MORE_PLACES: typeof PLACES = {
  ...PLACES,
  'in a template literal': (value) => `const password = \`${value}\`;`,
  'in a block of YAML': (value) => `password: |\n  ${value.replaceAll('\n', '\n  ')}\n`,
  'of curl': (value) => `curl -u app:${value} https://a.test`,
  'of an option': (value) => `deploy --password=${value} --now`,
  'behind an option': (value) => `deploy --password ${value} --now`,
};

test('no drawn template, whatever stands in it, excuses a secret beside it', () => {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const leaked: string[] = [];
  const places = Object.values(MORE_PLACES);
  for (let nth = 0; nth < drawn(4_000); nth++) {
    const [open, , close] = pick(TEMPLATES);
    // Delimiters that begin as they end are read on one line.
    const inside = pick(open === close ? INSIDES.filter((one) => !one.includes('\n')) : INSIDES);
    const space = pick(['', ' ']);
    const template = open + space + inside + space + close;
    const place = pick(places);
    const secret = secretFor(place);
    const value = pick([
      template + secret,
      secret + template,
      `${template}-${secret}`,
      secret + template + secret,
      template + secret + template,
    ]);
    if (clean(place(value)).includes(secret)) leaked.push(place(value));
  }
  expect(leaked).toEqual([]);
});

test('a value that is a template, and nothing else, stays', () => {
  const changed: string[] = [];
  for (const [open, inside, close] of TEMPLATES)
    for (const place of Object.values(MORE_PLACES)) {
      const text = place(open + inside + close);
      if (clean(text) !== text) changed.push(text);
    }
  expect(changed).toEqual([]);
});

test('JSON with templates stays valid, wherever they begin and end', () => {
  const BITS = [
    '{{',
    '}}',
    `\${`,
    '}',
    '{',
    '<%',
    '%>',
    '$(',
    ')',
    '(',
    '"',
    "'",
    '`',
    '\\',
    '<',
    '>',
    '%X%',
    ' x',
  ];
  const pieces = [
    ...BITS,
    '{{ x }}',
    `\${X:-`,
    '\n',
    ',',
    '[',
    ']',
    '{% ',
    '<<a>>',
    `{{ lookup("env", 'X') }}`,
  ];
  const COMMANDS = ['password=', 'mysql -p', 'sshpass -p ', 'curl -u a:', 'redis-cli -a ', 'postgres://u:'];
  const junk = (): string =>
    Array.from({ length: Math.floor(random() * 4) }, () => pieces[Math.floor(random() * pieces.length)]).join(
      '',
    );
  for (let nth = 0; nth < drawn(4_000); nth++) {
    const { text: secret } = fill('<alnum:24>', 'benign', random);
    const password = junk() + secret + junk();
    const bare = COMMANDS[Math.floor(random() * COMMANDS.length)] + junk();
    const text = JSON.stringify({ a: { password }, bare, b: junk(), c: [junk(), { d: junk() }] });
    expect(() => JSON.parse(clean(text)), text).not.toThrow();
  }
});

test.each([
  'password: {{ .Values.db.password }}',
  "password: \"{{ lookup('env', 'DB_PASSWORD') }}\"",
  "password: {{ lookup('hashi_vault', 'secret=kv/data/app:password') }}",
  'password: {{ required "A password is required" .Values.auth.password | quote }}',
  'password: {{ include "app.password" . | b64enc | quote }}',
  'password: "{{ vault_db_password | default(omit) }}"',
  `password: \${{ secrets.DB_PASSWORD }}`,
  `token: \${{ steps.app-token.outputs.token }}`,
  `key: \${{ runner.os }}-node-\${{ hashFiles('**/package-lock.json') }}`,
  `DB_PASSWORD=\${DB_PASSWORD:?must be set}`,
  `DB_PASSWORD=\${DB_PASSWORD:-changeme}`,
  'DB_PASSWORD=$(cat /run/secrets/db_password)',
  'TOKEN=$(curl -s "$URL/token" | jq -r .access_token)',
  'API_KEY=$(aws secretsmanager get-secret-value --secret-id app/key --query SecretString --output text)',
  'password: <%= ENV.fetch("DB_PASSWORD") { "" } %>',
  'password: <%= Rails.application.credentials.dig(:db, :password) %>',
  'password = "#{node["app"]["db_password"]}"',
  `password = "\${var.prefix}-\${random_password.db.result}"`,
  `token = "\${data.vault_generic_secret.app.data["token"]}"`,
  'set PASSWORD=%DB_PASSWORD%',
  'password=%(db_password)s',
  'password=@DB_PASSWORD@',
  'secret: [[ .secret ]]',
  'spring.datasource.password={cipher}',
  'DB_PASSWORD=get_password(user, 1)',
  'Create a new API key: https://a.test/d?to=%2F%5Bteam%5D%2F%7E%2Fai%2Fapi-keys',
  'headers: { Authorization: `Bearer $' + '{await this.tokens.get("v2")}` }',
  '<Field name="password" label={{ text: t("password.new1") }} />',
  "const keyPattern = '[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}';",
  'roomForEscapedKeys:{operations:577280,code:638329},run:1',
  "password: '' + (options.password1 || '{' + x + '}'),",
  'postgres://app:@DB_PASS@@db/app',
  `postgres://app:\${DB_PASS:-changeme}@db/app`,
  `mysql -u root -p\${MYSQL_ROOT_PASSWORD} shop`,
  `docker login -u x -p \${{ secrets.GITHUB_TOKEN }} ghcr.io`,
  'docker login -u x -p $(aws ecr get-login-password) a.test',
  'redis-cli -a $(cat /run/secrets/redis) ping',
  'pkey = self._lib.X509_REQ_get_pubkey(self._req)',
  'evp_pkey = self._evp_pkey_keygen_gc(self._lib.NID_X25519)',
  'https://a.test:443/@scope/pkg@1.2.3',
  'password: {{ env }}',
  'password: {{ env }}-suffix',
  'api_key: <your api key>',
])('nothing is found in %s', (text) => {
  expect(findSecrets(text)).toEqual([]);
});

describe('a text of any size', () => {
  const UNITS = [
    'a',
    '{',
    '{{ ',
    '${',
    '<',
    '%',
    '%X%',
    '@',
    '{{x}}',
    `\${X}a<b>{{ c }}`,
    '$(',
    '\\"',
    '\\n',
    '[x',
  ];

  test.each(['password: "a"', 'password={{x}}', '"\\na"'])('is read to its end: %s', (form) => {
    const [, start = '', unit = '', end = ''] = /^(.*[="](?:\\n)?)(.+?)("?)$/.exec(form) ?? [];
    const text = `${start}${unit.repeat(Math.ceil(10_000_000 / unit.length))}${end}`;
    expect(() => findSecrets(text)).not.toThrow();
  });

  test.each([
    ...UNITS,
    'password={{ ',
    'password="{{ "a',
    'key=${{ (',
    '://{{x}}:{{y}}',
    '://${',
    'KEY=a(',
    '"a":"\\"',
  ])('takes a limited number of steps per character: many %j', (unit) => {
    for (const open of ['', 'password: "', 'password='])
      expect(stepsPerCharacter(unit, (text) => findSecrets(open + text))).toBeLessThan(600);
  });
});
