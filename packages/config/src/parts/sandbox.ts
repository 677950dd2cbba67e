import { resolve } from 'node:path';
import type { SandboxProvider, SandboxSpec, SandboxWorkspace } from '@hooks/sandbox';
import { camelCased, named } from '../builtins/arguments.ts';
import { messageOf } from '../error-message.ts';
import { expandNames } from '../protocol/tool-names.ts';
import type { MakePart } from './part.ts';
import type { SandboxArguments } from './schemas.ts';

/** Routes the commands of tools to a sandbox, and the calls for which a hook answers `"decision": "route"`. */
export const sandboxPart: MakePart = async (args, { cwd }) => {
  const { sandboxSchema } = await import('./schemas.ts');
  const given = await named<SandboxArguments>(args, () => sandboxSchema);
  const { provider = 'local', tools, readOnly, idleMs, workspace, resources, ...others } = given;
  const { createSandbox, localSandbox, routeCommands, routeTo } = await import('@hooks/sandbox');
  const spec: SandboxSpec = {
    ...others,
    ...(workspace && { workspace: workspaceOf(workspace, cwd) }),
    ...(resources && { resources: camelCased(resources) as NonNullable<SandboxSpec['resources']> }),
  };
  const sandbox = createSandbox(
    provider === 'docker' ? await docker() : localSandbox(readOnly && { readOnly }),
    spec,
    idleMs === undefined ? {} : { idleMs },
  );
  return {
    ...routeCommands(sandbox, tools === undefined ? {} : { tools: expandNames(tools) }),
    name: 'sandbox',
    route: (command) => routeTo(sandbox, command),
    close: () => sandbox.close(),
  };
};

function workspaceOf(workspace: NonNullable<SandboxArguments['workspace']>, cwd: string): SandboxWorkspace {
  if (workspace.kind === 'scratch') return workspace;
  return { ...camelCased(workspace), path: resolve(cwd, workspace.path) };
}

async function docker(): Promise<SandboxProvider> {
  const { dockerSandbox } = await import('@hooks/sandbox/docker');
  try {
    const { default: Docker } = await import('dockerode');
    return dockerSandbox(new Docker());
  } catch (cause) {
    throw new Error(
      `the provider docker needs the package dockerode: npm install dockerode (${messageOf(cause)})`,
      {
        cause,
      },
    );
  }
}
