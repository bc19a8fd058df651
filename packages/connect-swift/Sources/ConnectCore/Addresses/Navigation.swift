/// The decision about an address that the WebView is about to load.
package enum Navigation: String, Sendable {
  /// In the WebView.
  case load
  /// In the system's browser.
  case outside
  case refuse

  /// Only the pages of Connect are loaded; other web addresses open outside, and only by the user's
  /// tap. Schemes of apps are never opened: a page could start any app with them.
  package static func decide(
    _ address: String, base: BaseAddress, isMainFrame: Bool, byUser: Bool, newWindow: Bool
  ) -> Navigation {
    guard let target = WebAddress(address) else { return .refuse }
    if isMainFrame, !newWindow, base.isPage(target) { return .load }
    return byUser && (isMainFrame || newWindow) ? .outside : .refuse
  }
}
