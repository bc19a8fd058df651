/** `operator`: the whole instance; `app`: one app. */
export type Role = 'operator' | 'app';

/** The signed-in person, as a session names them. */
export interface Person {
  /** The name in the record of operators: `link:<label>` or `oidc:<host>/<subject>`. */
  actor: string;
  role: Role;
  /** The app of role `app`; null = the instance. */
  appId: string | null;
  isReadOnly: boolean;
}
