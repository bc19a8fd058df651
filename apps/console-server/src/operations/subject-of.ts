/** The subject in the record of operators, as the command of the same name leaves it: its arguments, then its options. */
export function subjectOf(
  words: readonly string[],
  options: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>> = {},
): string {
  const given = Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    return value === true ? [`--${name}`] : [`--${name} ${String(value)}`];
  });
  return [...words, ...given].join(' ');
}
