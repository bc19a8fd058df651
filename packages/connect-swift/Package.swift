// swift-tools-version: 6.0
import PackageDescription

// With CONNECT_APPLE_STUBS=1 the `Connect` target is compiled against modules of this repository
// (Stubs/) in place of Apple's UIKit, WebKit, AuthenticationServices and SwiftUI, so that its logic
// can be tested where Apple's SDK does not exist. The stubs are written by us, not by Apple.
let usesStubs = Context.environment["CONNECT_APPLE_STUBS"] == "1"
let stubs = usesStubs ? ["UIKit", "WebKit", "AuthenticationServices", "SwiftUI"] : []

let package = Package(
  name: "Connect",
  defaultLocalization: "en",
  platforms: [.iOS("16.4"), .macOS(.v13)],
  products: [
    .library(name: "Connect", targets: ["Connect"])
  ],
  targets: [
    .target(name: "ConnectCore"),
    .target(
      name: "Connect",
      dependencies: ["ConnectCore"] + stubs.map { .target(name: $0) },
      resources: [.copy("PrivacyInfo.xcprivacy")]
    ),
    .executableTarget(name: "connect-flow-driver", dependencies: ["ConnectCore"]),
    .testTarget(name: "ConnectCoreTests", dependencies: ["ConnectCore"]),
  ] + stubTargets(),
  swiftLanguageModes: [.v6]
)

func stubTargets() -> [Target] {
  guard usesStubs else { return [] }
  return [
    .target(name: "UIKit", path: "Stubs/UIKit"),
    .target(name: "WebKit", dependencies: ["UIKit"], path: "Stubs/WebKit"),
    .target(
      name: "AuthenticationServices", dependencies: ["UIKit"], path: "Stubs/AuthenticationServices"),
    .target(name: "SwiftUI", dependencies: ["UIKit"], path: "Stubs/SwiftUI"),
    .testTarget(
      name: "ConnectUITests", dependencies: ["Connect"] + stubs.map { .target(name: $0) }),
  ]
}
