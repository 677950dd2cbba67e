import type { Server } from 'node:http';
import { runServer } from 'verdaccio';

/** A package registry on the loopback that has what was published to it and asks nobody else. */
export interface Registry extends AsyncDisposable {
  readonly url: string;
  /** An `.npmrc` with which `@hooks/*` comes from here and goes here, and all else is as it was. */
  readonly npmrc: string;
  /** Which version a tag of a package names, by tag. */
  readonly tags: (name: string) => Promise<Readonly<Record<string, string>>>;
  /** What was published as a version of a package. Rejects if there is none. */
  readonly tarball: (name: string, version: string) => Promise<Uint8Array>;
}

/** Starts one that keeps its packages in a folder. */
export async function startRegistry(storage: string): Promise<Registry> {
  const server: Server = await runServer({
    storage,
    // Verdaccio takes folders as relative to this file.
    self_path: `${storage}/config.yaml`,
    configPath: `${storage}/config.yaml`,
    uplinks: {},
    packages: { '@hooks/*': { access: '$all', publish: '$all', unpublish: '$all' } },
    log: { type: 'stdout', format: 'pretty', level: 'fatal' },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const host = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  return {
    url: `http://${host}/`,
    npmrc: `@hooks:registry=http://${host}/\n//${host}/:_authToken=nobody\n`,
    tags: async (name) => {
      const response = await fetch(`http://${host}/-/package/${encodeURIComponent(name)}/dist-tags`);
      return response.ok ? ((await response.json()) as Record<string, string>) : {};
    },
    tarball: async (name, version) => {
      const file = `${name.replace(/^.*\//, '')}-${version}.tgz`;
      const response = await fetch(`http://${host}/${name}/-/${file}`);
      if (!response.ok) throw new Error(`The registry has no ${name} ${version}: ${response.status}`);
      return new Uint8Array(await response.arrayBuffer());
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
