/// What a flow asks of its platform, in this order.
package enum FlowEffect: Sendable, Hashable {
  case load(address: String)
  case send(Envelope)
  case openAuth(address: String, way: LoginWay)
  case closeAuth
  case openOutside(address: String)
  case startTimer(FlowTimer)
  case stopTimer(FlowTimer)
  case call(FlowCallback)
  case show(FlowScreen)
  case remove
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
