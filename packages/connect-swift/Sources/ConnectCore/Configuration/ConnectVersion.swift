/// The name and version of this SDK at the service.
enum ConnectVersion {
  static let name = "connect-swift"
  static let version = "0.1.0"
}
