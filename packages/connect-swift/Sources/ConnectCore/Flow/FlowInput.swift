/// The inputs of a flow.
package enum FlowInput: Sendable, Hashable {
  /// The app starts a flow.
  case present(FlowStart)
  /// The app was opened with an address; it is not known whether anything can be continued.
  case opened(url: String, token: String?)
  /// A return address that the service confirmed while no flow was open.
  case resume(url: String, FlowStart)
  /// Text from the WebView's bridge, with the origin of the frame that sent it.
  case message(text: String, origin: String, isMainFrame: Bool)
  /// The page requests a navigation. The answer to the WebView is that of ``Navigation``.
  case navigate(address: String, isMainFrame: Bool, byUser: Bool, newWindow: Bool)
  /// The main frame has arrived at the address.
  case arrived(address: String)
  case loadFailed(LoadFailure)
  /// The session of that `openAuth` ended.
  case authEnded(attempt: Int, AuthEnd)
  /// A return address that the service confirmed for the flow that is open.
  case link(url: String)
  /// The app's own `dismiss`.
  case exit(force: Bool)
  /// The platform's back action.
  case back
  /// The buttons of the native views.
  case close
  case tryAgain
  case restyle(theme: JSONValue, appearance: String?)
  case tick(FlowTimer)
  /// The view is gone; no callback is called after this.
  case unmount

  package enum LoadFailure: String, Sendable {
    case network, http
    case contentEnded = "content_ended"
  }

  package enum AuthEnd: Sendable, Hashable {
    case returned(url: String)
    case cancelled
    /// Closed without a reported result: on Android it also precedes a late link.
    case dismissed
    case failed
  }
}

/// The setup of a flow.
package struct FlowStart: Sendable, Hashable {
  package let token: String?
  /// Random where the platform supports it; distinguishes loads, the later ones by their number.
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
