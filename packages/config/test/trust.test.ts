import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { describe, expect, test, vi } from 'vitest';
import { loadHooks, type TrustQuestion, TrustStore, userDirectory } from '../src/index.ts';

/** A file from a workspace is code, so nothing in it runs or is imported before it is trusted. */

const text = 'hooks:\n  stop:\n    - {type: command, command: "true"}\n';

function workspace(content = text) {
  const dir = temporaryFolder();
  const file = join(dir, 'hooks.yaml');
  writeFileSync(file, content);
  const store = new TrustStore(join(dir, 'config', 'trust.json'));
  const asked: TrustQuestion[] = [];
  const answers = (yes: boolean) => async (question: TrustQuestion) => {
    asked.push(question);
    return yes;
  };
  return { dir, file, store, asked, answers };
}

describe('trust', () => {
  test('asks once and stores the answer', async () => {
    const { file, store, asked, answers } = workspace();
    (await loadHooks(file, { trust: { store, ask: answers(true) } }))[Symbol.dispose]();
    (await loadHooks(file, { trust: { store, ask: answers(false) } }))[Symbol.dispose]();
    expect(asked).toEqual([{ file, content: text }]);
    expect(await store.list()).toEqual([file]);
  });

  test('loads nothing after a no, and asks again the next time', async () => {
    const { file, store, asked, answers } = workspace();
    const trust = { store, ask: answers(false) };
    await expect(loadHooks(file, { trust })).rejects.toThrow(
      `${file} is not trusted, so its hooks are not loaded`,
    );
    await expect(loadHooks(file, { trust })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    expect(asked).toHaveLength(2);
  });

  test('asks again about a changed file', async () => {
    const { file, store, asked, answers } = workspace();
    await loadHooks(file, { trust: { store, ask: answers(true) } });
    writeFileSync(file, text.replace('true', 'curl evil'));
    await expect(loadHooks(file, { trust: { store, ask: answers(false) } })).rejects.toThrow('not trusted');
    expect(asked[1]?.content).toContain('curl evil');
  });

  test('asks again about the same content in another file', async () => {
    const { dir, file, store, answers } = workspace();
    await loadHooks(file, { trust: { store, ask: answers(true) } });
    mkdirSync(join(dir, 'copy'));
    writeFileSync(join(dir, 'copy', 'hooks.yaml'), text);
    await expect(loadHooks(join(dir, 'copy'), { trust: { store, ask: answers(false) } })).rejects.toThrow(
      'not trusted',
    );
  });

  test('asks about a link to a file that is trusted, because the link is in another workspace', async () => {
    const { dir, file, store, asked, answers } = workspace();
    await loadHooks(file, { trust: { store, ask: answers(true) } });
    mkdirSync(join(dir, 'other'));
    const link = join(dir, 'other', 'hooks.yaml');
    symlinkSync(file, link);
    await expect(loadHooks(link, { trust: { store, ask: answers(false) } })).rejects.toThrow('not trusted');
    await loadHooks(link, { trust: { store, ask: answers(true) } });
    await loadHooks(link, { trust: { store, ask: answers(false) } });
    expect(asked.map((question) => question.file)).toEqual([file, link, link]);
    // A folder may be reached through a link.
    symlinkSync(join(dir, 'other'), join(dir, 'same'));
    await loadHooks(join(dir, 'same'), { trust: { store, ask: answers(false) } });
  });

  test.each([
    ['a FIFO', (path: string) => execFileSync('mkfifo', [path])],
    ['a folder', (path: string) => mkdirSync(path)],
    ['a device', (path: string) => symlinkSync('/dev/zero', path)],
  ])('%s is refused at once', async (_, make) => {
    const { dir, store, answers } = workspace();
    const path = join(dir, 'policy.yaml');
    make(path);
    const trust = { store, ask: answers(true) };
    await expect(loadHooks(path, { trust })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });

  test('a file of more than 4 MB is refused', async () => {
    const { file, store, answers } = workspace(`#${'x'.repeat(5_000_000)}\n${text}`);
    await expect(loadHooks(file, { trust: { store, ask: answers(true) } })).rejects.toThrow(
      'bytes, more than',
    );
  });

  test.each([
    { XDG_CONFIG_HOME: '.config' },
    { XDG_CONFIG_HOME: '', HOME: '' },
    { XDG_CONFIG_HOME: '', HOME: 'home' },
  ])('is never stored in the workspace: %j', (env) => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    expect(isAbsolute(userDirectory())).toBe(true);
    vi.unstubAllEnvs();
  });

  test('removes only the characters that deceive a terminal from the text that it shows', async () => {
    const { file, store, asked, answers } = workspace(
      `# \u001b[2K\u001b[31mred\u001b[0m \u202ereversed\u202c zero\u200bwidth \u0007bell\r\n${text}`,
    );
    await expect(loadHooks(file, { trust: { store, ask: answers(false) } })).rejects.toThrow('not trusted');
    expect(asked[0]?.content).toBe(`# [2K[31mred[0m reversed zerowidth bell\n${text}`);
  });

  test.each(['\u001b]0;', '\u009d', '\u001bP', '\u001b]8;;'])(
    'shows a command inside a terminal sequence as it would run: %j',
    async (start) => {
      const { file, store, asked, answers } = workspace(
        `hooks:\n  stop:\n    - {type: command, command: "true ${start}; touch pwned; \u0007\u001b\\\\"}\n`,
      );
      (await loadHooks(file, { trust: { store, ask: answers(true) } }))[Symbol.dispose]();
      expect(asked[0]?.content).toContain('; touch pwned; ');
    },
  );

  /** A program that loads the file and prints the outcome. */
  function loading() {
    const { file, dir } = workspace();
    const program = join(dir, 'load.mjs');
    writeFileSync(
      program,
      `import { loadHooks } from ${JSON.stringify(new URL('../src/index.ts', import.meta.url).href)};
      await loadHooks(${JSON.stringify(file)}).then(() => console.log('loaded'), (error) => console.log(error.message));`,
    );
    const command = [process.execPath, '--conditions=@hooks/source', program] as const;
    return { file, command, options: { env: { ...process.env, XDG_CONFIG_HOME: dir } } };
  }

  test('answers no without a terminal', async () => {
    const { command, options } = loading();
    const [node, ...args] = command;
    const { stdout } = await promisify(execFile)(node, args, options);
    expect(stdout).toContain('is not trusted');
  });

  test.runIf(process.platform === 'linux').each([
    ['y', 'loaded'],
    ['Yes', 'loaded'],
    ['n', 'is not trusted'],
    ['', 'is not trusted'],
    ['yellow', 'is not trusted'],
  ])('shows the file on a terminal, where "%s" means: %s', async (typed, outcome) => {
    const { file, command, options } = loading();
    // `script` gives the program a terminal.
    const running = promisify(execFile)('script', ['-qec', command.join(' '), '/dev/null'], options);
    running.child.stdin?.end(`${typed}\n`);
    const { stdout } = await running;
    expect(stdout.replaceAll('\r', '')).toContain(
      `${text}\n\n${file} wants to run the hooks above, as you, whenever an agent works here.\nTrust it? [y/N]`,
    );
    expect(stdout).toContain(outcome);
  });

  test('can be revoked for a file or a directory', async () => {
    const { dir, file, store } = workspace();
    await store.trust(file, text);
    expect(await store.untrust(join(dir, 'other'))).toBe(false);
    expect(await store.untrust(dir)).toBe(true);
    expect(await store.isTrusted(file, text)).toBe(false);
    await store.trust(file, text);
    expect(await store.untrust(file)).toBe(true);
    expect(await store.list()).toEqual([]);
  });

  test('keeps its store readable only by the user, and trusts nothing if it is damaged', async () => {
    const { dir, file, store } = workspace();
    await store.trust(file, text);
    const path = join(dir, 'config', 'trust.json');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    writeFileSync(path, readFileSync(path, 'utf8').slice(0, -10));
    expect(await store.isTrusted(file, text)).toBe(false);
    for (const broken of ['null', '7', '{"version":1,"trusted":null}', '{"version":1,"trusted":[]}']) {
      writeFileSync(path, broken);
      expect(await store.isTrusted(file, text)).toBe(false);
      expect(await store.list()).toEqual([]);
    }
  });

  test('asks once about an invalid file: trust first, then errors with their positions', async () => {
    const { file, store, answers } = workspace('hooks:\n  stop: 1\n');
    await expect(loadHooks(file, { trust: { store, ask: answers(true) } })).rejects.toThrow(
      `${file}:2:9: hooks.stop:`,
    );
  });
});
