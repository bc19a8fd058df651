/** The version of the API that the types describe; sent with each call. */
export const apiVersion = '2026-11-27';
