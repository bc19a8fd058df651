/// What happens to a flow.
package enum FlowInput: Sendable, Hashable {
  case present
  /// A return from the bank that no open flow waits for, as after the app was terminated.
  case resume(url: String)
  /// Text from the WebView's bridge, with the origin of the frame that sent it.
  case message(text: String, origin: String, isMainFrame: Bool)
  /// The main frame shows this address now.
  case moved(to: String)
  case loadFailed(LoadFailure)
  case authEnded(AuthEnd)
  /// A link that opened the app.
  case link(url: String)
  case exit(force: Bool)
  /// The platform's own way back, or "close" of a native view.
  case back
  case retry
  case restyle(theme: JSONValue, appearance: String)
  case tick(FlowTimer)
  /// The view is gone; no callback is called from here on.
  case destroy

  package enum LoadFailure: String, Sendable {
    case network, http
    case contentEnded = "content_ended"
  }

  package enum AuthEnd: Sendable, Hashable {
    case url(String)
    case cancelled
    /// Closed without a word about how: on Android it also comes before a late link.
    case dismissed
    case failed
  }
}

package enum FlowTimer: String, Sendable, CaseIterable {
  /// connect 8: no `hello` within 10 s means that Connect is unavailable.
  case hello
  /// An address that the page takes is acknowledged.
  case acknowledgement
  /// A page that does not respond must not keep the screen once the app insists.
  case exit
  /// Content that ends again and again is not loaded forever.
  case reloads

  package var milliseconds: Int {
    switch self {
    case .hello: 10_000
    case .acknowledgement, .exit: 2_000
    case .reloads: 60_000
    }
  }
}
