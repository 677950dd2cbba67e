import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Program } from './program.ts';

/** A folder, and those around it from the inside out. */
export function withParents(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...withParents(parent)];
}

/** The user's home. */
export function homeOf({ env }: Pick<Program, 'env'>): string {
  return env['HOME'] ?? homedir();
}

/** The folder of an agent in the user's home, or the one that its variable names. */
export function agentFolder(program: Program, variable: string, name: string): string {
  const own = program.env[variable];
  return own ? resolve(program.cwd(), own) : join(homeOf(program), name);
}
