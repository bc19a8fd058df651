let locks = 0;
let release: () => void = () => undefined;

/**
 * Keeps the page behind the layer from scrolling. @returns a function that undoes it and may be
 * called twice
 */
export function lockPageScroll(): () => void {
  if (locks === 0) release = hideOverflow();
  locks += 1;
  let mine = true;
  return () => {
    if (!mine) return;
    mine = false;
    locks -= 1;
    if (locks === 0) release();
  };
}

function hideOverflow(): () => void {
  const root = document.documentElement;
  const { overflow, paddingInlineEnd } = root.style;
  // The space of the scroll bar is kept, so that nothing behind the layer jumps.
  const scrollBar = window.innerWidth - root.clientWidth;
  root.style.overflow = 'hidden';
  if (scrollBar > 0 && root.clientWidth > 0) root.style.paddingInlineEnd = `${scrollBar}px`;
  return () => {
    root.style.overflow = overflow;
    root.style.paddingInlineEnd = paddingInlineEnd;
  };
}
