// Types of the browser would replace those of Node in the packages that this project also reads.
interface Tab {
  readonly checked: boolean;
  readonly labels: Iterable<{ readonly textContent: string }> | null;
  readonly matches: (selector: string) => boolean;
  readonly click: () => void;
}

declare const document: {
  readonly addEventListener: (type: 'change', listener: (event: { readonly target: Tab }) => void) => void;
  readonly querySelectorAll: (selector: string) => Iterable<Tab>;
};

const tabs = '.vp-code-group .tabs input';

/** Selects a tab in all groups of code that have it: who installs for Mastra wants the program for Mastra. */
export function followTabs(): void {
  document.addEventListener('change', ({ target }) => {
    if (!target.matches(tabs)) return;
    for (const tab of document.querySelectorAll(tabs))
      if (!tab.checked && labelOf(tab) === labelOf(target)) tab.click();
  });
}

function labelOf(tab: Tab): string | undefined {
  const [label] = tab.labels ?? [];
  return label?.textContent;
}
