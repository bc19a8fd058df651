import Foundation
import Testing
import WebKit

@testable import Connect

extension FlowsOnStubs {
  @MainActor @Suite("The end of a flow on UIKit")
  struct EndingTests {
    @Test("A failed load offers to try again, and closing reports the same error")
    func failedLoad() throws {
      let stage = try Stage()
      stage.session.present(from: stage.presenter)
      let web = try #require(stage.web)
      let offline = NSError(domain: NSURLErrorDomain, code: NSURLErrorNotConnectedToInternet)
      web.navigationDelegate?.webView(web, didFailProvisionalNavigation: nil, withError: offline)
      #expect(stage.errors.map(\.errorID) == ["connect_error.frame_unavailable"])
      let failure = try #require(stage.controller?.failureView)
      #expect(!failure.isHidden)
      failure.retryButton.tap()
      #expect(web.loaded.count == 2)
      #expect(failure.isHidden)
      web.navigationDelegate?.webView(web, didFailProvisionalNavigation: nil, withError: offline)
      failure.closeButton.tap()
      #expect(stage.exits.map(\.reason) == [.error])
      #expect(stage.exits.first?.error == stage.errors.last)
      #expect(stage.presenter.presentedViewController == nil)
    }

    @Test("After silence, trying again loads the page, which WebKit does not do for a fragment")
    func silence() async throws {
      let stage = try Stage()
      stage.session.present(from: stage.presenter)
      let web = try #require(stage.web)
      await stage.pass(.seconds(10))
      #expect(stage.errors.map(\.errorID) == ["connect_error.frame_unavailable"])
      stage.controller?.failureView?.retryButton.tap()
      #expect(web.loaded.count == 2)
      stage.say("hello")
      #expect(stage.heard("init").count == 1)
      stage.say("success", Stage.success)
      #expect(stage.called == ["error", "event:success", "success"])
    }

    @Test("Trying again, and a return while the page loads, give the page its whole time")
    func wholeTime() async throws {
      let stage = try Stage()
      stage.session.present(from: stage.presenter)
      let web = try #require(stage.web)
      await stage.pass(.seconds(6))
      let offline = NSError(domain: NSURLErrorDomain, code: NSURLErrorNotConnectedToInternet)
      web.navigationDelegate?.webView(web, didFailProvisionalNavigation: nil, withError: offline)
      stage.controller?.failureView?.retryButton.tap()
      await stage.pass(.seconds(6))
      stage.session.continueFlow(from: Stage.returnURL)
      await stage.settle { stage.web?.loaded.count == 3 }
      await stage.pass(.seconds(6))
      #expect(stage.errors.count == 1)
      await stage.pass(.seconds(4))
      #expect(stage.errors.count == 2)
      stage.session.dismiss()
    }

    @Test("The spinner can be closed")
    func closedSpinner() throws {
      let stage = try Stage()
      stage.session.present(from: stage.presenter)
      stage.controller?.loadingView?.closeButton.tap()
      #expect(stage.exits.map(\.reason) == [.userClosed])
    }

    @Test("Content that was terminated is loaded again with a new channel")
    func terminatedContent() throws {
      let stage = try Stage()
      stage.open()
      let web = try #require(stage.web)
      let channel = stage.channel
      web.navigationDelegate?.webViewWebContentProcessDidTerminate(web)
      #expect(web.loaded.count == 2)
      #expect(stage.channel != channel)
      stage.say("success", Stage.success, channel: channel)
      #expect(stage.called.isEmpty)
      stage.say("hello")
      #expect(stage.heard("init").count == 2)
      stage.say("close")
    }

    @Test("A main frame that is elsewhere is returned to Connect")
    func mainFrameElsewhere() throws {
      let stage = try Stage()
      stage.open()
      let web = try #require(stage.web)
      web.navigationDelegate?.webView(web, didCommit: nil)
      #expect(web.loaded.count == 1)
      web.url = URL(string: "https://elsewhere.example/")
      web.navigationDelegate?.webView(web, didCommit: nil)
      #expect(web.loaded.count == 2)
      #expect(web.url?.host() == "connect.example")
      stage.say("close")
    }

    @Test("A flow that the app itself removes calls no callback, and its result is an exit")
    func removedByApp() async throws {
      let stage = try Stage()
      stage.open()
      stage.controller?.dismiss(animated: false)
      #expect(stage.called.isEmpty)
      #expect(ConnectSession.current == nil)
      guard case .exit(let exit) = try await stage.session.result() else {
        Issue.record("Not an exit.")
        return
      }
      #expect(exit.reason == .programmatic)
    }

    @Test("While a flow is open another one is not opened; from its final callback one can be")
    func secondFlow() throws {
      let stage = try Stage()
      let second = try Stage()
      stage.open()
      second.session.present(from: second.presenter)
      #expect(second.presenter.presentedViewController == nil)
      stage.onFinal = { [second] in second.session.present(from: second.presenter) }
      stage.say("exit", ["reason": "user_closed"])
      #expect(stage.called == ["event:exit", "exit"])
      #expect(second.presenter.presentedViewController != nil)
      second.session.dismiss()
      #expect(second.called == ["event:exit", "exit"])
      #expect(stage.called == ["event:exit", "exit"])
    }

    @Test("A flow that onError opens at the end of another one loads, and the other one still ends")
    func openedFromError() throws {
      let stage = try Stage()
      let second = try Stage()
      let presenter = stage.presenter
      do { ConnectSession(try stage.configuration(token: "link_token")).present(from: presenter) }
      stage.say("hello")
      stage.onError = { [second] in second.session.present(from: second.presenter) }
      stage.say(
        "exit",
        [
          "reason": "error", "session_id": "ses_1", "institution": .null, "search_term": .null,
          "error": ["error_id": "link_error.institution_unavailable"],
        ])
      #expect(stage.called == ["error", "event:exit", "exit"])
      #expect(second.session.isOpen && ConnectSession.current === second.session)
      second.session.dismiss()
    }

    @Test("A session lives from its opening to its final callback without being kept")
    func life() throws {
      let stage = try Stage()
      weak var session: ConnectSession?
      let presenter = stage.presenter
      do {
        let made = ConnectSession(try stage.configuration(token: "link_token"))
        session = made
        made.present(from: presenter)
      }
      #expect(session != nil)
      stage.say("hello")
      stage.say("success", Stage.success)
      #expect(stage.called == ["event:success", "success"])
      #expect(session == nil)
    }

    @Test("Over a view controller that presents another one, the flow is on top")
    func presentedPresenter() throws {
      let stage = try Stage()
      let sheet = UIViewController(nibName: nil, bundle: nil)
      stage.presenter.present(sheet, animated: false)
      stage.session.present(from: stage.presenter)
      #expect(sheet.presentedViewController is ConnectViewController)
      stage.session.dismiss()
      #expect(stage.presenter.presentedViewController === sheet)
      #expect(stage.called == ["event:exit", "exit"])
    }

    @Test("A view controller whose sheet is being dismissed presents the flow itself")
    func leavingSheet() throws {
      let stage = try Stage()
      let sheet = UIViewController(nibName: nil, bundle: nil)
      stage.presenter.present(sheet, animated: false)
      sheet.isBeingDismissed = true
      stage.session.present(from: stage.presenter)
      #expect(stage.controller != nil && sheet.presentedViewController == nil)
      stage.session.dismiss()
    }

    @Test("A view that the app discarded does not prevent the next flow from opening")
    func thrownAway() throws {
      let stage = try Stage()
      do {
        let presenter = UIViewController(nibName: nil, bundle: nil)
        stage.session.present(from: presenter)
      }
      let second = try Stage()
      second.session.present(from: second.presenter)
      #expect(second.session.isOpen && !stage.session.isOpen)
      #expect(stage.called.isEmpty)
      second.session.dismiss()
    }

    @Test("A second flow replaces the last screen of the first")
    func lastScreen() throws {
      let stage = try Stage(closeOnSuccess: false)
      stage.open()
      stage.say("success", Stage.success)
      #expect(stage.called == ["event:success", "success"])
      #expect(stage.presenter.presentedViewController != nil)
      let second = try Stage()
      second.session.present(from: second.presenter)
      #expect(stage.presenter.presentedViewController == nil)
      #expect(ConnectSession.current === second.session)
      second.session.dismiss()
    }

    @Test("A new flow without a token is not opened")
    func missingToken() throws {
      let stage = try Stage(token: nil)
      stage.session.present(from: stage.presenter)
      #expect(stage.presenter.presentedViewController == nil)
      #expect(throws: ConnectConfigurationError.invalidToken) {
        try stage.configuration(token: "not a token")
      }
    }
  }
}
