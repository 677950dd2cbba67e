// The reference, made from the doc comments of the packages' sources: a page an entry point, of core several.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Application, Converter, ReflectionKind } from 'typedoc';
import type { PluginOptions } from 'typedoc-plugin-markdown';
import { splitCore } from './groups.ts';

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
  mergeReadme: true,
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

/** What most people need comes first; packages that are not listed come last. */
const order = [
  'core',
  'langchain',
  'openai-agents',
  'mastra',
  'ai-sdk',
  'claude-agent-sdk',
  'mcp',
  'guards',
  'flow',
  'config',
  'cli',
  'sandbox',
];

/** Every entry of every published package, in the order in which people need them. */
export function entries(): readonly Entry[] {
  const place = (folder: string): number => (order.includes(folder) ? order.indexOf(folder) : order.length);
  const folders = readdirSync(packages).toSorted((a, b) => place(a) - place(b) || a.localeCompare(b));
  return folders.flatMap((folder) => {
    const manifest = readFileSync(new URL(`${folder}/package.json`, packages), 'utf8');
    const { name, exports, private: isPrivate } = JSON.parse(manifest);
    if (isPrivate) return [];
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
    sortEntryPoints: false,
    name: 'All packages',
    excludeExternals: true,
    disableSources: true,
    readme: fileURLToPath(new URL('introduction.md', import.meta.url)),
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
  const core = project.getChildByName(['@hooks/core']);
  const folder = fileURLToPath(new URL('core/src/', packages));
  splitCore((name) => {
    const member = core?.getChildByName([name]);
    const exported = member?.isReference() ? member.getTargetReflectionDeep() : member;
    return exported && project.getSymbolIdFromReflection(exported)?.fileName?.replace(folder, '');
  });
}
