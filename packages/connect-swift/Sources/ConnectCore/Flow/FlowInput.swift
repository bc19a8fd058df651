/// What happens to a flow.
package enum FlowInput: Sendable, Hashable {
  /// The app starts a flow.
  case present(FlowStart)
  /// The app was opened with an address of a bank's return.
  case resume(url: String, FlowStart)
  /// Text from the WebView's bridge, with the origin of the frame that sent it.
  case message(text: String, origin: String, isMainFrame: Bool)
  /// The page wants to go there. The answer to the WebView is that of ``Navigation``.
  case navigate(address: String, isMainFrame: Bool, byUser: Bool, newWindow: Bool)
  /// The main frame is there already.
  case arrived(address: String)
  case loadFailed(LoadFailure)
  /// The session of that `openAuth` ended.
  case authEnded(attempt: Int, AuthEnd)
  /// A link that opened the app.
  case link(url: String)
  /// The app's own `dismiss`.
  case exit(force: Bool)
  /// The platform's own way back.
  case back
  /// The buttons of the native views.
  case close
  case tryAgain
  case restyle(theme: JSONValue, appearance: String?)
  case tick(FlowTimer)
  /// The view is gone; no callback is called from here on.
  case unmount

  package enum LoadFailure: String, Sendable {
    case network, http
    case contentEnded = "content_ended"
  }

  package enum AuthEnd: Sendable, Hashable {
    case returned(url: String)
    case cancelled
    /// Closed without a word about how: on Android it also comes before a late link.
    case dismissed
    case failed
  }
}

/// What a flow is started with.
package struct FlowStart: Sendable, Hashable {
  package let token: String?
  /// Random where the platform can; tells loads apart, the later ones with their number.
  package let channel: String
  package var options: FlowOptions

  package init(token: String?, channel: String, options: FlowOptions) {
    self.token = token
    self.channel = channel
    self.options = options
  }
}

package enum FlowTimer: String, Sendable, CaseIterable {
  case hello, ack, exit
}
