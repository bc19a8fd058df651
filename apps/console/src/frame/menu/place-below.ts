const GAP = 4;
const MARGIN = 8;
const MIN_HEIGHT = 160;

/** Puts a panel below its button, within the window; it scrolls with the page. */
export function placeBelow(
  button: HTMLElement,
  panel: HTMLElement,
  { align, width: wanted }: { align: 'start' | 'end'; width: number },
): void {
  const { left, right, bottom } = button.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const width = Math.min(wanted, clientWidth - 2 * MARGIN);
  const start = align === 'start' ? left : right - width;
  const inside = Math.max(MARGIN, Math.min(start, clientWidth - width - MARGIN));
  Object.assign(panel.style, {
    left: `${inside + window.scrollX}px`,
    top: `${bottom + GAP + window.scrollY}px`,
    width: `${width}px`,
    maxHeight: `${Math.max(MIN_HEIGHT, clientHeight - bottom - GAP - MARGIN)}px`,
  });
}
