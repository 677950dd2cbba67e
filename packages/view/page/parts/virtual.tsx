import type { ComponentChildren, HTMLAttributes, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';

/** Rows of equal height, of which only the visible ones are in the document. */
export interface Rows {
  readonly first: number;
  readonly last: number;
  /** Scrolls a row into view. */
  show(index: number): void;
}

const BEYOND = 8;

/** Computes which rows of a scrolling element are visible. */
export function useRows(scroller: RefObject<HTMLElement | null>, count: number, height: number): Rows {
  const [top, setTop] = useState(0);
  const [room, setRoom] = useState(900);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const moved = (): void => setTop(element.scrollTop);
    const sizes = new ResizeObserver(() => setRoom(element.clientHeight));
    sizes.observe(element);
    element.addEventListener('scroll', moved, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener('scroll', moved);
    };
  }, [scroller.current]);
  // The browser may have scrolled back because rows were removed.
  useLayoutEffect(() => setTop(scroller.current?.scrollTop ?? 0), [count]);
  return {
    first: Math.max(0, Math.floor(top / height) - BEYOND),
    last: Math.min(count, Math.ceil((top + room) / height) + BEYOND),
    show(index) {
      const element = scroller.current;
      if (!element) return;
      const [from, to] = [index * height, (index + 1) * height];
      if (from < element.scrollTop) element.scrollTop = from;
      else if (to > element.scrollTop + element.clientHeight) element.scrollTop = to - element.clientHeight;
      setTop(element.scrollTop);
    },
  };
}

/** An element with the height of all rows, which contains the visible ones in their positions. */
export function Sheet({
  count,
  height,
  rows,
  children,
  ...attributes
}: HTMLAttributes<HTMLDivElement> & {
  readonly count: number;
  readonly height: number;
  readonly rows: Rows;
  readonly children: (index: number) => ComponentChildren;
}) {
  const indexes = Array.from({ length: Math.max(0, rows.last - rows.first) }, (_, at) => rows.first + at);
  return (
    <div {...attributes} style={{ height: `${count * height}px` }}>
      <div role="presentation" style={{ transform: `translateY(${rows.first * height}px)` }}>
        {indexes.map(children)}
      </div>
    </div>
  );
}
