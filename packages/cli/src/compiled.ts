import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';

/**
 * Loads a CommonJS file of this command with the bytecode that an earlier process stored, so that `require` finds it
 * loaded. Node's own compile cache stores top-level code only. This one also stores the functions that were called, which
 * take longer to compile than a hook takes to run. If anything fails, `require` loads the file as usual.
 *
 * @returns a function that stores the bytecode for the next process; call it at the end of this one
 */
export function preloadCompiled(file: string, folder: string): () => void {
  try {
    const source = readFileSync(file);
    const kept = join(folder, `${process.version}-${process.arch}-${source.length}`);
    const cachedData = bytecodeIn(kept, source);
    const script = new Script(`(function (exports, require, __dirname, __filename) {${source}\n})`, {
      filename: file,
      ...(cachedData && { cachedData }),
    });
    const require = createRequire(file);
    const module = new Module(file);
    script.runInThisContext()(module.exports, require, dirname(file), file);
    module.loaded = true;
    require.cache[file] = module;
    if (cachedData && !script.cachedDataRejected) return () => {};
    return () => keep(kept, source, script);
  } catch {
    return () => {};
  }
}

/**
 * The stored bytecode of exactly this source; V8 itself compares only the length. The file contains the bytecode twice,
 * and it is used if both copies are equal: V8 would crash on damaged bytecode, and a comparison is faster than a
 * checksum.
 */
function bytecodeIn(kept: string, source: Buffer): Buffer | undefined {
  try {
    const all = readFileSync(kept);
    const length = (all.length - source.length) / 2;
    const first = all.subarray(source.length, source.length + length);
    const isSame = all.subarray(0, source.length).equals(source) && all.subarray(-length).equals(first);
    return isSame ? first : undefined;
  } catch {
    return undefined;
  }
}

/** Writes the file atomically, readable only by this user. */
function keep(path: string, source: Buffer, script: Script): void {
  const temporary = `${path}.${process.pid}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const bytecode = script.createCachedData();
    writeFileSync(temporary, Buffer.concat([source, bytecode, bytecode]), { mode: 0o600, flag: 'wx' });
    renameSync(temporary, path);
  } catch {}
}
