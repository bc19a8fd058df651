type Paint = (text: string) => string;

export interface Colors {
  good: Paint;
  bad: Paint;
  faint: Paint;
  strong: Paint;
}

const CODES: Readonly<Record<keyof Colors, readonly [number, number]>> = {
  good: [32, 39],
  bad: [31, 39],
  faint: [2, 22],
  strong: [1, 22],
};

/** No colors without a terminal, and with NO_COLOR (https://no-color.org). */
export function colorsOf(
  { isTTY = false }: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): Colors {
  const isColored = isTTY && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  return Object.fromEntries(
    Object.entries(CODES).map(([name, [on, off]]) => [
      name,
      (text: string) => (isColored ? `\u001B[${on}m${text}\u001B[${off}m` : text),
    ]),
  ) as unknown as Colors;
}
