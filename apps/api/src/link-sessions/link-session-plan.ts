import type { RequestedProducts } from '../../../../domain/link/products.js';
import type { Application } from '../../../../prisma/generated/client.js';
import type { InstitutionRecord } from '../../../../prisma/sources/institutions/institution.repository.js';
import type { InstitutionFilter } from '../../../../prisma/sources/institutions/institution-availability.js';
import type { SessionRequest } from './create-link-session.request.js';

/** A valid session request with its references, resolved once. */
export interface LinkSessionPlan {
  request: SessionRequest;
  app: Application;
  products: RequestedProducts;
  countries: readonly string[];
  /** Null when the user picks one in Connect, and in a relink, where the link decides. */
  institution: InstitutionRecord | null;
  /** The institutions this session may use. */
  usable: InstitutionFilter;
}
