/**
 * Keeps the primary button above the keyboard of a phone, which only the visual viewport takes into
 * account.
 */
export function followViewport(): void {
  const { visualViewport: viewport } = window;
  if (viewport === null) return;
  const follow = (): void => {
    // Pinch zoom shrinks it, too, and must not move anything.
    if (viewport.scale === 1)
      document.documentElement.style.setProperty('--viewport-height', `${viewport.height}px`);
  };
  viewport.addEventListener('resize', follow);
  follow();
}
