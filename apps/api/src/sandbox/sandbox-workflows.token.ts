/** Injection token of `SandboxWorkflows`. */
export const SANDBOX_WORKFLOWS = Symbol('sandbox workflows');
