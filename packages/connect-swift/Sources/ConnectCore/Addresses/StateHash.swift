import Foundation

/// The mark by which a login is recognized without its `oauth_state_id`: `state_hash` of connect 7.
package enum StateHash {
  /// - Returns: SHA-256 in base64url, without padding
  package static func of(_ stateID: String) -> String {
    Data(SHA256.digest(of: Array(stateID.utf8))).base64URL
  }
}

extension Data {
  /// Without padding.
  package var base64URL: String {
    base64EncodedString()
      .replacingOccurrences(of: "+", with: "-")
      .replacingOccurrences(of: "/", with: "_")
      .replacingOccurrences(of: "=", with: "")
  }
}
