export const bankPlace = (institutionId: string): string =>
  `/banks/${encodeURIComponent(institutionId)}`;
