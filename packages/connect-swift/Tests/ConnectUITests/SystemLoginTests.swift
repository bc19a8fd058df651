import AuthenticationServices
import Testing

@testable import Connect

extension FlowsOnStubs {
  @MainActor @Suite("The system's session for a bank's login")
  struct SystemLoginTests {
    @Test(
      "The system watches for the return of the chosen login method",
      arguments: [
        (LoginWay.scheme("pocketledger"), "scheme pocketledger"),
        (.https(host: "app.example", path: "/bank-return"), "https app.example /bank-return"),
      ])
    func callback(way: LoginWay, callback: String) throws {
      ASWebAuthenticationSession.started = []
      let login = SystemLogin(isEphemeral: false)
      login.open("https://oauth-bank.example/authorize", attempt: 1, way: way)
      #expect(ASWebAuthenticationSession.started.map(\.callback) == [callback])
    }

    @Test(
      "Before iOS 17.4 the browser opens the login of an https return", arguments: [true, false])
    func browser(opens: Bool) {
      ASWebAuthenticationSession.started = []
      (UIApplication.shared.opened, UIApplication.shared.opens) = ([], opens)
      defer { UIApplication.shared.opens = true }
      let login = SystemLogin(isEphemeral: false)
      var ends: [FlowInput.AuthEnd] = []
      login.onEnd = { _, end in ends.append(end) }
      login.open("https://oauth-bank.example/authorize", attempt: 1, way: .browser)
      #expect(ASWebAuthenticationSession.started.isEmpty)
      #expect(
        UIApplication.shared.opened.map(\.absoluteString)
          == ["https://oauth-bank.example/authorize"])
      #expect(ends == (opens ? [] : [.failed]))
    }

    @Test(
      "The login shares the browser's cookies unless the app prefers none",
      arguments: [true, false])
    func cookies(isEphemeral: Bool) throws {
      let stage = try Stage()
      stage.use(
        try ConnectConfiguration(
          connectBaseURL: stage.session.configuration.connectBaseURL,
          linkSessionToken: "link_token", prefersEphemeralLogin: isEphemeral))
      stage.open()
      stage.openLogin()
      #expect(stage.login?.prefersEphemeralWebBrowserSession == isEphemeral)
      stage.say("close")
    }

    @Test("The login appears over the window of the flow")
    func window() throws {
      let stage = try Stage()
      stage.open()
      let window = UIWindow()
      stage.controller?.view.window = window
      stage.openLogin()
      let login = try #require(stage.login)
      #expect(login.presentationContextProvider?.presentationAnchor(for: login) === window)
      stage.say("close")
    }

    @Test("A session that breaks off by itself is a login that could not be opened")
    func brokenOff() async throws {
      let stage = try Stage()
      stage.open()
      stage.openLogin()
      stage.login?.complete(nil, ASWebAuthenticationSessionError(.presentationContextInvalid))
      await stage.settle { !stage.errors.isEmpty }
      #expect(stage.errors.map(\.errorID) == ["connect_error.popup_blocked"])
      stage.say("close")
    }
  }
}
