/// Of one flow; every flow starts with a new one.
struct FlowMemory: Sendable {
  /// As given, or the one that was kept of an earlier flow.
  let token: String?
  var options: FlowOptions
  /// Where the current load continues from; nil at `/start`.
  var continueURL: String?
  /// Of the first load; those after it add their number.
  let firstChannel: String
  /// Counted from 1.
  var load = 0
  /// The newest session at a bank.
  var attempt = 0
  var isAuthOpen = false
  /// A return address that was sent and is not acknowledged.
  var pendingReturn: String?
  /// States whose return address was taken, those of earlier flows among them.
  var taken: Set<String> = []
  /// When the page was loaded again without the user asking for it.
  var reloads: [Int] = []
  var timers: Set<FlowTimer> = []
  var report = FlowReport()
  /// What the native failure view shows.
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
