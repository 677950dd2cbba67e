import { DIALECTS } from '@hooks/config';
import { describe, expect, test } from 'vitest';

const { matches } = DIALECTS.hooks;

/** The tools of Claude Code, Codex and Gemini CLI. */
const tools: Readonly<Record<string, readonly string[]>> = {
  shell: ['Bash', 'shell', 'exec_command', 'shell_command', 'run_shell_command'],
  read: ['Read', 'read_file', 'read_many_files', 'view_image'],
  write: ['Write', 'write_file'],
  edit: ['Edit', 'MultiEdit', 'NotebookEdit', 'apply_patch', 'replace'],
  search: ['Grep', 'Glob', 'grep_search', 'glob', 'list_directory'],
  fetch: ['WebFetch', 'WebSearch', 'web_fetch', 'google_web_search'],
  mcp: ['mcp__github__create_issue', 'mcp_github_create_issue', 'mcp:github:create_issue'],
};

describe.each(Object.keys(tools))('the matcher %s', (family) => {
  test('matches the tools of its family in each agent, and no others', () => {
    const met = Object.values(tools)
      .flat()
      .filter((tool) => matches(family, tool));
    expect(met).toEqual(tools[family]);
  });
});

describe('the name of a family', () => {
  test.each(['shell|pay', 'pay|shell', '(shell|pay)', '(?:shell)', '(?i)shell'])(
    'matches the tools of the family in %s',
    (matcher) => {
      expect(matches(matcher, 'Bash')).toBe(true);
      expect(matches(matcher, 'shell')).toBe(true);
      expect(matches(matcher, 'Read')).toBe(false);
    },
  );

  test.each(['my_shell', 'shell_.*', 'shell-x', '.*shell', 'Shell'])(
    'is not expanded inside another word, %s',
    (matcher) => {
      expect(matches(matcher, 'Bash')).toBe(false);
    },
  );
});
