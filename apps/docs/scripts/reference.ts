// The reference, made from the doc comments of the packages' sources: a page an entry point.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Application, Converter, ReflectionKind } from 'typedoc';
import type { PluginOptions } from 'typedoc-plugin-markdown';

const here = new URL('../', import.meta.url);
const packages = new URL('../../packages/', here);

/** An entry of a package, as a user imports it. */
export interface Entry {
  /** `@hooks/core/tool-call` */
  readonly name: string;
  readonly source: string;
}

const markdown: Partial<PluginOptions> = {
  useCustomAnchors: true,
  entryFileName: 'index',
  hideBreadcrumbs: true,
  hidePageHeader: true,
  useCodeBlocks: true,
  expandObjects: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  classPropertiesFormat: 'table',
  typeAliasPropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  propertyMembersFormat: 'table',
  tableColumnSettings: {
    hideInherited: true,
    hideOverrides: true,
    hideModifiers: true,
    hideDefaults: true,
    hideSources: true,
  },
};

/** Every entry of every package that has doc comments to read. */
export function entries(): readonly Entry[] {
  return readdirSync(packages).flatMap((folder) => {
    const { name, exports } = JSON.parse(readFileSync(new URL(`${folder}/package.json`, packages), 'utf8'));
    return Object.entries<{ '@hooks/source'?: string }>(exports).flatMap(
      ([path, { '@hooks/source': source }]) =>
        source === undefined
          ? []
          : { name: name + path.slice(1), source: fileURLToPath(new URL(`${folder}/${source}`, packages)) },
    );
  });
}

/** Writes the pages to `pages/reference/api`; a warning is an error. */
export async function writeReference(): Promise<void> {
  rmSync(new URL('pages/reference/api', here), { recursive: true, force: true });
  const names = new Map(entries().map(({ name, source }) => [source, name]));
  const app = await Application.bootstrapWithPlugins({
    entryPoints: [...names.keys()],
    tsconfig: fileURLToPath(new URL('tsconfig.reference.json', here)),
    plugin: ['typedoc-plugin-markdown'],
    router: 'module',
    name: 'All packages',
    excludeExternals: true,
    disableSources: true,
    readme: 'none',
    groupOrder: ['Functions', 'Variables', 'Classes', 'Interfaces', 'Type Aliases'],
    outputs: [{ name: 'markdown', path: fileURLToPath(new URL('pages/reference/api', here)) }],
    ...markdown,
  });
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.getReflectionsByKind(ReflectionKind.Module)) {
      const source = project.getSymbolIdFromReflection(module)?.fileName;
      module.name = names.get(source ?? '') ?? module.name;
    }
  });
  const project = await app.convert();
  if (!project) throw new Error('typedoc could not read the sources');
  app.validate(project);
  await app.generateOutputs(project);
  if (app.logger.hasErrors() || app.logger.hasWarnings()) throw new Error('typedoc warned: see above');
}
