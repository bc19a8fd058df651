/// What is random or passing in a real flow, and fixed in a trace.
package enum FlowTrace {
  package static let now = "2026-03-02T10:25:00.000"

  /// - Parameter load: 1 for the first load of a flow
  package static func channel(_ load: Int) -> String {
    "channel-000000000000000000\(load)"
  }
}
