import type { Sign } from '../flow/problem-table.js';

/** The small pictures over problems, each a path on a 24 × 24 grid. */
export const SIGN_PATHS: Record<Sign, string> = {
  bank: 'M3.5 9.5L12 4.5l8.5 5zM4.5 19.5h15M6.5 12v4.5M12 12v4.5M17.5 12v4.5',
  clock: 'M12 3.5a8.5 8.5 0 1 0 .1 0zM12 7.5V12l3 2',
  connected: 'M12 3.5a8.5 8.5 0 1 0 .1 0zM8 12.3l2.8 2.8 5.2-5.6',
  connection:
    'M10 7.5L7.5 10a3.5 3.5 0 0 0 0 5l1.5 1.5M14 16.5l2.5-2.5a3.5 3.5 0 0 0 0-5L15 7.5M4.5 4.5l3 3M16.5 16.5l3 3',
  declined: 'M12 3.5a8.5 8.5 0 1 0 .1 0zM6 6l12 12',
  key: 'M8 11.5a4 4 0 1 0 .1 0zM11 12.6L19 4.6M16 7.6l2.6 2.6M13.6 10l1.6 1.6',
  lock: 'M5 10.5h14v10H5zM8 10.5v-3a4 4 0 0 1 8 0v3',
  no_accounts: 'M3.5 6h17v12h-17zM3.5 10h17M9 14.3h6',
  page: 'M3.5 5h17v14h-17zM3.5 9.5h17M10 12.5l4 4M14 12.5l-4 4',
  service: 'M4 4.5h16V11H4zM4 13h16v6.5H4zM7.5 7.8h.1M7.5 16.3h.1M15 16.3h1.5',
  to_do: 'M5 5h14v15.5H5zM9 3.5h6v3H9zM8.8 13.3l2.3 2.3 4.2-4.6',
};
