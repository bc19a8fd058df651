/// Errors after which a token opens nothing more, or not the session that was continued. Source:
/// connect 6.
private let refusals: Set<String> = [
  "connect_error.invalid_session_token", "connect_error.oauth_state_invalid",
  "connect_error.session_closed", "connect_error.session_expired",
]

extension FlowEffect {
  /// Rule 11: the final callback of a flow, or an error that refuses its token. A view that the app
  /// removes keeps the token: the bank's return may still come.
  var forgetsToken: Bool {
    guard case .call(_, let callback) = self else { return false }
    return switch callback {
    case .success, .exit: true
    case .error(let error): refusals.contains(error.errorID)
    case .ready, .event: false
    }
  }
}
