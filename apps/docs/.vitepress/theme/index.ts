import type { Theme } from 'vitepress';
import theme from 'vitepress/theme-without-fonts';
import { followTabs } from './tabs.ts';
import './style.css';

export default {
  extends: theme,
  enhanceApp() {
    if (!import.meta.env.SSR) followTabs();
  },
} satisfies Theme;
