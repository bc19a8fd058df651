/**
 * The build that continues a running workflow, if WORKER_VERSIONING is on. PINNED: the build that
 * started it, until it finishes. AUTO_UPGRADE: the current build, whose code therefore needs
 * `patched`.
 */
export interface Versioning {
  behavior: 'PINNED' | 'AUTO_UPGRADE';
  reason: string;
}

/** The facts about a workflow that the rest of the service and its pages need. */
export interface WorkflowContract<Type extends string = string> {
  /** The name of its function. */
  type: Type;
  versioning: Versioning;
}

export function pinned(reason: string): Versioning {
  return { behavior: 'PINNED', reason };
}

export function upgraded(reason: string): Versioning {
  return { behavior: 'AUTO_UPGRADE', reason };
}
