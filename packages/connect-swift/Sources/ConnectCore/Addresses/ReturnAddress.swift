/// The address that a bank's login returns the end user to. Source: connect 7.
package enum ReturnAddress {
  /// - Returns: the `oauth_state_id`, or nil for an address that is not such a return
  package static func stateID(of address: String) -> String? {
    let withoutFragment = address.prefix { $0 != "#" }
    guard hasScheme(withoutFragment), let mark = withoutFragment.firstIndex(of: "?") else {
      return nil
    }
    let parameters = withoutFragment[withoutFragment.index(after: mark)...].split(separator: "&")
    for parameter in parameters where parameter.hasPrefix("oauth_state_id=") {
      // As a browser reads it: the first one counts.
      let id = String(parameter.dropFirst("oauth_state_id=".count))
      return isRandomUUID(id) ? id : nil
    }
    return nil
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
