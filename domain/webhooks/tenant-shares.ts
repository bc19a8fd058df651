import type { Tenant } from '../api/environment.js';

/** The amount of a shared resource that each tenant holds; none may hold more than `max`. */
export class TenantShares {
  private readonly counts = new Map<string, number>();

  constructor(readonly max: number) {}

  /** The amounts by `app/environment`; tenants that hold nothing are omitted. */
  get held(): Record<string, number> {
    return Object.fromEntries(this.counts);
  }

  isFull(tenant: Tenant): boolean {
    return (this.counts.get(nameOf(tenant)) ?? 0) >= this.max;
  }

  add(tenant: Tenant): void {
    const name = nameOf(tenant);
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  remove(tenant: Tenant): void {
    const name = nameOf(tenant);
    const count = (this.counts.get(name) ?? 1) - 1;
    if (count > 0) this.counts.set(name, count);
    else this.counts.delete(name);
  }
}

function nameOf({ appId, environment }: Tenant): string {
  return `${appId}/${environment}`;
}
