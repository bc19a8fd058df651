import Foundation
import Testing

/// Without Xcode, what can be said of the project file: it is readable, and names what exists.
@Suite("The project file of the iOS example")
struct ExampleProjectTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../../examples/connect-ios").standardizedFileURL

  @Test("It builds the folder with the sources, and depends on this package")
  func project() throws {
    let file = Self.folder.appending(path: "PocketLedger.xcodeproj/project.pbxproj")
    let list = try PropertyListSerialization.propertyList(
      from: Data(contentsOf: file), format: nil)
    let objects = try #require((list as? [String: Any])?["objects"] as? [String: [String: Any]])
    let all = { (isa: String) in objects.values.filter { $0["isa"] as? String == isa } }
    let group = try #require(all("PBXFileSystemSynchronizedRootGroup").first)
    let sources = try FileManager.default.contentsOfDirectory(
      atPath: Self.folder.appending(path: group["path"] as? String ?? "").path())
    #expect(sources.filter { $0.hasSuffix(".swift") }.count == 4)
    let package = try #require(
      all("XCLocalSwiftPackageReference").first?["relativePath"] as? String)
    let manifest = Self.folder.appending(path: "\(package)/Package.swift").standardizedFileURL
    #expect(FileManager.default.fileExists(atPath: manifest.path()))
    // It runs where the package does.
    let systems = all("XCBuildConfiguration").compactMap {
      ($0["buildSettings"] as? [String: Any])?["IPHONEOS_DEPLOYMENT_TARGET"] as? String
    }
    let declared = try String(contentsOf: manifest, encoding: .utf8)
    let oldest = try #require(declared.firstMatch(of: /\.iOS\("([0-9.]+)"\)/)).1
    #expect(Set(systems) == [String(oldest)])
    // Every object that is referred to exists.
    let references = objects.values.flatMap { object in
      object.values.flatMap { ($0 as? [String]) ?? [($0 as? String) ?? ""] }
    }.filter { $0.hasPrefix("A1000000") }
    #expect(references.filter { objects[$0] == nil } == [])
  }

  @Test("It claims the scheme that its back end is asked to return to")
  func scheme() throws {
    let list = try PropertyListSerialization.propertyList(
      from: Data(contentsOf: Self.folder.appending(path: "PocketLedger/Info.plist")), format: nil)
    let types = try #require((list as? [String: Any])?["CFBundleURLTypes"] as? [[String: Any]])
    let schemes = types.flatMap { $0["CFBundleURLSchemes"] as? [String] ?? [] }
    let backEnd = try String(
      contentsOf: Self.folder.appending(path: "PocketLedger/BackEnd.swift"), encoding: .utf8)
    #expect(schemes.contains { backEnd.contains("\"\($0)://bank-return\"") })
  }
}
