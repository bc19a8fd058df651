import Foundation
import Testing

@testable import ConnectCore

@Suite("The configuration with which an app opens Connect")
struct ConfigurationTests {
  private let url = URL(string: "https://api.example/connect")!

  @Test("A refused token is never quoted")
  func refusedToken() {
    #expect(throws: ConnectConfigurationError.invalidToken) {
      try ConnectConfiguration(connectBaseURL: url, linkSessionToken: "secret token")
    }
    #expect(ConnectConfigurationError.invalidToken.errorDescription?.contains("secret") == false)
  }

  @Test("Only an http(s) address can be the base address")
  func baseAddress() {
    #expect(throws: ConnectConfigurationError.invalidBaseURL("pocketledger://connect")) {
      try ConnectConfiguration(
        connectBaseURL: URL(string: "pocketledger://connect")!, linkSessionToken: "token")
    }
  }

  @Test("A theme has the names of the contract, and survives coding")
  func theme() throws {
    let theme = ConnectTheme()
      .color(.onAccent, "white")
      .color(.accent, "#0a6b4f", dark: "#41c79a")
      .shape(.radiusControl, points: 12.5)
      .textStyle(.bodySmall, size: 13, weight: 600)
      .text(.successTitle, ["en": "Done", "de": "Fertig"])
      .setting("button", "use_institution_color", true)
    let written: JSONValue = [
      "colors": ["on_accent": "white", "accent": ["light": "#0a6b4f", "dark": "#41c79a"]],
      "shape": ["radius_control": "12.5px"],
      "typography": ["body_small": ["size": "13px", "weight": 600]],
      "texts": ["success_title": ["en": "Done", "de": "Fertig"]],
      "button": ["use_institution_color": true],
    ]
    #expect(JSONValue.object(theme.json) == written)
    let coded = try JSONDecoder().decode(ConnectTheme.self, from: JSONEncoder().encode(theme))
    #expect(coded == theme)
  }

  @Test("Payloads keep their form on the wire when an app stores them")
  func payloads() throws {
    let text = """
      {"reason":"weather","error":{"error_id":"connect_error.new","fault":"moon"},"session_id":"s"}
      """
    let exit = try JSONDecoder().decode(ConnectExit.self, from: Data(text.utf8))
    #expect(exit.reason == .other("weather"))
    #expect(exit.error?.fault == .other("moon"))
    let again = try JSONDecoder().decode(ConnectExit.self, from: JSONEncoder().encode(exit))
    #expect(again == exit)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(ConnectSuccess.self, from: Data(#"{"mode":"link"}"#.utf8))
    }
  }
}
