/// The address that a bank's login returns the end user to. Source: connect 7.
package enum ReturnAddress {
  private static let name = "oauth_state_id="

  /// - Returns: the `oauth_state_id`; nil for any other text and, as at the service, for an address
  ///   with several
  package static func stateID(of address: String) -> String? {
    guard !address.unicodeScalars.contains(where: { $0.value <= 0x20 }) else { return nil }
    let withoutFragment = address.prefix { $0 != "#" }
    guard hasScheme(withoutFragment), let mark = withoutFragment.firstIndex(of: "?") else {
      return nil
    }
    let parameters = withoutFragment[withoutFragment.index(after: mark)...].split(separator: "&")
    let ids = parameters.filter { $0.hasPrefix(name) }.map { String($0.dropFirst(name.count)) }
    guard ids.count == 1, let id = ids.first, isRandomUUID(id) else { return nil }
    return id
  }

  private static func hasScheme(_ address: Substring) -> Bool {
    guard let colon = address.firstIndex(of: ":"), let first = address.unicodeScalars.first else {
      return false
    }
    let allowed = address[..<colon].unicodeScalars.allSatisfy {
      $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil)
        || $0 == "+" || $0 == "-" || $0 == "."
    }
    return allowed && first.isASCII && first.properties.isAlphabetic
  }

  /// Version 4, the only one the service makes.
  private static func isRandomUUID(_ text: String) -> Bool {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.count) == [8, 4, 4, 4, 12]
      && groups.allSatisfy { $0.allSatisfy { $0.isASCII && $0.isHexDigit } }
      && groups[2].first == "4" && "89abAB".contains(groups[3].first ?? " ")
  }
}
