import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { type Program, UserError } from './program.ts';

/** Reads a YAML or JSON file that the user named. */
export async function readYaml(path: string, program: Program): Promise<unknown> {
  try {
    return parse(await readFile(resolve(program.cwd(), path), 'utf8'));
  } catch (error) {
    throw new UserError(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
