/** A product of a link. Source: link-lifecycle 4. */
export type Product =
  | 'accounts'
  | 'account_numbers'
  | 'identity'
  | 'transactions'
  | 'investments'
  | 'liabilities';

/** The step protocol of Connect, as sent on the wire. Source: connect 5. */
export interface StepBase {
  id: string;
  can_go_back: boolean;
  /** The bank's own words, shown as a quotation. */
  message: string | null;
  /** The reason that the last answer was refused. */
  error: { code: string; text: string } | null;
  attempts_left: number | null;
  /** API timestamp (UTC without offset), or null. */
  expires_at: string | null;
}

export interface Field {
  name: string;
  label: string;
  type: 'text' | 'password' | 'email' | 'tel' | 'number' | 'select';
  required: boolean;
  secret: boolean;
  autocomplete: string;
  max_length: number;
  pattern: string | null;
  options: { value: string; label: string }[] | null;
}

export interface ChoiceOption {
  id: string;
  label: string;
  icon: 'sms' | 'email' | 'phone' | 'app' | null;
}

export interface SelectableAccount {
  ref: string;
  name: string;
  account_type: string;
  account_mask: string | null;
  balance: number | null;
  currency: string | null;
  selected: boolean;
  locked: boolean;
}

/** An account that the bank cannot show now. */
export interface MissingAccount {
  /** For the answer: a chosen one is shared as soon as it can be read. Null = it cannot be chosen. */
  ref: string | null;
  /** Null = unknown. */
  name: string | null;
  /** Without a `ref`: it was shared earlier and stays shared. */
  selected: boolean;
}

export interface ConsentProduct {
  product: Product;
  reason: string | null;
  /** As requested by the session. */
  required: boolean;
  granted: boolean;
  /** The user cannot decline it. */
  locked: boolean;
  /** Granted to the link in an earlier session. */
  already_granted: boolean;
}

export type OtpChannel = 'sms' | 'email' | 'phone' | 'app' | 'other';
export type WaitStage = 'connecting' | 'waiting_for_approval' | 'loading_accounts' | 'finishing';
export type Fault = 'user' | 'institution' | 'provider' | 'service';
export type ErrorAction =
  | 'retry'
  | 'choose_another'
  | 'open_institution'
  | 'connect_manually'
  | 'exit';

/** The parts of a step that depend on its kind. */
export type StepContent =
  | { kind: 'select_institution' }
  | {
      kind: 'form';
      purpose: 'credentials' | 'questions' | 'details';
      fields: Field[];
      help_url: string | null;
      reset_url: string | null;
    }
  | { kind: 'choice'; purpose: 'otp_device' | 'option'; options: ChoiceOption[]; max: number }
  | {
      kind: 'otp';
      channel: OtpChannel;
      target: string | null;
      length: number | null;
      digits_only: boolean;
      resend_after_seconds: number | null;
    }
  | { kind: 'image'; image: string; label: string; description: string | null }
  | { kind: 'redirect'; started: boolean }
  | { kind: 'wait'; stage: WaitStage; can_cancel: boolean }
  | {
      kind: 'select_accounts';
      accounts: SelectableAccount[];
      min: number;
      max: number | null;
      /** Accounts that the bank cannot show now; missing = none. */
      missing?: MissingAccount[];
    }
  | { kind: 'consent'; products: ConsentProduct[] }
  | { kind: 'success' }
  | {
      kind: 'error';
      error_id: string;
      displayed_message: string;
      fault: Fault;
      link_error: string | null;
      actions: ErrorAction[];
      institution_url: string | null;
    };

export type StepKind = StepContent['kind'];
export type Step = StepBase & StepContent;
export type StepOf<K extends StepKind> = StepBase & Extract<StepContent, { kind: K }>;

export type StepInput =
  | { kind: 'select_institution'; institution_id: string }
  | { kind: 'form'; values: Record<string, string> }
  | { kind: 'choice'; option_ids: string[] }
  | { kind: 'otp'; code: string }
  | { kind: 'otp'; resend: true }
  | { kind: 'image'; answer: string }
  | { kind: 'redirect'; cancel: true }
  | { kind: 'wait'; cancel: true }
  | { kind: 'select_accounts'; refs: string[] }
  | { kind: 'consent'; granted: Product[] }
  | { kind: 'error'; action: 'retry' | 'choose_another' }
  | { kind: 'back' };
