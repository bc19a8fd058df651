/** Equal to the version in package.json, as a test checks. */
export const version = '0.1.0';
