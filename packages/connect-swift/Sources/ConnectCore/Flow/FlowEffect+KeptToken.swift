/// Errors after which a token no longer opens a session, or not the continued one. Source:
/// connect 6.
private let refusals: Set<String> = [
  "connect_error.invalid_session_token", "connect_error.oauth_state_invalid",
  "connect_error.session_closed", "connect_error.session_expired",
]

extension FlowEffect {
  /// Rule 11: the final callback of a flow, or an error that refuses its token. A view that the app
  /// removes keeps the token: the bank's return may still come.
  var forgetsToken: Bool {
    if case .call(_, .error(let error)) = self { return refusals.contains(error.errorID) }
    return isFinal
  }

  /// The final callback of a flow.
  var isFinal: Bool {
    switch self {
    case .call(_, .success), .call(_, .exit): true
    default: false
    }
  }
}
