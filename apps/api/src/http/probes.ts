/** Each prober calls every second, and concurrent callers share one check of the parts. */
export const PROBES: ReadonlySet<string> = new Set(['/health/live', '/health/ready']);
