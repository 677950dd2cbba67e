import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type AnalyzeOptions, analyzeCommand, checkCommand, judge, presets } from '../src/index.ts';

interface Row {
  /** The rule that refuses it under `recommended`; none where it is let pass. */
  readonly rule?: string;
  readonly shell?: NonNullable<AnalyzeOptions['shell']>;
  readonly command: string;
}

const ROWS = readFileSync(new URL('data/scope.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line): Row => JSON.parse(line));

const ruleOf = ({ command, shell }: Row): string | undefined =>
  checkCommand(command, presets.recommended, shell === undefined ? {} : { shell })?.rule;

describe('what is refused', () => {
  test.each(ROWS.filter(({ rule }) => rule))('$rule: $command', (row) => {
    expect(ruleOf(row)).toBe(row.rule);
  });
});

describe('what is let pass', () => {
  test.each(ROWS.filter(({ rule }) => !rule))('$command', (row) => {
    expect(ruleOf(row)).toBeUndefined();
  });
});

describe('a policy', () => {
  const ruleUnder = (command: string, policy: keyof typeof presets): string | undefined =>
    checkCommand(command, presets[policy])?.rule;

  test('essential refuses what breaks a machine, and neither lost work nor infrastructure', () => {
    expect(ruleUnder('rm -rf /', 'essential')).toBe('filesystem/delete');
    expect(ruleUnder('git reset --hard', 'essential')).toBeUndefined();
    expect(ruleUnder('terraform destroy', 'essential')).toBeUndefined();
    expect(ruleUnder('cat ~/.ssh/id_rsa', 'essential')).toBeUndefined();
  });

  test('refuses files that run by themselves in essential, and what only might in strict', () => {
    expect(ruleUnder('cp job /etc/cron.d/job', 'essential')).toBe('persistence/write');
    expect(ruleUnder('echo x >> ~/.bashrc', 'essential')).toBeUndefined();
    expect(ruleUnder('crontab jobs', 'essential')).toBeUndefined();
    expect(ruleUnder('crontab jobs', 'recommended')).toBe('persistence/schedule');
    expect(ruleUnder('systemctl enable docker', 'recommended')).toBeUndefined();
    expect(ruleUnder('systemctl enable docker', 'strict')).toBe('persistence/service');
  });

  test('strict refuses what only deserves a look, too', () => {
    expect(ruleUnder('terraform apply tfplan', 'strict')).toBe('infrastructure/change');
    expect(ruleUnder('git push --force-with-lease', 'strict')).toBe('lost-work/recoverable');
    expect(ruleUnder('git commit -n -m x', 'strict')).toBe('git-hooks/skip');
    expect(ruleUnder('env', 'strict')).toBe('secret-output/variables');
    expect(ruleUnder('if then', 'strict')).toBe('unjudged/syntax');
  });

  test('has each category by itself', () => {
    const { 'lost-work': _, ...refuse } = presets.recommended.refuse;
    expect(checkCommand('git reset --hard', { refuse })).toBeUndefined();
    expect(checkCommand('git reset --hard', { refuse: { 'lost-work': 'critical' } })).toBeUndefined();
    expect(checkCommand('git reset --hard; rm -rf /', { refuse })?.rule).toBe('filesystem/delete');
  });

  test('lets a clean working tree be reset, in the folder that it is asked about', () => {
    const isClean = (folder: string): boolean => folder === 'api';
    const policy = { ...presets.recommended, isClean };
    expect(checkCommand('cd api && git reset --hard', policy)).toBeUndefined();
    expect(checkCommand('git reset --hard', policy)?.rule).toBe('lost-work/discard');
    // A clean tree says nothing about ignored files, stashes and the remote.
    expect(checkCommand('cd api && git clean -fdx', policy)?.rule).toBe('lost-work/ignored');
    expect(checkCommand('cd api && git stash clear', policy)?.rule).toBe('lost-work/stash');
    expect(checkCommand('cd api && git push --force', policy)?.rule).toBe('lost-work/force-push');
  });
});

/** Ways to write one file. */
const WAYS: Readonly<Record<string, (path: string) => string>> = {
  'a redirection': (path) => `echo x > ${path}`,
  'an appending redirection': (path) => `echo x >> ${path}`,
  tee: (path) => `echo x | sudo tee -a ${path}`,
  cp: (path) => `cp x ${path}`,
  mv: (path) => `mv x ${path}`,
  ln: (path) => `ln -sf /tmp/x ${path}`,
  install: (path) => `install -m 644 x ${path}`,
  'sed -i': (path) => `sed -i 's/a/b/' ${path}`,
  dd: (path) => `dd if=x of=${path}`,
  curl: (path) => `curl -o ${path} https://example.com/x`,
  wget: (path) => `wget -O ${path} https://example.com/x`,
  rsync: (path) => `rsync x ${path}`,
  scp: (path) => `scp host:x ${path}`,
  truncate: (path) => `truncate -s 0 ${path}`,
  python: (path) => `python3 -c "open('${path}', 'w').write('x')"`,
  node: (path) => `node -e "require('fs').appendFileSync('${path}', 'x')"`,
  ruby: (path) => `ruby -e "File.write('${path}', 'x')"`,
  php: (path) => `php -r "file_put_contents('${path}', 'x');"`,
};
const PLACES =
  `~/.bashrc ~/.profile ~/.zshrc /etc/profile.d/x.sh /etc/cron.d/x /etc/crontab /etc/systemd/system/x.service
  ~/.config/systemd/user/x.service ~/Library/LaunchAgents/x.plist ~/.config/autostart/x.desktop ~/.ssh/authorized_keys ~/.ssh/config
  ~/.gitconfig ~/.npmrc ~/.pip/pip.conf /etc/pam.d/su /etc/hosts /etc/passwd /etc/sudoers.d/x /etc/modprobe.d/x.conf
  /etc/ld.so.preload ~/.claude/settings.json`.split(/\s+/);

describe('a place that is run or obeyed is guarded against', () => {
  test.each(Object.entries(WAYS))('%s', (_, write) => {
    expect(PLACES.filter((path) => !checkCommand(write(path)))).toEqual([]);
    expect(checkCommand(write('build/notes.txt'))).toBeUndefined();
  });
});

describe('an analysis', () => {
  test('names all effects, where they happen and how sure they are', () => {
    const { effects } = analyzeCommand(
      'cd web && curl -o a.sh https://x.example/a.sh && cp a.sh /tmp/b && rm -r dist',
    );
    expect(effects).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'execute', program: 'cd' }),
        expect.objectContaining({ kind: 'execute', program: 'curl' }),
        expect.objectContaining({
          kind: 'write',
          program: 'curl',
          path: 'web/a.sh',
          cwd: 'web',
          certainty: 'certain',
        }),
        expect.objectContaining({ kind: 'execute', program: 'cp' }),
        expect.objectContaining({ kind: 'read', program: 'cp', path: 'web/a.sh' }),
        expect.objectContaining({ kind: 'write', program: 'cp', path: '/tmp/b' }),
        expect.objectContaining({ kind: 'execute', program: 'rm' }),
        expect.objectContaining({ kind: 'delete', program: 'rm', path: 'web/dist' }),
      ]),
    );
  });

  test('knows the folder and the home that it is told', () => {
    expect(checkCommand('rm -rf etc', undefined, { cwd: '/' })?.rule).toBe('filesystem/delete');
    expect(checkCommand('rm -rf /u1/ann', undefined, { home: '/u1/ann' })?.rule).toBe('filesystem/delete');
    expect(checkCommand('cat /u1/ann/.ssh/id_rsa', undefined, { home: '/u1/ann' })?.rule).toBe(
      'sensitive-file/read',
    );
    expect(checkCommand('rm -rf /u1/ann')).toBeUndefined();
  });

  test.each([
    ['rm -rf ~/other/src', 'lost-work/data'],
    ['rm -rf /opt/app/releases', 'lost-work/data'],
    ['rm -rf ../notes/drafts', 'lost-work/data'],
    ['find .. -type f -mtime +30 -delete', 'filesystem/find-delete'],
    ["find ~/work -name '*.bak' -delete", 'filesystem/find-delete'],
    ['rm -rf ~/project/old', undefined],
    ['rm -rf ~/project/notes', undefined],
    ['rm -rf /tmp/app ~/other/node_modules', undefined],
    ["find ~/work -name '*.pyc' -delete", undefined],
  ])('refuses to delete folders outside the project that it is told: %s', (command, rule) => {
    const place = { cwd: '/home/ann/project', home: '/home/ann' };
    expect(checkCommand(command, undefined, place)?.rule).toBe(rule);
  });

  test('goes on behind the first danger', () => {
    const { effects } = analyzeCommand('git reset --hard && rm -rf ~');
    expect(effects.flatMap(({ danger }) => danger?.rule ?? [])).toEqual([
      'lost-work/discard',
      'filesystem/delete',
    ]);
    expect(judge(effects, presets.essential)?.rule).toBe('filesystem/delete');
  });

  test('says loudly that a text for another shell is not judged as a whole', () => {
    const { effects } = analyzeCommand('Get-ChildItem', { shell: 'powershell' });
    expect(effects.map(({ danger }) => danger?.rule)).toContain('unjudged/dialect');
    expect(checkCommand('Get-ChildItem', presets.strict, { shell: 'powershell' })?.rule).toBe(
      'unjudged/dialect',
    );
  });
});
