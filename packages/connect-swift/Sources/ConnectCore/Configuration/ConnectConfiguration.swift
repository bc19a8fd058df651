import Foundation

/// The configuration of a flow.
public struct ConnectConfiguration: Sendable {
  public typealias SuccessHandler = @MainActor @Sendable (ConnectSuccess) -> Void
  public typealias ExitHandler = @MainActor @Sendable (ConnectExit) -> Void
  public typealias EventHandler = @MainActor @Sendable (ConnectEvent) -> Void
  public typealias ErrorHandler = @MainActor @Sendable (ConnectError) -> Void
  public typealias ReadyHandler = @MainActor @Sendable () -> Void

  public let connectBaseURL: URL
  public let linkSessionToken: String?
  /// The return address of a bank's login, when the app was terminated in the meantime: the flow continues from
  /// there, and may do so without a token.
  public var returnURL: URL?
  /// Shown to the end user; by default the app's name at the service.
  public var applicationName: String?
  public var theme: ConnectTheme?
  public var appearance: ConnectAppearance
  /// BCP 47 tag; by default the preferred language of the device.
  public var locale: String?
  /// false shows a success screen until the end user leaves it.
  public var closeOnSuccess: Bool
  /// The bank's login shares no cookies with Safari, so a login that Safari remembers is repeated,
  /// and the system does not ask whether the app may sign in.
  public var prefersEphemeralLogin: Bool
  /// Exactly one of `onSuccess` and `onExit` is called, once in each flow.
  public var onSuccess: SuccessHandler?
  public var onExit: ExitHandler?
  /// Never after `onSuccess` or `onExit`.
  public var onEvent: EventHandler?
  /// Any number of times; an error does not end the flow by itself.
  public var onError: ErrorHandler?
  /// The first screen is visible.
  public var onReady: ReadyHandler?

  package let base: BaseAddress
  /// Distinguishes it from another one with the same values: another configuration is another flow.
  package let identity = Identity()
  package final class Identity: Sendable {}

  /// `connectBaseURL` is the address of Connect, such as `https://api.example/connect`.
  /// `linkSessionToken` comes from the app's back end; nil only to resume, with the
  /// token of the flow that this process presented last, or with none after the app was terminated. The others are described at their properties.
  ///
  /// - Throws: ``ConnectConfigurationError``; the message never quotes the token
  public init(
    connectBaseURL: URL, linkSessionToken: String?, returnURL: URL? = nil,
    applicationName: String? = nil,
    theme: ConnectTheme? = nil, appearance: ConnectAppearance = .system, locale: String? = nil,
    closeOnSuccess: Bool = true, prefersEphemeralLogin: Bool = false,
    onSuccess: SuccessHandler? = nil, onExit: ExitHandler? = nil, onEvent: EventHandler? = nil,
    onError: ErrorHandler? = nil, onReady: ReadyHandler? = nil
  ) throws(ConnectConfigurationError) {
    guard let base = BaseAddress(connectBaseURL.absoluteString) else {
      throw .invalidBaseURL(connectBaseURL.absoluteString)
    }
    if let linkSessionToken, !LinkSessionToken.isValid(linkSessionToken) { throw .invalidToken }
    self.base = base
    self.connectBaseURL = connectBaseURL
    self.linkSessionToken = linkSessionToken
    self.returnURL = returnURL
    self.applicationName = applicationName
    self.theme = theme
    self.appearance = appearance
    self.locale = locale
    self.closeOnSuccess = closeOnSuccess
    self.prefersEphemeralLogin = prefersEphemeralLogin
    self.onSuccess = onSuccess
    self.onExit = onExit
    self.onEvent = onEvent
    self.onError = onError
    self.onReady = onReady
  }

  package var language: String { locale ?? Locale.preferredLanguages.first ?? "en" }
}

public enum ConnectAppearance: String, Sendable, Hashable, Codable {
  case light, dark, system
}

/// Connect cannot be opened with this configuration: a mistake of the calling program, never of the
/// end user.
public enum ConnectConfigurationError: Error, Hashable, LocalizedError {
  /// The token is not 1 to 256 characters of A-Z, a-z, 0-9, `_` and `-`.
  case invalidToken
  case invalidBaseURL(String)

  public var errorDescription: String? {
    switch self {
    case .invalidToken:
      "linkSessionToken must be 1 to 256 characters of A-Z, a-z, 0-9, _ and -."
    case .invalidBaseURL(let address):
      "connectBaseURL must be an http(s) address, not \"\(address)\"."
    }
  }
}
