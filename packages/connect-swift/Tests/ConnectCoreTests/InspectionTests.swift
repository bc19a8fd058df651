import Foundation
import Testing

@Suite("The page in Safari's Web Inspector")
struct InspectionTests {
  /// Tests are debug builds, so only the text can tell.
  @Test("An app that is released lets no one inspect the page")
  func onlyDebugging() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources").standardizedFileURL
    let files = FileManager.default.subpaths(atPath: folder.path()) ?? []
    let sources = try files.filter { $0.hasSuffix(".swift") }
      .map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
    let released = sources.map { $0.replacing(/#if DEBUG.*?#endif/.dotMatchesNewlines(), with: "") }
    #expect(!sources.isEmpty && released.filter { $0.contains("isInspectable") }.isEmpty)
  }
}
