/** The row to which a key moves the focus; null = the key does not move it. */
export function nextRow(key: string, current: number, count: number): number | null {
  const last = count - 1;
  const target: Readonly<Record<string, number>> = {
    ArrowDown: Math.min(last, current + 1),
    ArrowUp: Math.max(0, current - 1),
    Home: 0,
    End: last,
  };
  return current < 0 || count === 0 ? null : (target[key] ?? null);
}
