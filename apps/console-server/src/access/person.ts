/** `operator`: the whole instance; `app`: one app. */
export type Role = 'operator' | 'app';

/**
 * The effect of a call. `destroy` and `reveal` require a recent sign-in in Live and for what concerns the instance;
 * all but `read` are refused to a read-only sign-in.
 */
export type Level = 'read' | 'change' | 'destroy' | 'reveal';

/** The signed-in person, as a session names them. */
export interface Person {
  /** The name in the record of operators: `link:<label>` or `oidc:<host>/<subject>`. */
  actor: string;
  role: Role;
  /** The app of role `app`; null = the instance. */
  appId: string | null;
  isReadOnly: boolean;
}
