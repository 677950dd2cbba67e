import { BeforeToolCall, block, grantApproval, type Hooks, PermissionRequest, proceed } from '@hooks/core';
import {
  allowTools,
  commandSafety,
  type DryRunReport,
  denyTools,
  dryRun,
  permissions,
  recommended,
  sensitivePaths,
} from '@hooks/guards';
import { expect } from 'vitest';
import { z } from 'zod';
import type { Scenario } from '../scenario.ts';

/** Guards that decide which calls run. */
export const toolScenarios: readonly Scenario[] = [
  {
    rule: 'commandSafety refuses the dangerous command, says why, and lets the other run',
    async run(play) {
      const { ran, read } = await play({
        policy: (hooks) => hooks.use(commandSafety()),
        calls: [
          ['exec', 'cd / && sudo rm -rf ~'],
          ['exec', 'rm -r ./dist'],
        ],
      });
      expect(ran).toEqual([['exec', 'rm -r ./dist']]);
      expect(read).toEqual([expect.stringMatching(/^Blocked \(filesystem\/delete\): /), 'ran']);
    },
  },
  {
    rule: 'sensitivePaths keeps the environment file closed, and opens the source',
    async run(play) {
      const { ran, read } = await play({
        policy: (hooks) => hooks.use(sensitivePaths()),
        calls: [
          ['read', 'node_modules/../.env'],
          ['write', '~/.ssh/authorized_keys'],
          ['read', 'src/env.ts'],
        ],
      });
      expect(ran).toEqual([['read', 'src/env.ts']]);
      const refused = expect.stringMatching(/^Blocked \(sensitive-path\/[a-z-]+\): /);
      expect(read).toEqual([refused, refused, 'ran']);
    },
  },
  {
    rule: 'recommended is commands, paths and secrets at once, and twice is once',
    async run(play) {
      const { ran, read } = await play({
        policy: (hooks) => {
          hooks.use(recommended());
          hooks.use(recommended());
        },
        calls: [
          ['exec', 'rm -rf /'],
          ['read', '.env'],
          ['read', 'notes.txt'],
        ],
        does: () => 'DB_PASSWORD=hunter2-hunter2',
      });
      expect(ran).toEqual([['read', 'notes.txt']]);
      expect(read).toEqual([
        expect.stringContaining('(filesystem/delete)'),
        expect.stringContaining('(sensitive-path/environment)'),
        expect.stringMatching(/^DB_PASSWORD=\[REDACTED:password#[\da-f]{8}\]$/),
      ]);
    },
  },
  {
    rule: 'allowTools runs what is on its list, with the arguments that its schema takes',
    async run(play) {
      const { ran, read } = await play({
        policy: (hooks) =>
          hooks.use(allowTools({ read: true, exec: z.object({ command: z.enum(['npm test']) }) })),
        calls: [
          ['read', 'a'],
          ['exec', 'npm test'],
          ['exec', 'npm publish'],
          ['write', 'b'],
        ],
      });
      expect(ran).toEqual([
        ['read', 'a'],
        ['exec', 'npm test'],
      ]);
      const refused = expect.stringMatching(/^Blocked \(tools\/allow\): /);
      expect(read).toEqual(['ran', 'ran', refused, refused]);
    },
  },
  {
    rule: 'denyTools refuses what is on its list',
    async run(play) {
      const { ran, read } = await play({
        policy: (hooks) => hooks.use(denyTools('write')),
        calls: [
          ['write', 'a'],
          ['read', 'a'],
        ],
      });
      expect(ran).toEqual([['read', 'a']]);
      expect(read).toEqual([
        'Blocked (tools/deny): write is not allowed. Find another way, or ask the user.',
        'ran',
      ]);
    },
  },
  {
    rule: 'permissions allows, asks and denies; without anybody to ask, the call is denied',
    async run(play) {
      const { ran, read, approvals } = await play({
        policy: (hooks) =>
          hooks.use(
            permissions({
              allow: ['read', 'exec:command=git status*'],
              ask: ['exec:command=git push*'],
              deny: ['exec:command=sudo *'],
            }),
          ),
        calls: [
          ['exec', 'git status'],
          ['exec', 'git push'],
          ['exec', 'sudo ls'],
        ],
      });
      expect(ran).toEqual([['exec', 'git status']]);
      expect(read).toEqual([
        'ran',
        expect.stringContaining('needs approval by the rule "exec:command=git push*"'),
        expect.stringMatching(/^Blocked \(permissions\/deny\): /),
      ]);
      expect(approvals).toEqual([
        'allow by session_permissions_allow',
        'deny by no_approver',
        'deny by session_permissions_deny',
      ]);
    },
  },
  {
    rule: 'permissions runs what it asks for and a PermissionRequest hook grants, not what that hook refuses',
    async run(play) {
      const { ran, read, approvals } = await play({
        policy: (hooks) => {
          hooks.use(permissions({ ask: ['exec', 'write'] }));
          hooks.on(PermissionRequest.matching('exec'), () =>
            grantApproval('It is mine.', { source: 'user_approved' }),
          );
          hooks.on(PermissionRequest.matching('write'), () => block('Not today.'));
        },
        calls: [
          ['exec', 'ls'],
          ['write', 'a'],
        ],
      });
      expect(ran).toEqual([['exec', 'ls']]);
      expect(read).toEqual(['ran', 'Not today.']);
      expect(approvals).toEqual(['allow by user_approved', 'deny by pre_tool_use_hook_deny']);
    },
  },
  {
    rule: 'permissions tells the hooks behind it which rule let a call run',
    async run(play) {
      const seen: unknown[] = [];
      const look = (hooks: Hooks) =>
        hooks.on(BeforeToolCall, ({ approval }) => {
          seen.push(approval?.kind === 'granted' ? approval.source : approval?.kind);
          return proceed();
        });
      await play({
        policy: (hooks) => {
          hooks.use(permissions({ allow: ['read'], scope: 'team' }));
          look(hooks);
        },
        calls: [
          ['read', 'a'],
          ['fetch', 'b'],
        ],
      });
      await play({
        policy: (hooks) => {
          hooks.use(permissions({ yolo: true }));
          look(hooks);
        },
        calls: [['exec', 'ls']],
      });
      expect(seen).toEqual(['team_permissions_allow', undefined, 'yolo']);
    },
  },
  {
    rule: 'permissions with yolo asks nobody, has that on record, and denies still',
    async run(play) {
      const { ran, approvals } = await play({
        policy: (hooks) => hooks.use(permissions({ ask: ['exec'], deny: ['write'], yolo: true })),
        calls: [
          ['exec', 'ls'],
          ['write', 'a'],
        ],
      });
      expect(ran).toEqual([['exec', 'ls']]);
      expect(approvals).toEqual(['allow by yolo', 'deny by session_permissions_deny']);
    },
  },
  {
    rule: 'dryRun reports what a guard would have done, and lets the call run',
    async run(play) {
      const reports: DryRunReport[] = [];
      const { ran, read } = await play({
        policy: (hooks) => hooks.use(dryRun(commandSafety(), (report) => reports.push(report))),
        calls: [
          ['exec', 'rm -rf /'],
          ['exec', 'ls'],
        ],
      });
      expect(ran).toEqual([
        ['exec', 'rm -rf /'],
        ['exec', 'ls'],
      ]);
      expect(read).toEqual(['ran', 'ran']);
      expect(reports.map(({ provider, decision }) => [provider, decision?.kind])).toEqual([
        ['command-safety', 'block'],
      ]);
    },
  },
];
