import './in-a-new-folder.ts';
// #region store
import { sqliteStore } from '@hooks/store/sqlite';

const store = sqliteStore('.hooks/store.db');
// #endregion

await store.set('a', 1);
console.log((await store.get('a'))?.value); // 1
await store.close();
