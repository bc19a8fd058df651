/** One polite region for the whole page: a region that appears with its text is not read aloud. */
let region: HTMLElement | undefined;

function ensureRegion(): HTMLElement {
  // What is outside of an open dialog is not read aloud.
  const holder = document.activeElement?.closest('dialog') ?? document.body;
  if (region?.parentElement === holder) return region;
  region?.remove();
  region = document.createElement('div');
  region.setAttribute('role', 'status');
  region.setAttribute('aria-live', 'polite');
  region.className = 'console-announcer';
  Object.assign(region.style, {
    position: 'absolute',
    width: '1px',
    height: '1px',
    overflow: 'hidden',
    clipPath: 'inset(50%)',
    whiteSpace: 'nowrap',
  });
  holder.append(region);
  return region;
}

/** Reads a text aloud; the same text again is read again. */
export function announce(text: string): void {
  const target = ensureRegion();
  target.textContent = '';
  requestAnimationFrame(() => {
    target.textContent = text;
  });
}
