import { testStore } from '../src/testing/index.ts';
import { remains } from './stores/sqlite.ts';

testStore('the SQLite store', { module: new URL('./stores/sqlite.ts', import.meta.url), remains });
