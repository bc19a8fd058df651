import { contrast, readColor } from './contrast.js';

const LEAST_CONTRAST = 4.5;
const TEXT_COLORS = ['#ffffff', '#14181f'] as const;

/**
 * A button in the bank's own color, when one of two text colors is readable on it; otherwise null.
 */
export function buttonInColorOf(color: string | null): { background: string; text: string } | null {
  const background = color === null ? null : readColor(color);
  if (color === null || background === null) return null;
  const text = TEXT_COLORS.find((candidate) => {
    const rgb = readColor(candidate);
    return rgb !== null && contrast(background, rgb) >= LEAST_CONTRAST;
  });
  return text === undefined ? null : { background: color, text };
}
