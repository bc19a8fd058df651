/** The steps of a script; null = the text is not a JSON list. The service checks each step. */
export function readScript(text: string): unknown[] | null {
  try {
    const value = JSON.parse(text) as unknown;
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
