/** PostgreSQL cannot store U+0000, and an unpaired surrogate would change on its way there. */
export function isStorableText(value: string): boolean {
  return !value.includes('\u0000') && Buffer.from(value).toString() === value;
}
