/** Replaces every further value. */
export const OTHER = 'other';

/** Lets the first `most` values be labels and returns `other` for later ones, so that their series stay bounded. */
export function boundedLabel(max: number): (value: string) => string {
  const known = new Set<string>();
  return (value) => {
    if (known.size < max) known.add(value);
    return known.has(value) ? value : OTHER;
  };
}
