/** The version of this package, sent in the header `user-agent`. */
export const version = '0.1.0';
