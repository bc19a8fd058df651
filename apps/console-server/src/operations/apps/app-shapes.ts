import { z } from 'zod';
import type { Environment } from '../../../../../domain/api/environment.js';
import type { BoundName } from '../../../../../domain/limits/app-bounds.js';
import { id } from '../app-input.js';

export const AppInput = z.object({ app: id });

/** The use of one bound in one environment. */
export interface ShownBound {
  environment: Environment;
  name: BoundName;
  limit: number;
  /** `today`: since 00:00 UTC; `now`: what is stored. */
  counted: 'now' | 'today';
  used: number;
  /** `apps limit`, or the setting of all apps. */
  set_by: string;
}

/** `GET /apps/:app/overview`. */
export interface AppOverview {
  app_id: string;
  name: string;
  logo_url: string | null;
  country: string;
  redirect_origins: string[];
  page_origins: string[];
  features: string[];
  live_listening: boolean;
  created_at: string;
  bounds: ShownBound[];
}

export const AppListInput = z.object({ cursor: id.optional() });

export interface ListedApp {
  app_id: string;
  name: string;
  created_at: string;
}

/** `GET /instance/apps`: 50 apps by their ids. */
export interface AppPage {
  apps: ListedApp[];
  next_cursor: string | null;
}
