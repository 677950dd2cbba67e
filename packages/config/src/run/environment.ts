import { homedir } from 'node:os';
import { delimiter, isAbsolute, join, resolve, sep } from 'node:path';

type Env = Readonly<Record<string, string>>;

/**
 * The environment of a hook's command: the program's own, without what lets the agent's surroundings replace the programs
 * that judge. A hook's own `env` may set these again.
 *
 * - Variables that make a program load code: `NODE_OPTIONS`, `LD_PRELOAD`, `PERL5OPT`, `PYTHONPATH`, `BASH_ENV` and others.
 * - Folders in PATH that the workspace fills: relative ones, `node_modules/.bin`, and those in the workspace itself. A
 *   command names a program there by its path: `./node_modules/.bin/eslint`.
 *
 * `hook.sh` of the command line does the same for the processes before this one.
 */
export function commandEnvironment(env: Env, cwd: string): Env {
  const kept = Object.entries(env).filter(([name]) => !LOADS_CODE.test(name));
  return Object.fromEntries(
    kept.map(([name, value]) => [name, /^PATH$/i.test(name) ? withoutWorkspace(value, cwd) : value]),
  );
}

const LOADS_CODE =
  /^(?:NODE_OPTIONS|NODE_PATH|LD_PRELOAD|LD_AUDIT|LD_LIBRARY_PATH|DYLD_\w+|BASH_ENV|ENV|BASH_FUNC_.*|ZDOTDIR|PERL5OPT|PERL5LIB|PERLLIB|PERL5DB|PYTHONPATH|PYTHONHOME|PYTHONSTARTUP|PYTHONUSERBASE|PYTHONWARNINGS|PYTHONBREAKPOINT|PYTHONPLATLIBDIR|PYTHONPYCACHEPREFIX|RUBYOPT|RUBYLIB|JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS|_JAVA_OPTIONS|DENO_PRELOAD|BUN_OPTIONS|LUA_INIT|LUA_PATH|LUA_CPATH|PHPRC|PHP_INI_SCAN_DIR)$/;

function withoutWorkspace(path: string, cwd: string): string {
  // In the home, the folders of PATH are the user's own.
  const workspace = resolve(cwd) === resolve(homedir()) ? undefined : join(resolve(cwd), sep);
  const kept = path.split(delimiter).filter((folder) => {
    if (!isAbsolute(folder)) return false;
    const inside = join(resolve(folder), sep);
    if (inside.endsWith(join(sep, 'node_modules', '.bin', sep))) return false;
    return workspace === undefined || !inside.startsWith(workspace);
  });
  return kept.join(delimiter);
}
