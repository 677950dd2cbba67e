import { readText } from '@hooks/config/protocol';
import { parse, YAMLParseError } from 'yaml';
import { existing } from './paths.ts';
import { type Program, UserError } from './program.ts';

/** Reads a YAML or JSON file that an argument names. */
export async function readYaml(
  name: string,
  given: string,
  expected: string,
  program: Program,
): Promise<unknown> {
  const path = existing(name, given, program, expected);
  const text = readText(path);
  try {
    return parse(text, { logLevel: 'error' });
  } catch (error) {
    // The message of the parser repeats the text, which may hold a secret.
    if (!(error instanceof YAMLParseError)) throw new UserError(`${path}: neither YAML nor JSON`);
    const [start] = error.linePos ?? [];
    const place = start === undefined ? path : `${path}:${start.line}:${start.col}`;
    throw new UserError(`${place}: neither YAML nor JSON (${error.code})`);
  }
}
