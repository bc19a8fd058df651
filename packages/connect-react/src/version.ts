/** Of this package; the service is told with each flow. */
export const version = '0.1.0';
