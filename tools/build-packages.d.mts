/** @returns whether there were no type errors */
export function buildPackages(options?: { quiet?: boolean }): Promise<boolean>;
