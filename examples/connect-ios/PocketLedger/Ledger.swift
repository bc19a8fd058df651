import Connect
import SwiftUI

/// The linked banks of the user, and the flow that is open.
@MainActor final class Ledger: ObservableObject {
  @Published private(set) var banks: [LinkedBank] = []
  @Published private(set) var message = "No bank yet. You choose what Pocket Ledger sees."
  /// Set to open Connect; the flow sets it to nil when it ends.
  @Published var flow: ConnectConfiguration?
  private let backEnd = BackEnd()

  /// Shows the problem.
  func attempt(_ work: @escaping @MainActor () async throws -> Void) {
    Task {
      do { try await work() } catch { message = error.localizedDescription }
    }
  }

  func refresh() async throws {
    banks = try await backEnd.banks()
  }

  /// Opens Connect for a new link, or for the repair of one.
  func link(repairing linkID: String? = nil) async throws {
    let token = try await backEnd.linkSessionToken(repairing: linkID)
    flow = try configuration(token: token)
  }

  /// A link that opened the app. After the app was terminated no flow is open, and a new one continues.
  func returned(to url: URL) throws {
    guard ConnectSession.isReturn(url) else { return }
    if ConnectSession.current?.continueFlow(from: url) == true { return }
    flow = try configuration(token: nil, returnURL: url)
  }

  func reset(_ linkID: String) async throws {
    try await backEnd.reset(linkID)
    try await refresh()
  }

  func disconnect(_ linkID: String) async throws {
    try await backEnd.disconnect(linkID)
    try await refresh()
  }

  private func configuration(token: String?, returnURL: URL? = nil) throws -> ConnectConfiguration {
    try ConnectConfiguration(
      connectBaseURL: BackEnd.connectBaseURL, linkSessionToken: token, returnURL: returnURL,
      applicationName: "Pocket Ledger",
      theme: ConnectTheme().color(.accent, "#0a6b4f", dark: "#41c79a"),
      onSuccess: { [weak self] success in
        self?.attempt { [weak self] in try await self?.accept(success) }
      },
      onExit: { [weak self] exit in
        self?.message =
          exit.error?.displayedMessage ?? "Nothing was linked (\(exit.reason.rawValue))."
      })
  }

  /// The back end compares the result with the signed-in user before it stores anything.
  private func accept(_ success: ConnectSuccess) async throws {
    switch success {
    case .link(let link): try await backEnd.exchange(link.exchangeableToken)
    case .relink(let repair):
      // Nothing is repaired yet when the flow was resumed without its token.
      if let confirmation = repair.confirmationToken {
        try await backEnd.exchange(confirmation)
      } else {
        try await backEnd.repaired(repair.existingLinkID)
      }
    }
    message = "\(success.institution?.name ?? "Your bank") is connected."
    try await refresh()
  }
}
