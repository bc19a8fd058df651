import type { Shape } from './shape.js';

export const close: Shape = { drawing: <path d="M6 6l12 12M18 6L6 18" />, token: 'close' };
export const back: Shape = { drawing: <path d="M15 5l-7 7 7 7" />, token: 'back', mirrors: true };
export const search: Shape = {
  drawing: (
    <>
      <circle cx="11" cy="11" r="6.5" />
      <path d="M16 16l4.5 4.5" />
    </>
  ),
  token: 'search',
};
export const lock: Shape = {
  drawing: (
    <>
      <rect x="5" y="10.5" width="14" height="10" rx="2.5" />
      <path d="M8 10.5V7.5a4 4 0 0 1 8 0v3" />
    </>
  ),
};
export const warning: Shape = {
  drawing: (
    <>
      <path d="M12 3.6L21.5 20h-19z" />
      <path d="M12 10v4.6M12 17.4v.1" />
    </>
  ),
};
export const information: Shape = {
  drawing: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M12 11.2V16M12 8v.1" />
    </>
  ),
};
export const outside: Shape = {
  drawing: (
    <path d="M9 6H6.5A1.5 1.5 0 0 0 5 7.5v10A1.5 1.5 0 0 0 6.5 19h10a1.5 1.5 0 0 0 1.5-1.5V15M13 5h6v6M19 5l-8 8" />
  ),
  mirrors: true,
};
export const chevron: Shape = { drawing: <path d="M9.5 6l6 6-6 6" />, mirrors: true };
export const clock: Shape = {
  drawing: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M12 7.5V12l3 2" />
    </>
  ),
};
export const offline: Shape = {
  drawing: (
    <path d="M4 4l16 16M8.5 15.5a5 5 0 0 1 6 -.8M5 12a10 10 0 0 1 4.2-2.5M19 12a10 10 0 0 0-6.3-2.9M12 19h.1" />
  ),
};
