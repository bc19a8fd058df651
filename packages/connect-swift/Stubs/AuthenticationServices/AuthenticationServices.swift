// Written by us, not by Apple: see Stubs/README.md.
@_exported import UIKit

public typealias ASPresentationAnchor = UIWindow

@MainActor public protocol ASWebAuthenticationPresentationContextProviding: NSObjectProtocol {
  func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor
}

public struct ASWebAuthenticationSessionError: Error {
  public enum Code: Int, Sendable {
    case canceledLogin = 1
    case presentationContextNotProvided, presentationContextInvalid
  }
  public let code: Code
  public init(_ code: Code) { self.code = code }
  public static let canceledLogin = Code.canceledLogin
}

@MainActor public final class ASWebAuthenticationSession: NSObject {
  public typealias CompletionHandler = (URL?, (any Error)?) -> Void

  public final class Callback: NSObject, Sendable {
    public let name: String
    init(_ name: String) { self.name = name }
    public static func customScheme(_ scheme: String) -> Callback { Callback("scheme \(scheme)") }
    public static func https(host: String, path: String) -> Callback {
      Callback("https \(host) \(path)")
    }
  }

  /// Of the stub: every session that was started, newest last, and whether starting succeeds.
  public static var started: [ASWebAuthenticationSession] = []
  public static var starts = true

  public let url: URL
  public let callback: String
  public let complete: CompletionHandler
  public private(set) var isCancelled = false
  public weak var presentationContextProvider:
    (any ASWebAuthenticationPresentationContextProviding)?
  public var prefersEphemeralWebBrowserSession = false

  public init(
    url: URL, callbackURLScheme: String?, completionHandler: @escaping CompletionHandler
  ) {
    self.url = url
    callback = "scheme \(callbackURLScheme ?? "")"
    complete = completionHandler
  }

  public init(url: URL, callback: Callback, completionHandler: @escaping CompletionHandler) {
    self.url = url
    self.callback = callback.name
    complete = completionHandler
  }

  public func start() -> Bool {
    if Self.starts { Self.started.append(self) }
    return Self.starts
  }

  public func cancel() {
    isCancelled = true
    complete(nil, ASWebAuthenticationSessionError(.canceledLogin))
  }
}
