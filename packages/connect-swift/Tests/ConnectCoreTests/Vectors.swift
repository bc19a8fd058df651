import Foundation
import Testing

@testable import ConnectCore

/// One case of packages/connect-vectors, which every SDK of Connect runs.
struct VectorCase: Sendable, CustomTestStringConvertible {
  let name: String
  let given: JSONValue
  let then: JSONValue

  var testDescription: String { name }
}

enum Vectors {
  static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "../../../connect-vectors").standardizedFileURL

  static func cases(_ file: String) -> [VectorCase] {
    guard let text = try? String(contentsOf: folder.appending(path: file), encoding: .utf8),
      let cases = JSONReader.read(text)?.array
    else { fatalError("\(file) of connect-vectors cannot be read.") }
    return cases.map { each in
      VectorCase(
        name: each["name"]?.string ?? "", given: each["given"] ?? .null,
        then: each["then"] ?? .null)
    }
  }

  /// By their paths from the folder, such as `flows/link.json`.
  static func files(in subfolder: String = "") -> [String] {
    let found = FileManager.default.subpaths(atPath: folder.appending(path: subfolder).path()) ?? []
    return found.filter { $0.hasSuffix(".json") && $0 != "package.json" }.map { subfolder + $0 }
      .sorted()
  }
}

extension JSONValue {
  /// Returns whether all expected members are present; further members are allowed, and null may be missing.
  func contains(_ expected: JSONValue) -> Bool {
    switch (self, expected) {
    case (.object(let members), .object(let wanted)):
      wanted.allSatisfy { (members[$0.key] ?? .null).contains($0.value) }
    case (.array(let elements), .array(let wanted)):
      elements.count == wanted.count && zip(elements, wanted).allSatisfy { $0.contains($1) }
    default: self == expected
    }
  }
}
