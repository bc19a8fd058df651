/// Where Connect is hosted, such as `https://api.example/connect`.
package struct BaseAddress: Sendable, Hashable {
  package let address: WebAddress
  /// Without query, fragment and trailing slash.
  package let text: String

  /// - Returns: nil when this is not an http(s) address
  package init?(_ text: String) {
    guard let address = WebAddress(text) else { return nil }
    var path = address.rest.prefix { $0 != "?" && $0 != "#" }
    while path.hasSuffix("/") { path.removeLast() }
    self.address = address
    self.text = address.origin + path
  }

  package var origin: String { address.origin }

  /// The channel is the only thing an address of Connect contains: never the token.
  func start(channel: String) -> String { "\(text)/start#channel=\(channel)" }
  func `continue`(channel: String) -> String { "\(text)/continue#channel=\(channel)" }

  func isHome(of other: String) -> Bool {
    WebAddress(other)?.origin == origin
  }
}
