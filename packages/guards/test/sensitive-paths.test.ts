import { stepsOf } from '@hooks/testing/matcher-steps';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkPath, normalizePath } from '../src/index.ts';
import { figures, load } from './labelled.ts';
import { slowUnits, stepsPerCharacter } from './slow-texts.ts';

const sensitive = (path: string): boolean => checkPath(path) !== undefined;

describe('a path is judged by the file that it names, not by its spelling', () => {
  test.each([
    ['up and down again', '/home/ann/notes/../.ssh/id_rsa', '~/.ssh/id_rsa'],
    ['$HOME', '$HOME/.ssh/id_rsa', '~/.ssh/id_rsa'],
    ['another user', '~ann/.ssh/id_rsa', '~/.ssh/id_rsa'],
    ['Windows separators', 'C:\\Users\\Ann\\.ssh\\id_rsa', '~/.ssh/id_rsa'],
    ['a UNC share', '\\\\nas\\home\\.ssh\\id_rsa', '/.ssh/id_rsa'],
    ['the long form of Windows', '\\\\?\\C:\\Users\\Ann\\.env', '~/.env'],
    ['upper case', '/ETC/Shadow', '/etc/shadow'],
    ['doubled slashes', '/etc//shadow', '/etc/shadow'],
    ['percent encoding, twice', '%252eenv', '.env'],
    ['full-width letters', '．ｅｎｖ', '.env'],
    ['a zero-width space', '.e\u200bnv', '.env'],
    ['a NUL and a harmless end', 'id_rsa%00.png', 'id_rsa'],
    ['an alternate data stream', '.env::$DATA', '.env'],
    ['a file address', 'file:///etc/shadow', '/etc/shadow'],
    ['a file address with a query and a fragment', 'file://localhost/etc/shadow?a#b', '/etc/shadow'],
    ['the root through /proc', '/proc/self/root/etc/shadow', '/etc/shadow'],
  ])('%s', (_, path, normalized) => {
    expect(normalizePath(path)).toBe(normalized);
    expect(sensitive(path)).toBe(true);
  });
});

describe('sensitive is', () => {
  test.each([
    ['agent-auth', '~/.gemini/oauth_creds.json'],
    ['agent-auth', '~/.local/share/opencode/auth.json'],
    ['agent-auth', '~/.config/github-copilot/apps.json'],
    ['secret', '~/.claude/.credentials.json'],
    ['agent-auth', '~/.codex/auth.json.bak'],
    ['agent-settings', '.claude/settings.local.json'],
    ['agent-settings', '~/.claude/hooks/check.sh'],
    ['agent-settings', '~/.gemini/settings.json'],
    ['agent-settings', '~/.gemini/mcp-oauth-tokens-v2.json'],
    ['agent-settings', '~/.codex/config.toml'],
    ['agent-settings', '~/.config/opencode/opencode.json'],
    ['agent-settings', 'opencode.jsonc'],
    ['agent-settings', '~/.copilot/mcp-config.json'],
    ['agent-settings', '.mcp.json'],
    ['agent-settings', '.cursor/mcp.json'],
    ['infrastructure', 'prod.tfstate'],
    ['infrastructure', 'envs/prod.tfstate.1700000000.backup'],
    ['ssh-key', 'id_rsa.bak'],
    ['ssh-key', 'id_ed25519_old'],
    ['ssh-key', 'Copy of id_rsa'],
    ['ssh-key', 'backup_id_rsa'],
    ['ssh-key', 'id_rsa (1)'],
    ['ssh-key', 'deploy_ed25519.bak.gz'],
    ['certificate', 'server.key-20260101'],
    ['certificate', 'server.pem.old.zip'],
    ['keyring', 'vault.kdbx.bak'],
  ])('%s: %s', (kind, path) => {
    expect(checkPath(path)?.rule).toBe(`sensitive-path/${kind}`);
  });

  test.each([
    '.claude/commands/review.md',
    '.gemini/styleguide.md',
    'src/mcp.json.ts',
    'docs/tfstate.md',
    'src/opencode.ts',
    'id_rsa.pub',
    'api.key.md',
    '~/.ssh/id_rsa.pub',
    'lib/keyrings/index.ts',
    '~/.config/google-chrome/Default/Bookmarks',
  ])('not %s', (path) => {
    expect(checkPath(path)).toBeUndefined();
  });
});

test('the allow list is matched against the normalized path', () => {
  expect(sensitive('node_modules/tls/server.key')).toBe(false);
  expect(sensitive('test/fixtures/id_rsa')).toBe(false);
  expect(sensitive('node_modules/../.ssh/id_rsa')).toBe(true);
  expect(sensitive('fixtures%2f..%2f.env')).toBe(true);
});

test('a folder or a user called test does not make a secret path harmless', () => {
  expect(sensitive('~/.ssh/test/id_rsa')).toBe(true);
  expect(sensitive('/home/test/.ssh/id_rsa')).toBe(true);
});

test('the verdict names its rule and says what to do instead', () => {
  expect(checkPath('.env')).toEqual({
    rule: 'sensitive-path/environment',
    path: '.env',
    reason: expect.stringMatching(/ask the user/),
  });
});

test('normalizing is idempotent and never throws', { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (path) => {
      checkPath(path);
    }),
  );
  const part = fc.constantFrom('..', '.', 'src', '.ssh', 'id_rsa', 'node_modules', 'a b');
  fc.assert(
    fc.property(fc.array(part, { minLength: 1 }), (parts) => {
      const once = normalizePath(parts.join('/'));
      expect(normalizePath(once)).toBe(once);
    }),
  );
});

test('a detour through any folder changes nothing', { timeout: 60_000 }, () => {
  const folder = fc.stringMatching(/^[a-z]{1,8}$/);
  const target = fc.constantFrom('.env', '.ssh/id_rsa', '.aws/credentials');
  fc.assert(
    fc.property(fc.array(folder, { maxLength: 4 }), target, (folders, path) => {
      const detour = folders.map((name) => `${name}/../`).join('');
      expect(sensitive(detour + path)).toBe(true);
    }),
  );
});

describe('a path takes a limited number of steps per character', () => {
  test.each(slowUnits('paths'))('%j', (unit) => {
    expect(stepsPerCharacter(unit, checkPath)).toBeLessThan(400);
  });

  test.each(['.ssh/', 'keyrings/', 'chrome/', '/etc/ssl/certs/'])('%j before a harmless end', (folder) => {
    const path = `/${folder.repeat(16_000 / folder.length)}a.pub.md`;
    expect(stepsOf(() => checkPath(path)) / path.length).toBeLessThan(400);
  });
});

test('recall and precision on the labelled paths', () => {
  const judge = ({ path }: { path: string }): boolean => sensitive(path);
  expect(figures(load('paths.made-from'), judge)).toMatchObject({ recall: 1, precision: 1 });
  const heldOut = figures(load('paths.held-out'), judge);
  expect(heldOut.recall).toBeGreaterThanOrEqual(0.97);
  expect(heldOut.precision).toBeGreaterThanOrEqual(0.98);
});
