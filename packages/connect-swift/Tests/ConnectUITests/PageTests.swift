import Foundation
import Testing
import WebKit

@testable import Connect

extension FlowsOnStubs {
  @MainActor @Suite("The loads of a flow's page, and the failed ones")
  struct PageTests {
    enum Frame: Sendable { case main, inside, newWindow }

    struct Step: Sendable, CustomTestStringConvertible {
      let to: String
      let frame: Frame
      let byTap: Bool
      let then: Navigation
      var testDescription: String { "\(to) in \(frame)\(byTap ? " by a tap" : "")" }
    }

    nonisolated static let steps = [
      Step(to: "https://connect.example/connect/start", frame: .main, byTap: false, then: .load),
      Step(to: "https://connect.example/other", frame: .main, byTap: false, then: .refuse),
      Step(to: "https://bank.example/help", frame: .main, byTap: false, then: .refuse),
      Step(to: "https://bank.example/help", frame: .main, byTap: true, then: .outside),
      Step(to: "https://bank.example/help", frame: .newWindow, byTap: false, then: .refuse),
      Step(to: "https://bank.example/help", frame: .newWindow, byTap: true, then: .outside),
      Step(to: "https://connect.example/connect/a", frame: .newWindow, byTap: true, then: .outside),
      Step(to: "https://connect.example/connect/a", frame: .inside, byTap: false, then: .refuse),
      Step(to: "https://bank.example/help", frame: .inside, byTap: true, then: .refuse),
      Step(to: "pocketledger://x", frame: .main, byTap: true, then: .refuse),
      Step(to: "pocketledger://x", frame: .newWindow, byTap: true, then: .refuse),
    ]

    @Test("An address is loaded, opened outside or refused", arguments: steps)
    func navigation(step: Step) throws {
      let stage = try Stage()
      stage.open()
      let web = try #require(stage.web)
      UIApplication.shared.opened = []
      let action = WKNavigationAction(
        request: URLRequest(url: try #require(URL(string: step.to))),
        targetFrame: step.frame == .newWindow ? nil : frame(isMain: step.frame == .main),
        navigationType: step.byTap ? .linkActivated : .other)
      var policy: WKNavigationActionPolicy?
      web.navigationDelegate?.webView(web, decidePolicyFor: action) { policy = $0 }
      #expect(policy == (step.then == .load ? .allow : .cancel))
      #expect(
        UIApplication.shared.opened.map(\.absoluteString)
          == (step.then == .outside ? [step.to] : []))
      let window = web.uiDelegate?.webView(
        web, createWebViewWith: web.configuration, for: action, windowFeatures: WKWindowFeatures())
      #expect(web.uiDelegate != nil && window == nil)
      stage.say("close")
    }

    @Test(
      "An HTTP error is a failed load only of the page itself",
      arguments: [(502, true), (404, true), (400, true), (399, true), (502, false)])
    func response(status: Int, isForMainFrame: Bool) throws {
      let isFailure = status >= 400 && isForMainFrame
      let stage = try Stage()
      stage.session.present(from: stage.presenter)
      let web = try #require(stage.web)
      let response = try #require(
        HTTPURLResponse(
          url: web.loaded[0], statusCode: status, httpVersion: nil, headerFields: nil))
      var policy: WKNavigationResponsePolicy?
      web.navigationDelegate?.webView(
        web,
        decidePolicyFor: WKNavigationResponse(response: response, isForMainFrame: isForMainFrame)
      ) { policy = $0 }
      #expect(policy == (isFailure ? .cancel : .allow))
      #expect(
        stage.errors.map(\.errorID) == (isFailure ? ["connect_error.frame_unavailable"] : []))
      stage.session.dismiss()
    }

    @Test(
      "A load that was replaced or stopped is not a failed one",
      arguments: [
        (NSURLErrorDomain, NSURLErrorCancelled, false), ("WebKitErrorDomain", 102, false),
        (NSURLErrorDomain, NSURLErrorTimedOut, true), ("WebKitErrorDomain", 101, true),
        (NSURLErrorDomain, 102, true),
      ])
    func failure(domain: String, code: Int, isFailure: Bool) throws {
      for isCommitted in [false, true] {
        let stage = try Stage()
        stage.session.present(from: stage.presenter)
        let web = try #require(stage.web)
        let error = NSError(domain: domain, code: code)
        if isCommitted {
          web.navigationDelegate?.webView(web, didFail: nil, withError: error)
        } else {
          web.navigationDelegate?.webView(web, didFailProvisionalNavigation: nil, withError: error)
        }
        #expect(stage.errors.count == (isFailure ? 1 : 0))
        stage.session.dismiss()
      }
    }

    @Test(
      "Messages of Connect arrive from its own port and host in any spelling of WebKit",
      arguments: [
        ("https://connect.example:8443/connect", "connect.example", 8443, true),
        ("https://connect.example:8443/connect", "connect.example", 0, false),
        ("https://connect.example/connect", "connect.example", 8443, false),
        ("https://[::1]:8443/connect", "::1", 8443, true),
        ("https://[::1]:8443/connect", "[::1]", 8443, true),
        ("https://[::1]/connect", "::2", 0, false),
      ])
    func origin(base: String, host: String, port: Int, isHeard: Bool) throws {
      let stage = try Stage(base: base)
      stage.session.present(from: stage.presenter)
      stage.say("hello", host: host, port: port)
      #expect(stage.heard("init").count == (isHeard ? 1 : 0))
      stage.session.dismiss(force: true)
      stage.session.destroy()
    }

    @Test("Each flow has a channel of its own: 128 random bits in base64url")
    func channels() throws {
      let channels = try (0..<40).map { _ in
        let stage = try Stage()
        stage.session.present(from: stage.presenter)
        defer { stage.session.dismiss() }
        let fragment = try #require(stage.web?.loaded.first?.fragment())
        #expect(fragment.wholeMatch(of: /channel=[A-Za-z0-9_-]{22}/) != nil)
        return fragment
      }
      #expect(Set(channels).count == channels.count)
    }

    private func frame(isMain: Bool) -> WKFrameInfo {
      WKFrameInfo(
        isMainFrame: isMain,
        securityOrigin: WKSecurityOrigin(protocol: "https", host: "connect.example", port: 0))
    }
  }
}
