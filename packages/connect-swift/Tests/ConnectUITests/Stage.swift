import AuthenticationServices
import Foundation
import WebKit

@testable import Connect

/// A session on stubs of ours in place of Apple's modules, and the hosted app played by a test.
@MainActor final class Stage {
  static let origin = "https://connect.example"
  static let stateID = "0b8f4c7e-5a0d-4f0e-9d53-6f4f9d1c2a77"
  static let returnURL = URL(string: "pocketledger://bank-return?oauth_state_id=\(stateID)")!

  static let otherReturnURL = URL(
    string: "pocketledger://bank-return?oauth_state_id=7f3c2e1d-6b5a-4c4d-8e9f-0a1b2c3d4e5f")!

  let presenter = UIViewController(nibName: nil, bundle: nil)
  private let clock = StageClock()
  private let base: String
  private(set) var session: ConnectSession!
  /// Callbacks by name, in order.
  private(set) var called: [String] = []
  private(set) var successes: [ConnectSuccess] = []
  private(set) var exits: [ConnectExit] = []
  private(set) var errors: [ConnectError] = []
  private(set) var events: [ConnectEvent] = []
  /// The response of the service to a question about a link; nil: it cannot be reached.
  var answer: (status: Int, body: String)? = (200, #"{"resumable":true}"#)
  private(set) var questions: [URLRequest] = []
  var onFinal: (@MainActor () -> Void)?
  var onEvent: (@MainActor (ConnectEvent) -> Void)?
  var onError: (@MainActor () -> Void)?

  init(
    token: String? = "link_token", closeOnSuccess: Bool = true, base: String = "\(origin)/connect"
  ) throws {
    self.base = base
    ASWebAuthenticationSession.started = []
    ASWebAuthenticationSession.starts = true
    // A process of its own.
    FlowRunner.keptTokens = [:]
    FlowRunner.endedReturns = []
    ReturnQuestion.sleep = clock.sleep
    ReturnQuestion.send = { [weak self] request in
      self?.questions.append(request)
      guard let answer = self?.answer else { throw URLError(.notConnectedToInternet) }
      return (answer.status, Data(answer.body.utf8))
    }
    use(try configuration(token: token, closeOnSuccess: closeOnSuccess))
  }

  /// The session of this configuration takes the place of the first one.
  func use(_ configuration: ConnectConfiguration) {
    session = ConnectSession(configuration, timers: FlowTimers(sleep: clock.sleep))
  }

  func configuration(
    token: String?, closeOnSuccess: Bool = true
  ) throws -> ConnectConfiguration {
    try ConnectConfiguration(
      connectBaseURL: URL(string: base)!, linkSessionToken: token,
      theme: ConnectTheme().color(.accent, "#0a6b4f", dark: "#41c79a"), locale: "en",
      closeOnSuccess: closeOnSuccess,
      onSuccess: { [weak self] in self?.succeeded($0) },
      onExit: { [weak self] in self?.exited($0) },
      onEvent: { [weak self] in
        self?.called.append("event:\($0.name.rawValue)")
        self?.events.append($0)
        self?.onEvent?($0)
      },
      onError: { [weak self] in
        self?.called.append("error")
        self?.errors.append($0)
        self?.onError?()
      },
      onReady: { [weak self] in self?.called.append("ready") })
  }

  /// Equal to that of the first session, and another one.
  func anotherConfiguration() -> ConnectConfiguration {
    let first = session.configuration
    guard let made = try? configuration(token: first.linkSessionToken) else { return first }
    return made
  }

  private func succeeded(_ success: ConnectSuccess) {
    called.append("success")
    successes.append(success)
    onFinal?()
  }

  private func exited(_ exit: ConnectExit) {
    called.append("exit")
    exits.append(exit)
    onFinal?()
  }

  // MARK: The screen

  var controller: ConnectViewController? {
    presenter.presentedViewController as? ConnectViewController
  }
  /// Of a flow that is not presented with UIKit.
  var page: WKWebView?
  var web: WKWebView? { page ?? controller?.web.view }
  var login: ASWebAuthenticationSession? { ASWebAuthenticationSession.started.last }

  // MARK: The hosted app

  /// Of the address that was loaded last.
  var channel: String {
    web?.loaded.last?.absoluteString.split(separator: "=").last.map(String.init) ?? ""
  }

  /// The messages that the page was given, as JSON.
  func heard(_ type: String) -> [JSONValue] {
    (web?.scripts ?? []).compactMap { script in
      let literal = script.dropFirst("window.__connectReceive && window.__connectReceive(".count)
        .dropLast("); true;".count)
      return JSONReader.read(String(literal))?.string.flatMap(JSONReader.read)
    }.filter { $0["type"] == .string(type) }
  }

  func say(
    _ type: String, _ payload: JSONValue = [:], host: String = "connect.example",
    port: Int = 0, isMainFrame: Bool = true, channel: String? = nil
  ) {
    let text = JSONWriter.write([
      "ns": "connect", "v": 1, "channel": .string(channel ?? self.channel), "type": .string(type),
      "payload": payload,
    ])
    let controller = web?.configuration.userContentController
    let frame = WKFrameInfo(
      isMainFrame: isMainFrame,
      securityOrigin: WKSecurityOrigin(protocol: "https", host: host, port: port))
    controller?.handlers["connect"]?.userContentController(
      controller!, didReceive: WKScriptMessage(body: text, name: "connect", frameInfo: frame))
  }

  func open() {
    session.present(from: presenter)
    say("hello", ["app_version": "1"])
  }

  /// As after a link that opened the app, once the service has answered.
  @discardableResult
  func resume(
    _ configuration: ConnectConfiguration, from url: URL = returnURL
  ) async -> ConnectSession? {
    let session = ConnectSession.resume(
      from: url, configuration: configuration, presentingFrom: presenter)
    await settle { session?.isOpen == true }
    return session
  }

  /// - Parameter stateID: of the login; the page does not give it to the SDK
  func openLogin(
    redirectURI: String = "pocketledger://bank-return", stateID: String = stateID
  ) {
    say(
      "oauth_open",
      [
        "authorize_url": "https://oauth-bank.example/authorize",
        "redirect_uri": .string(redirectURI), "window": "system",
        "state_hash": .string(StateHash.of(stateID)),
      ])
  }

  var hasTimeLimit: Bool { clock.isAwaited }

  /// Time passes, and what it ends is done.
  func pass(_ duration: Duration) async {
    // A time limit starts, and reaches the flow, in a later turn.
    await settle { false }
    clock.pass(duration)
    await settle { false }
  }

  /// A report of the system's session reaches the flow in a later turn.
  func settle(_ isDone: @MainActor () -> Bool) async {
    for _ in 0..<1_000 {
      if isDone() { return }
      await Task.yield()
    }
  }

  static let success: JSONValue = [
    "mode": "link", "exchangeable_token": "sandbox_xt_1", "expires_in": 1800,
    "session_id": "ses_1",
    "institution": ["institution_id": "bank", "name": "Bank", "country": "US"],
    "accounts": [["account_id": "acc_1", "account_type": "depository.checking", "name": "C"]],
  ]
}
