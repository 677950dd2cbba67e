/**
 * Imports a module. A separate file, because the command line runs the code around it with `vm.Script`, which cannot
 * import.
 */
export function importModule(url: string): Promise<Readonly<Record<string, unknown>>> {
  return import(url);
}
