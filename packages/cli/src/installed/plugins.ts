import { existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readText } from '@hooks/config/protocol';
import { agentFolder } from '../folders.ts';
import type { Program } from '../program.ts';
import { geminiFolder } from './gemini-trust.ts';
import type { Layer } from './layers.ts';

/** Notes on plugins and extensions that bring hooks of their own to an agent, on the gates of a policy. */
export function pluginNotes(
  agent: string,
  gates: readonly string[],
  layers: readonly Layer[],
  program: Program,
): readonly string[] {
  return filesOf(agent, layers, program).flatMap(([name, file]) => {
    const events = Object.keys(Object(Object(read(file)).hooks)).filter((event) => gates.includes(event));
    if (events.length === 0) return [];
    return [
      `${name} has hooks on ${events.join(', ')}, too, which may change a call after this policy has seen it: ${file}`,
    ];
  });
}

type Named = readonly [name: string, file: string];

function filesOf(agent: string, layers: readonly Layer[], program: Program): readonly Named[] {
  if (agent === 'claude-code') return pluginsOfClaude(layers, program);
  if (agent !== 'gemini') return [];
  const folder = join(geminiFolder(program), 'extensions');
  return globSync('*/hooks/hooks.json', { cwd: folder }).map((file) => [
    `the extension ${dirname(dirname(file))}`,
    join(folder, file),
  ]);
}

/** The enabled plugins of Claude Code. */
function pluginsOfClaude(layers: readonly Layer[], program: Program): readonly Named[] {
  const user = agentFolder(program, 'CLAUDE_CONFIG_DIR', '.claude');
  const { plugins } = Object(read(join(user, 'plugins/installed_plugins.json')));
  const enabled = Object.assign({}, ...layers.map(({ settings }) => Object(settings)['enabledPlugins']));
  return Object.entries(Object(plugins)).flatMap(([name, installs]): Named[] =>
    enabled[name] === true
      ? [installs]
          .flat()
          .map(
            (install): Named => [
              `the plugin ${name}`,
              join(String(Object(install).installPath), 'hooks/hooks.json'),
            ],
          )
      : [],
  );
}

function read(path: string): unknown {
  try {
    return existsSync(path) ? JSON.parse(readText(path)) : {};
  } catch {
    return {};
  }
}
