import { resolve } from 'node:path';
import { readText } from '@hooks/config/protocol';
import { parse } from 'yaml';
import { type Program, UserError } from './program.ts';

/** Reads a YAML or JSON file that the user named. */
export async function readYaml(path: string, program: Program): Promise<unknown> {
  try {
    return parse(readText(resolve(program.cwd(), path)));
  } catch (error) {
    throw new UserError(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
