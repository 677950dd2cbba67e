import { testStore } from '../src/testing/index.ts';

testStore('the memory store', {
  module: new URL('./stores/memory.ts', import.meta.url),
  shared: false,
  tells: true,
});
