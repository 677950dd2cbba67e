import { render } from 'preact';
import { App } from './app.tsx';
import { takeToken } from './client.ts';

takeToken();
const app = document.getElementById('app');
if (app) render(<App />, app);
