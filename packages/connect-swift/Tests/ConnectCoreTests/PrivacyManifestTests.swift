import Foundation
import Testing

@Suite("The privacy manifest")
struct PrivacyManifestTests {
  @Test("It declares no tracking, and only the data of a bank link")
  func manifest() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/Connect/PrivacyInfo.xcprivacy").standardizedFileURL
    let list = try PropertyListSerialization.propertyList(
      from: Data(contentsOf: file), format: nil)
    let manifest = try #require(list as? [String: Any])
    #expect(manifest["NSPrivacyTracking"] as? Bool == false)
    #expect((manifest["NSPrivacyTrackingDomains"] as? [Any])?.isEmpty == true)
    #expect((manifest["NSPrivacyAccessedAPITypes"] as? [Any])?.isEmpty == true)
    let types = try #require(manifest["NSPrivacyCollectedDataTypes"] as? [[String: Any]])
    let prefix = "NSPrivacyCollectedDataType"
    #expect(
      types.map { ($0[prefix] as? String)?.dropFirst(prefix.count) }
        == ["OtherFinancialInfo", "Name", "EmailAddress", "PhoneNumber"])
    for type in types {
      #expect(type["NSPrivacyCollectedDataTypeTracking"] as? Bool == false)
      #expect(
        type["NSPrivacyCollectedDataTypePurposes"] as? [String]
          == ["NSPrivacyCollectedDataTypePurposeAppFunctionality"])
    }
  }
}
