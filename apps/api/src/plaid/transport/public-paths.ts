/**
 * The paths of Plaid's public API, by their first part. Those that are not offered here return Plaid's error for an unknown
 * route, not the native one. Source: plaid-compat 1.1.
 */
const PUBLIC_PATHS: Readonly<Record<string, string>> = {
  accounts: 'balance/get get',
  application: 'get',
  asset_report:
    'audit_copy/create audit_copy/get audit_copy/pdf/get audit_copy/remove create filter get pdf/get refresh remove',
  auth: 'get verify',
  bank_transfer:
    'balance/get cancel create event/list event/sync get list migrate_account sweep/get sweep/list',
  beacon:
    'account_risk/v1/evaluate duplicate/get report/create report/get report/list report_syndication/get report_syndication/list user/account_insights/get user/create user/get user/history/list user/review user/update',
  beta: 'credit/v1/bank_employment/get ewa_report/v1/get issues/v1/get issues/v1/list issues/v1/match issues/v1/subscribe issues/v1/unsubscribe partner/customer/v1/create partner/customer/v1/enable partner/customer/v1/get partner/customer/v1/update transactions/rules/v1/create transactions/rules/v1/list transactions/rules/v1/remove transactions/user_insights/v1/get transactions/v1/enhance webhook_events/list',
  business_verification: 'create get',
  cashflow_report: 'get insights/get refresh transactions/get',
  categories: 'get',
  consent: 'events/get',
  consumer_report: 'pdf/get',
  cra: 'check_report/base_report/get check_report/cashflow_insights/get check_report/create check_report/income_insights/get check_report/lend_score/get check_report/network_insights/get check_report/partner_insights/get check_report/pdf/get check_report/verification/get check_report/verification/pdf/get credit_profile/report/get loans/applications/register loans/register loans/unregister loans/update monitoring_insights/get monitoring_insights/subscribe monitoring_insights/unsubscribe partner_insights/get report/get servicing/subscription/create servicing/subscription/delete servicing/subscription/get servicing/subscription/list servicing/subscription/update',
  credit:
    'asset_report/freddie_mac/get audit_copy_token/create audit_copy_token/remove audit_copy_token/update bank_income/get bank_income/pdf/get bank_income/refresh bank_income/webhook/update bank_statements/uploads/get employment/get freddie_mac/reports/get payroll_income/get payroll_income/parsing_config/update payroll_income/precheck payroll_income/refresh payroll_income/risk_signals/get relay/create relay/get relay/pdf/get relay/refresh relay/remove sessions/get',
  dashboard_user: 'get list',
  employers: 'search',
  employment: 'verification/get',
  fdx: 'consents notifications recipients',
  identity: 'documents/uploads/get get match match/list refresh',
  identity_verification: 'autofill/create create get list retry',
  income:
    'verification/create verification/documents/download verification/paystubs/get verification/precheck verification/taxforms/get',
  institutions: 'get get_by_id search',
  investments: 'auth/get holdings/get refresh transactions/get',
  issues: 'get search subscribe',
  item: 'access_token/invalidate activity/list application/list application/scopes/update application/unlink get import products/terminate public_token/create public_token/exchange remove webhook/update',
  liabilities: 'get',
  link: 'oauth/correlation_id/exchange token/create token/get',
  link_delivery: 'create get',
  network: 'status/get',
  oauth: 'introspect revoke token',
  partner:
    'customer/create customer/enable customer/get customer/oauth_institutions/get customer/remove',
  payment_initiation:
    'consent/create consent/get consent/payment/execute consent/revoke payment/create payment/get payment/list payment/reverse payment/token/create recipient/create recipient/get recipient/list',
  payment_profile: 'create get remove',
  processor:
    'account/get apex/processor_token/create auth/get balance/get bank_transfer/create identity/get identity/match investments/auth/get investments/holdings/get investments/transactions/get liabilities/get signal/decision/report signal/evaluate signal/prepare signal/return/report stripe/bank_account_token/create token/create token/permissions/get token/permissions/set token/webhook/update transactions/get transactions/recurring/get transactions/refresh transactions/sync',
  profile: 'network_status/get',
  protect:
    'cash_advance/decision/create cash_advance/repayment/create compute event/get event/send report/create user/insights/get',
  sandbox:
    'bank_income/fire_webhook bank_transfer/fire_webhook bank_transfer/simulate cra/cashflow_updates/update cra/servicing/simulate fdx/consent/seed income/fire_webhook item/application/seed item/fire_webhook item/reset_login item/set_verification_status oauth/select_accounts payment/simulate payment_profile/reset_login processor_token/create public_token/create transactions/create transfer/fire_webhook transfer/ledger/deposit/simulate transfer/ledger/simulate_available transfer/ledger/withdraw/simulate transfer/refund/simulate transfer/repayment/simulate transfer/simulate transfer/sweep/simulate transfer/test_clock/advance transfer/test_clock/create transfer/test_clock/get transfer/test_clock/list user/fire_webhook user/reset_login',
  session: 'token/create',
  signal: 'decision/report evaluate prepare return/report schedule',
  statements: 'download list refresh',
  transactions: 'enrich get recurring/get refresh sync',
  transfer:
    'authorization/cancel authorization/create balance/get cancel capabilities/get configuration/get create diligence/document/upload diligence/submit event/list event/sync get intent/create intent/get ledger/deposit ledger/distribute ledger/event/list ledger/get ledger/withdraw list metrics/get migrate_account originator/create originator/funding_account/create originator/funding_account/update originator/get originator/list platform/originator/create platform/person/create platform/requirement/submit questionnaire/create recurring/cancel recurring/create recurring/get recurring/list refund/cancel refund/create refund/get repayment/list repayment/return/list return/recover sweep/get sweep/list',
  user: 'create financial_data/refresh get identity/remove items/associate items/get items/remove products/terminate remove third_party_token/create third_party_token/remove transactions/refresh update',
  user_account: 'session/event/send session/get',
  wallet: 'create get list transaction/execute transaction/get transaction/list',
  watchlist_screening:
    'entity/create entity/get entity/history/list entity/hit/list entity/list entity/program/get entity/program/list entity/review/create entity/review/list entity/update individual/create individual/get individual/history/list individual/hit/list individual/list individual/program/get individual/program/list individual/review/create individual/review/list individual/update',
  webhook_verification_key: 'get',
};

const KNOWN: ReadonlySet<string> = new Set([
  ...Object.entries(PUBLIC_PATHS).flatMap(([first, rest]) =>
    rest.split(' ').map((path) => `/${first}/${path}`),
  ),
  // Removed from the current description, but still called by older clients.
  '/item/add_token/create',
]);

export function isPublicPlaidPath(path: string): boolean {
  return KNOWN.has(path);
}
