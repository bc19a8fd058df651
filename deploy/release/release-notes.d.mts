export function releaseNotes(tag: string, from: { version: string; changelog: string }): string;
export function keptDocument(version: string): string;
export function checkKeptDocument(
  version: string,
  texts: { document: string; kept: string | null },
): void;
