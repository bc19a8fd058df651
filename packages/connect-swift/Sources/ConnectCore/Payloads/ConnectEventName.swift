/// The events of connect 11. Names may be added; none is ever given another meaning.
public enum ConnectEventName: Sendable, Hashable {
  case open, exit, success, error
  case changeScreen, searchInstitution, selectInstitution
  case dismissInstitutionAlert, acknowledgeInstitutionAlert, openInstitutionWebsite
  case submitCredentials, submitMFA, submitOTPDevice, submitOTP
  case selectHelp, selectResetPassword
  case openOAuth, returnOAuth, cancelOAuth
  case submitPermissions, submitAccounts, connectManually
  case other(String)

  private static let names: [(ConnectEventName, String)] = [
    (.open, "open"), (.exit, "exit"), (.success, "success"), (.error, "error"),
    (.changeScreen, "change_screen"), (.searchInstitution, "search_institution"),
    (.selectInstitution, "select_institution"),
    (.dismissInstitutionAlert, "dismiss_institution_alert"),
    (.acknowledgeInstitutionAlert, "acknowledge_institution_alert"),
    (.openInstitutionWebsite, "open_institution_website"),
    (.submitCredentials, "submit_credentials"), (.submitMFA, "submit_mfa"),
    (.submitOTPDevice, "submit_otp_device"), (.submitOTP, "submit_otp"),
    (.selectHelp, "select_help"), (.selectResetPassword, "select_reset_password"),
    (.openOAuth, "open_oauth"), (.returnOAuth, "return_oauth"), (.cancelOAuth, "cancel_oauth"),
    (.submitPermissions, "submit_permissions"), (.submitAccounts, "submit_accounts"),
    (.connectManually, "connect_manually"),
  ]

  public init(rawValue: String) {
    self = Self.names.first { $0.1 == rawValue }?.0 ?? .other(rawValue)
  }

  public var rawValue: String {
    if case .other(let name) = self { return name }
    return Self.names.first { $0.0 == self }?.1 ?? ""
  }
}
