/** `GET /find?q`: everything with this id that the person may see; at most 10. */
export type Found = FoundThing[];

export interface FoundThing {
  kind:
    | 'link'
    | 'session'
    | 'event'
    | 'delivery'
    | 'institution'
    | 'client'
    | 'account'
    | 'user'
    | 'app'
    | 'provider';
  id: string;
  /** Null = it belongs to no app. */
  app_id: string | null;
  environment: 'sandbox' | 'live' | null;
  /** Its address in the console. */
  path: string;
}
