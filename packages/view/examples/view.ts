import { openView } from '@hooks/view';

const view = await openView({ journal: '.hooks/journal' });
const { hostname, hash } = new URL(view.url);
console.log(hostname, hash.slice(0, 7)); // 127.0.0.1 #token=
await view.close();
