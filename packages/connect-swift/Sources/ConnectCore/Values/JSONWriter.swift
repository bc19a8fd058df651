import Foundation

/// Writes JSON as JavaScript's `JSON.stringify` does, with sorted names: the same value is the same
/// text in every SDK.
package enum JSONWriter {
  package static func write(_ value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let value): write(value)
    case .string(let text): quote(text)
    case .array(let elements): "[" + elements.map(write).joined(separator: ",") + "]"
    case .object(let members):
      "{"
        + members.sorted { $0.key.utf16.lexicographicallyPrecedes($1.key.utf16) }
        .map { quote($0.key) + ":" + write($0.value) }
        .joined(separator: ",") + "}"
    }
  }

  /// The text as a JavaScript string literal that is safe inside a script: the two line separators
  /// that JSON allows unescaped are escaped.
  static func scriptLiteral(_ text: String) -> String {
    quote(text)
      .replacingOccurrences(of: "\u{2028}", with: "\\u2028")
      .replacingOccurrences(of: "\u{2029}", with: "\\u2029")
  }

  private static func write(_ number: Double) -> String {
    guard number.isFinite else { return "null" }
    if number == number.rounded(), abs(number) < 1e15 { return String(Int64(number)) }
    return "\(number)"
  }

  private static func quote(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case "\u{8}": quoted += "\\b"
      case "\u{c}": quoted += "\\f"
      case "\u{0}"..<"\u{20}":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
