export interface Lockfile {
  packages: Record<string, { hasInstallScript?: boolean }>;
}

export function checkInstallScripts(sources?: {
  lock?: Lockfile;
  note?: string;
}): string | undefined;
export function writeBillOfMaterials(): Promise<string | undefined>;
export function readAudit(stdout: string): { problem?: string; skipped?: string };
export function auditDependencies(): Promise<{ problem?: string; skipped?: string }>;
