/** Goes to the bank in the top window. @returns false when the browser does not let it, or the address is none of the web */
export function goTo(address: unknown): boolean {
  if (typeof address !== 'string' || !/^https?:\/\//i.test(address)) return false;
  for (const target of [window.top, window]) {
    try {
      if (target !== null) {
        target.location.href = address;
        return true;
      }
    } catch {
      // An embedding page of another origin may forbid it; then this window goes.
    }
  }
  return false;
}
