/**
 * Navigates the top window to the bank. @returns false when the browser refuses, or the address is
 * not a web URL
 */
export function goTo(address: unknown): boolean {
  if (typeof address !== 'string' || !/^https?:\/\//i.test(address)) return false;
  for (const target of [window.top, window]) {
    try {
      if (target !== null) {
        target.location.href = address;
        return true;
      }
    } catch {
      // An embedding page of another origin may forbid it; then this window navigates.
    }
  }
  return false;
}
