import type { Tenant } from '../api/environment.js';

/** How much of something that all tenants share each of them holds, and no more than `most`. */
export class TenantShares {
  private readonly counts = new Map<string, number>();
  private readonly full = new Set<string>();

  constructor(readonly most: number) {}

  /** How much each tenant holds that holds something, by `app/environment`. */
  get held(): Record<string, number> {
    return Object.fromEntries(this.counts);
  }

  isFull(tenant: Tenant): boolean {
    return (this.counts.get(nameOf(tenant)) ?? 0) >= this.most;
  }

  add(tenant: Tenant): void {
    const name = nameOf(tenant);
    const count = (this.counts.get(name) ?? 0) + 1;
    this.counts.set(name, count);
    if (count >= this.most) this.full.add(name);
  }

  /** @returns whether a tenant that had all it may have has much room again */
  remove(tenant: Tenant): boolean {
    const name = nameOf(tenant);
    const count = (this.counts.get(name) ?? 1) - 1;
    if (count > 0) this.counts.set(name, count);
    else this.counts.delete(name);
    return count <= this.most / 2 && this.full.delete(name);
  }
}

function nameOf({ appId, environment }: Tenant): string {
  return `${appId}/${environment}`;
}
