import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join, resolve, sep } from 'node:path';

type Env = Readonly<Record<string, string>>;

/**
 * The environment of a hook's command: the program's own, without what lets the agent's surroundings replace the programs
 * that judge. A hook's own `env` may set these again.
 *
 * - Variables that make a program load code: `NODE_OPTIONS`, `OPENSSL_CONF`, `LD_PRELOAD`, `PERL5OPT`, `BASH_ENV` and others.
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

/** By what reads them: the loader and libraries of C, OpenSSL, Node, shells, git, and the languages of scripts. */
const LOADS_CODE = new RegExp(
  `^(?:${[
    'LD_\\w+|DYLD_\\w+|GCONV_PATH',
    'OPENSSL_(?:CONF|CONF_INCLUDE|ENGINES|MODULES)',
    'NODE_(?:OPTIONS|PATH|COMPILE_CACHE)|DENO_PRELOAD|BUN_OPTIONS',
    'ENV|BASH_ENV|BASH_FUNC_.*|BASH_LOADABLES_PATH|BASHOPTS|SHELLOPTS|PS4|CDPATH|ZDOTDIR|LESSOPEN|LESSCLOSE',
    'GIT_(?:EXEC_PATH|CONFIG\\w*|EXTERNAL_DIFF|SSH|SSH_COMMAND|PROXY_COMMAND)',
    'PERL5OPT|PERL5LIB|PERLLIB|PERL5DB',
    'PYTHON(?:PATH|HOME|STARTUP|USERBASE|WARNINGS|BREAKPOINT|PLATLIBDIR|PYCACHEPREFIX)',
    'RUBYOPT|RUBYLIB|GEM_HOME|GEM_PATH',
    'JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS|_JAVA_OPTIONS|CLASSPATH',
    'LUA_(?:INIT|PATH|CPATH)\\w*|PHPRC|PHP_INI_SCAN_DIR|DOTNET_STARTUP_HOOKS|CORECLR_\\w+',
  ].join('|')})$`,
);

function withoutWorkspace(path: string, cwd: string): string {
  const root = realPath(checkoutAround(cwd));
  // In the home, the folders of PATH are the user's own.
  const workspace = root === realPath(homedir()) ? undefined : join(root, sep);
  const kept = path.split(delimiter).filter((folder) => {
    if (!isAbsolute(folder)) return false;
    const ends = [resolve(folder), realPath(folder)].map((path) => join(path, sep));
    if (ends.some((path) => path.endsWith(join(sep, 'node_modules', '.bin', sep)))) return false;
    return workspace === undefined || !ends.some((path) => path.startsWith(workspace));
  });
  return kept.join(delimiter);
}

/** An agent and a shell may name one folder by different links. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/** The root of the checkout that a folder is in, because an agent moves with `cd`. Without one, the folder itself. */
function checkoutAround(cwd: string): string {
  const home = resolve(homedir());
  for (let folder = resolve(cwd); folder !== home && folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, '.git'))) return folder;
  return resolve(cwd);
}
