import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Product } from '../../../../domain/link/products.js';
import { SandboxLinkRepository } from '../../../../prisma/work/sandbox/sandbox-link.repository.js';

const POLL_INTERVAL_MS = 100;

/** Waits for fetches by polling their rows. */
@Injectable()
export class WaitForFetches {
  constructor(private readonly links: SandboxLinkRepository) {}

  /**
   * False = a product is still waiting or being fetched after the time limit; without `products`,
   * any product.
   */
  async wait(linkId: string, withinMs: number, products?: readonly Product[]): Promise<boolean> {
    const until = Date.now() + withinMs;
    for (;;) {
      const inProgress = await this.links.productsInProgress(linkId);
      if (!inProgress.some((product) => products?.includes(product) ?? true)) return true;
      if (Date.now() >= until) return false;
      await pause(POLL_INTERVAL_MS);
    }
  }
}
