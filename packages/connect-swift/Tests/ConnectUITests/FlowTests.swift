import AuthenticationServices
import Testing
import WebKit

@testable import Connect

extension FlowsOnStubs {
  @MainActor @Suite("A flow on UIKit")
  struct FlowTests {
    @Test("Links: the token goes only into init, and the view is gone before onSuccess")
    func link() async throws {
      let stage = try Stage()
      stage.onFinal = { [stage] in #expect(stage.presenter.presentedViewController == nil) }
      stage.session.present(from: stage.presenter)
      let web = try #require(stage.web)
      #expect(stage.controller?.loadingView?.isHidden == false)
      stage.say("hello", ["app_version": "1"])
      #expect(stage.controller?.loadingView?.isHidden == true)
      #expect(stage.heard("init").map { $0["payload"]?["link_session_token"] } == ["link_token"])
      #expect(!web.loaded.map(\.absoluteString).joined().contains("link_token"))
      stage.say("ready", ["session_id": "ses_1", "mode": "link"])
      stage.say("success", Stage.success)
      #expect(stage.called == ["ready", "event:success", "success"])
      guard case .link(let link) = stage.successes.first else {
        Issue.record("Not a new link.")
        return
      }
      #expect(link.exchangeableToken == "sandbox_xt_1")
      #expect(!stage.session.isOpen)
      #expect(try await stage.session.result() == .success(.link(link)))
      #expect(ConnectSession.current == nil)
    }

    @Test("The WebView stores nothing, listens only to Connect, and finally releases its handler")
    func settings() throws {
      let stage = try Stage()
      stage.open()
      let web = try #require(stage.web)
      #expect(!web.configuration.websiteDataStore.isPersistent)
      #expect(!web.configuration.preferences.javaScriptCanOpenWindowsAutomatically)
      #expect(!web.allowsBackForwardNavigationGestures && !web.allowsLinkPreview)
      // From edge to edge, without a flash of white in the dark appearance.
      #expect(web.scrollView.contentInsetAdjustmentBehavior == .never)
      #expect(!web.isOpaque && web.backgroundColor === UIColor.systemBackground)
      #expect(stage.controller?.isModalInPresentation == true)
      #expect(stage.controller?.modalPresentationStyle == .fullScreen)
      stage.say("success", Stage.success, host: "connect.example.evil")
      stage.say("success", Stage.success, isMainFrame: false)
      stage.say("success", Stage.success, channel: "another-channel-000000")
      #expect(stage.called.isEmpty)
      stage.say("success", Stage.success)
      #expect(web.configuration.userContentController.handlers.isEmpty)
      #expect(web.isStopped)
    }

    @Test("A bank's login opens in the system's session, and its return goes to the page")
    func login() async throws {
      let stage = try Stage()
      stage.open()
      stage.openLogin()
      let login = try #require(stage.login)
      #expect(login.url.absoluteString == "https://oauth-bank.example/authorize")
      #expect(login.callback == "scheme pocketledger")
      login.complete(Stage.returnURL, nil)
      await stage.settle { !stage.heard("oauth_result").isEmpty }
      #expect(
        stage.heard("oauth_result").map { $0["payload"]?["url"]?.string }
          == [Stage.returnURL.absoluteString])
      stage.session.dismiss(force: true)
      stage.say("close")
    }

    @Test("A canceled login is passed on at once")
    func cancelledLogin() async throws {
      let stage = try Stage()
      stage.open()
      stage.openLogin()
      stage.login?.complete(nil, ASWebAuthenticationSessionError(.canceledLogin))
      await stage.settle { !stage.heard("oauth_result").isEmpty }
      #expect(stage.heard("oauth_result").map { $0["payload"]?["cancelled"] } == [true])
      #expect(stage.called.isEmpty)
      stage.say("close")
    }

    @Test("A login that cannot be opened is an error, and the page may offer it again")
    func unopenedLogin() throws {
      let stage = try Stage()
      stage.open()
      ASWebAuthenticationSession.starts = false
      stage.openLogin()
      #expect(stage.errors.map(\.errorID) == ["connect_error.popup_blocked"])
      #expect(stage.heard("oauth_result").map { $0["payload"]?["cancelled"] } == [true])
      stage.say("close")
    }

    @Test("The late end of a login that was replaced is not the end of the new one")
    func replacedLogin() async throws {
      let stage = try Stage()
      stage.open()
      stage.openLogin()
      let first = try #require(stage.login)
      stage.openLogin()
      #expect(first.isCancelled)
      await stage.settle { false }
      #expect(stage.heard("oauth_result").isEmpty)
      #expect(stage.login !== first)
      stage.login?.complete(Stage.returnURL, nil)
      await stage.settle { !stage.heard("oauth_result").isEmpty }
      #expect(stage.heard("oauth_result").count == 1)
      stage.say("close")
    }

    @Test("A link that opens the app is accepted when it is a return from a bank, once")
    func incomingLink() throws {
      let stage = try Stage()
      stage.open()
      stage.openLogin()
      #expect(!stage.session.continueFlow(from: URL(string: "pocketledger://accounts")!))
      #expect(stage.session.continueFlow(from: Stage.returnURL))
      #expect(stage.session.continueFlow(from: Stage.returnURL))
      #expect(stage.heard("oauth_result").count == 1)
      #expect(stage.login?.isCancelled == true)
      #expect(stage.called.isEmpty)
      stage.say("close")
    }

    @Test("After the app was terminated, the address alone resumes the flow")
    func resume() async throws {
      let stage = try Stage()
      let other = URL(string: "pocketledger://accounts")!
      let configuration = try stage.configuration(token: nil)
      #expect(
        ConnectSession.resume(
          from: other, configuration: configuration, presentingFrom: stage.presenter) == nil)
      let session = await stage.resume(configuration)
      #expect(session != nil)
      #expect(stage.web?.loaded.last?.path() == "/connect/continue")
      stage.say("hello")
      let payload = stage.heard("init").first?["payload"]
      #expect(payload?["continue_url"]?.string == Stage.returnURL.absoluteString)
      #expect(payload?["link_session_token"] == nil)
      stage.say("success", Stage.success)
      #expect(stage.called == ["event:success", "success"])
    }

    @Test("A repair that is resumed without its token reports what the back end has to confirm")
    func resumedRepair() async throws {
      let stage = try Stage()
      let configuration = try stage.configuration(token: nil)
      await stage.resume(configuration)
      stage.say("hello")
      stage.say(
        "success",
        [
          "mode": "relink", "confirmation_token": "sandbox_xt_1", "expires_in": 1800,
          "session_id": "ses_1", "institution": .null, "accounts": [],
        ])
      guard case .relink(let repair) = try #require(stage.successes.first) else {
        Issue.record("The success is no relink")
        return
      }
      #expect(repair.confirmationToken == "sandbox_xt_1")
      #expect(repair.expiresIn == 1800)
    }

    @Test("A process resumes with the token of a flow whose view the app removed, until its end")
    func resumeWithKeptToken() async throws {
      let stage = try Stage()
      let configuration = try stage.configuration(token: nil)
      stage.open()
      stage.openLogin()
      stage.session.destroy()
      await stage.resume(configuration)
      stage.say("hello")
      #expect(
        stage.heard("init").last?["payload"]?["link_session_token"]?.string == "link_token")
      stage.say("success", Stage.success)
      await stage.resume(configuration, from: Stage.otherReturnURL)
      stage.say("hello")
      #expect(stage.heard("init").last?["payload"]?["link_session_token"] == nil)
      stage.say("close")
    }

    @Test("A return that the login's session delivered opens nothing when a link delivers it again")
    func returnedTwice() async throws {
      let stage = try Stage()
      let configuration = try stage.configuration(token: nil)
      stage.open()
      stage.openLogin()
      stage.login?.complete(Stage.returnURL, nil)
      await stage.settle { !stage.heard("oauth_result").isEmpty }
      stage.say("success", Stage.success)
      let session = ConnectSession.resume(
        from: Stage.returnURL, configuration: configuration, presentingFrom: stage.presenter)
      #expect(stage.presenter.presentedViewController == nil && ConnectSession.current == nil)
      #expect(stage.called == ["event:success", "success"])
      await #expect(throws: ConnectRefusal.returnWasTaken) { try await session?.result() }
    }

    @Test("A return over the last screen of a flow continues in a flow of its own")
    func returnOverLastScreen() async throws {
      let stage = try Stage()
      let configuration = try stage.configuration(token: nil)
      stage.open()
      stage.say("exit", ["reason": "moved", "session_id": "ses_1"])
      #expect(stage.called == ["event:exit", "exit"])
      #expect(!stage.session.continueFlow(from: Stage.returnURL))
      let session = await stage.resume(configuration)
      #expect(ConnectSession.current === session && session?.isOpen == true)
      #expect(stage.web?.loaded.map { $0.path() } == ["/connect/continue"])
      session?.dismiss()
    }

    @Test("The result of a session that was not opened is an error, also for a waiting caller")
    func refused() async throws {
      let stage = try Stage()
      let second = try Stage()
      stage.open()
      let waiting = Task { try await second.session.result() }
      await Task.yield()
      second.session.present(from: second.presenter)
      await #expect(throws: ConnectRefusal.anotherFlowIsOpen) { try await waiting.value }
      await #expect(throws: ConnectRefusal.anotherFlowIsOpen) {
        try await second.session.result()
      }
      stage.say("close")
      // Opened later, it has the result of its flow.
      second.session.present(from: second.presenter)
      let late = Task { try await second.session.result() }
      await second.settle { false }
      second.session.dismiss()
      guard case .exit = try await late.value else {
        Issue.record("Not an exit.")
        return
      }
    }

    @Test("A token is never sent to a Connect at another address")
    func resumeElsewhere() async throws {
      let stage = try Stage()
      stage.open()
      stage.session.destroy()
      let elsewhere = try ConnectConfiguration(
        connectBaseURL: URL(string: "\(Stage.origin)/another")!, linkSessionToken: nil)
      await stage.resume(elsewhere)
      stage.say("hello")
      #expect(stage.heard("init").last?["payload"]?["continue_url"] != nil)
      #expect(stage.heard("init").last?["payload"]?["link_session_token"] == nil)
      stage.say("close")
    }
  }
}
