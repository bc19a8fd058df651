/// The effects that a flow requests from its platform, in this order.
package enum FlowEffect: Sendable, Hashable {
  case load(address: String)
  case send(Envelope)
  case openAuth(attempt: Int, address: String, redirectURI: String, LoginWay)
  /// Its later reports are ignored.
  case closeAuth(attempt: Int)
  /// Asks the service whether something can be continued: `/session/resumable`. A yes is the input
  /// `link`, or without a flow `resume`.
  case ask(url: String, token: String?)
  /// In the user's browser.
  case openOutside(address: String)
  /// Starts or restarts the timer with these milliseconds, or stops it.
  case timer(FlowTimer, milliseconds: Int?)
  /// Calls a callback of that flow, counted from 1.
  case call(flow: Int, FlowCallback)
  case show(FlowScreen)
  case remove
  /// For the programmer, in the console.
  case warn(String)
}

package enum FlowScreen: String, Sendable {
  case loading, web, failure
}

package enum FlowCallback: Sendable, Hashable {
  case ready
  case event(ConnectEvent)
  case error(ConnectError)
  case success(ConnectSuccess)
  case exit(ConnectExit)
}
