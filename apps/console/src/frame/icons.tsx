import type { ReactElement } from 'react';

/** Strokes on a square of 24 units. */
const PATHS = {
  start: 'M4 11.5 12 5l8 6.5M6 10v9h12v-9',
  links: 'M9.5 14.5l5-5M8 11l-2 2a3.5 3.5 0 0 0 5 5l2-2M16 13l2-2a3.5 3.5 0 0 0-5-5l-2 2',
  webhooks: 'M4 12h4l2.5-6 3 12L16 12h4',
  banks: 'M4 9.5 12 5l8 4.5M5 19h14M7 10v6M12 10v6M17 10v6',
  sandbox: 'M10 4v6l-5 8.5A1 1 0 0 0 6 20h12a1 1 0 0 0 1-1.5L14 10V4M9 4h6M8 15h8',
  keys: 'M14.5 9.5a3.5 3.5 0 1 1 .01 0M12 11.5 5 18.5V20h3v-2h2v-2',
  system: 'M5 6h14v4H5zM5 14h14v4H5zM8 8h.01M8 16h.01',
  find: 'M11 4.5a6.5 6.5 0 1 1-.01 0M16 16l4 4',
  menu: 'M4 7h16M4 12h16M4 17h16',
  person: 'M12 12a3.5 3.5 0 1 1 .01 0M5 19.5c1-3 4-4 7-4s6 1 7 4',
  clock: 'M12 4a8 8 0 1 1-.01 0M12 8v4.5l3 1.5',
  light:
    'M12 8a4 4 0 1 1-.01 0M12 3v1.5M12 19.5V21M3 12h1.5M19.5 12H21M5.6 5.6l1 1M17.4 17.4l1 1M5.6 18.4l1-1M17.4 6.6l1-1',
  dark: 'M19 14.5A7.5 7.5 0 0 1 9.5 5 7.5 7.5 0 1 0 19 14.5z',
  down: 'M7 10l5 5 5-5',
  right: 'M10 7l5 5-5 5',
  left: 'M14 7l-5 5 5 5',
  check: 'M5 12.5 10 17.5 19 7',
  circle: 'M12 4.5a7.5 7.5 0 1 1-.01 0',
  ok: 'M12 4a8 8 0 1 1-.01 0M8.5 12.3l2.5 2.5 4.5-5',
  warning: 'M12 4.5 21 19.5H3zM12 10v4M12 16.8h.01',
  error: 'M12 4a8 8 0 1 1-.01 0M9.5 9.5l5 5M14.5 9.5l-5 5',
  copy: 'M9 9h10v10H9zM15 9V5H5v10h4',
  out: 'M13 5h6v6M19 5l-8 8M10 6H6v12h12v-4',
  plus: 'M12 6v12M6 12h12',
  more: 'M6 12h.01M12 12h.01M18 12h.01',
  close: 'M6 6l12 12M18 6 6 18',
  lock: 'M6.5 11h11v8h-11zM9 11V8a3 3 0 0 1 6 0v3',
  retry: 'M19 12a7 7 0 1 1-2-5l2 2M19 4.5V9h-4.5',
} as const;

export type IconName = keyof typeof PATHS;

/** A decorative icon: its meaning is always present as text. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }): ReactElement {
  const length = `${size / 16}rem`;
  return (
    <svg
      width={length}
      height={length}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
      style={{ flex: 'none' }}
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
