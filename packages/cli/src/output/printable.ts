/**
 * Text of banks and apps could move the cursor, or turn what follows around: control characters and
 * those that change the direction are shown as a mark.
 */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/gu, '\uFFFD');
}
