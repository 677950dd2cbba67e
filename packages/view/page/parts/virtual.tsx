import type { ComponentChildren, HTMLAttributes, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';

/** Rows of one height, of which only those in sight are in the document. */
export interface Rows {
  readonly first: number;
  readonly last: number;
  /** Brings a row into sight. */
  show(index: number): void;
}

const BEYOND = 8;

/** Tells which rows of a scrolling element are in sight. */
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
  // Where rows went, the browser has scrolled back by itself.
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

/** The room that all rows take, with those in sight in their places. */
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
