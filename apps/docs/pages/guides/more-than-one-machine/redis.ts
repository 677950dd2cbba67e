// #region store
import { redisStore } from '@hooks/store/redis';
import { createClient } from 'redis';

const client = createClient({ url: process.env['REDIS_URL'] ?? '' });
client.on('error', console.error);
await client.connect();
const store = redisStore(client);
// #endregion

await store.set('a', 1);
console.log((await store.get('a'))?.value); // 1
await store.close();
client.destroy();
