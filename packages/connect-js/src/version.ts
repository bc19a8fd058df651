/** The version of this package; sent to the service with each flow. */
export const version = '0.1.0';
