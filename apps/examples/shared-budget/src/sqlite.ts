import type { Store } from '@hooks/store';
import { sqliteStore } from '@hooks/store/sqlite';

export const store: Store = sqliteStore('team.db');

export const close = (): Promise<void> => store.close();
