import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';

/**
 * Loads a CommonJS file of this command with the bytecode that an earlier process has kept of it; `require` finds it
 * loaded. Node's own compile cache keeps what runs at the top of a file; this one keeps the functions that were called,
 * too, which would take a hook longer to compile than to run. Where anything is in the way, `require` loads the file as
 * ever.
 *
 * @returns keeps the bytecode for the next process; to be called at the end of this one
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
 * What was kept of the very same source, of which V8 itself compares the length only. It stands there twice, and is used
 * where both are the same: V8 would crash on bytecode that is damaged, and to compare is faster than any checksum.
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

/** All at once, and for this user alone. */
function keep(path: string, source: Buffer, script: Script): void {
  const temporary = `${path}.${process.pid}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const bytecode = script.createCachedData();
    writeFileSync(temporary, Buffer.concat([source, bytecode, bytecode]), { mode: 0o600, flag: 'wx' });
    renameSync(temporary, path);
  } catch {}
}
