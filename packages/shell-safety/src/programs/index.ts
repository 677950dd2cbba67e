import type { Program, Row } from './program.ts';
import { cloud } from './table/cloud.ts';
import { databases } from './table/databases.ts';
import { files } from './table/files.ts';
import { secretStores } from './table/secrets.ts';
import { versionControl } from './table/version-control.ts';

const TABLE: readonly Row[] = [...versionControl, ...cloud, ...databases, ...secretStores, ...files];

const BY_NAME: ReadonlyMap<string, Program> = new Map(
  TABLE.flatMap(([names, program]) => names.split(' ').map((name): [string, Program] => [name, program])),
);

/** What is known of a program. */
export function programOf(name: string): Program | undefined {
  return BY_NAME.get(name);
}
