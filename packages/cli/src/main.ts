#!/usr/bin/env node
// Even a Node that is too old for the other files must be able to read this one, so it has plain syntax and imports
// nothing before it has checked the version.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
// A hook that cannot answer refuses with exit code 2, because an agent runs the tool after any other code.
const failed = process.argv[2] === 'run' ? 2 : 1;

if (major < 22 || (major === 22 && minor < 18)) {
  // An agent's settings name the Node that ran "hooks install".
  const remedy =
    process.argv[2] === 'run'
      ? 'Install a newer Node, then run "npx --no-install hooks install" with it.'
      : 'Install a newer Node.';
  const found = `${process.version} (${process.execPath})`;
  console.error(`hooks needs Node 22.18 or later; this is ${found}. ${remedy}`);
  process.exitCode = failed;
} else {
  import('./start.ts')
    .then(({ start }) => start())
    .catch((error: unknown) => {
      console.error(error);
      process.exitCode = failed;
    });
}
