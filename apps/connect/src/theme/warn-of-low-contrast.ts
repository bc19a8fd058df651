import { contrast, readColor } from './contrast.js';

const TEXT_ON: readonly (readonly [text: string, background: string])[] = [
  ['colors-text', 'colors-background'],
  ['colors-text_muted', 'colors-background'],
  ['colors-text_subtle', 'colors-background'],
  ['colors-text', 'colors-surface'],
  ['colors-error', 'colors-background'],
  ['colors-accent', 'colors-background'],
  ['button-text', 'button-background'],
];
const LEAST_CONTRAST = 4.5;

/** connect 10: an unreadable theme is reported in Sandbox, where a developer sees it. */
export function warnOfLowContrast(root: HTMLElement): void {
  const probe = document.createElement('span');
  root.append(probe);
  try {
    for (const [text, background] of TEXT_ON) {
      const [front, back] = [colorOf(text), colorOf(background)];
      if (front === null || back === null) continue;
      const ratio = contrast(front, back);
      if (ratio < LEAST_CONTRAST)
        console.warn(
          `Connect: ${text} on ${background} has a contrast of ${ratio.toFixed(1)} : 1, which many people cannot read (4.5 : 1 is needed).`,
        );
    }
  } finally {
    probe.remove();
  }

  function colorOf(token: string): ReturnType<typeof readColor> {
    probe.style.color = `var(--connect-${token})`;
    return readColor(getComputedStyle(probe).color);
  }
}
