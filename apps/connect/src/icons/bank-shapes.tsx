import type { Shape } from './shape.js';

export const bankWindow: Shape = {
  drawing: (
    <>
      <rect x="3.5" y="5" width="17" height="14" rx="2.5" />
      <path d="M3.5 9.5h17M6.5 7.3h.1M9 7.3h.1" />
    </>
  ),
};
export const key: Shape = {
  drawing: (
    <>
      <circle cx="8" cy="15.5" r="4" />
      <path d="M11 12.6L19 4.6M16 7.6l2.6 2.6M13.6 10l1.6 1.6" />
    </>
  ),
};
export const arrow: Shape = {
  drawing: <path d="M4 12h16M14 6l6 6-6 6" />,
  mirrors: true,
};
export const returning: Shape = {
  drawing: <path d="M9 6l-4.5 4.5L9 15M4.5 10.5H15a4.5 4.5 0 0 1 0 9h-3" />,
  mirrors: true,
};
