/// The state of one flow; every flow starts with a new one.
struct FlowMemory: Sendable {
  /// The given token, or the kept one of an earlier flow.
  let token: String?
  var options: FlowOptions
  /// The return address of the current load; nil at `/start`.
  var continueURL: String?
  /// Of the first load; those after it add their number.
  let firstChannel: String
  /// Counted from 1.
  var load = 0
  /// The newest session at a bank.
  var attempt = 0
  var isAuthOpen = false
  /// `state_hash` of the logins that this flow has opened.
  var stateHashes: Set<String> = []
  /// A return address that was sent and is not acknowledged.
  var pendingReturn: String?
  /// States whose return address was processed, including those of earlier flows.
  var taken: Set<String> = []
  /// Times of automatic reloads of the page.
  var reloads: [Int] = []
  var timers: Set<FlowTimer> = []
  var report = FlowReport()
  /// The error in the native failure view.
  var failure: ConnectError?

  init(_ start: FlowStart, token: String?) {
    self.token = token
    options = start.options
    firstChannel = start.channel
  }

  /// Of the current load.
  var channel: String {
    load == 1 ? firstChannel : "\(firstChannel)-\(load)"
  }

  var texts: ConnectTexts {
    ConnectTexts(language: options.locale)
  }
}
