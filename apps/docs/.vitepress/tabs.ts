import type { MarkdownRenderer } from 'vitepress';

/**
 * Makes tabs of the code between `<!-- tabs -->` and `<!-- /tabs -->`, where each block has its name above it in bold. GitHub does not
 * know VitePress's own syntax for them, and would show the blocks without their names.
 */
export function tabs(markdown: MarkdownRenderer): void {
  markdown.core.ruler.after('normalize', 'tabs', (state) => {
    state.src = state.src.replaceAll(
      /^<!-- tabs -->\n(.*?)^<!-- \/tabs -->$/gms,
      (_, blocks: string) => `::: code-group\n${blocks.replaceAll(namedBlock, '$2$3 [$1]')}:::`,
    );
  });
}

const namedBlock = /^\*\*(.+)\*\*\n\n(<!-- file \S+ -->\n\n)?(```\w+)$/gm;
