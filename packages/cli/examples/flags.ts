import { hooksFromFlags } from '@hooks/cli';
import { createHooks } from '@hooks/core';

const { hooks: flagged, rest } = await hooksFromFlags(process.argv.slice(2));

const hooks = createHooks();
hooks.use(flagged); // --hook-pre-tool-use ./check.sh, and the five others
console.log('arguments of your own:', rest); // arguments of your own: []
