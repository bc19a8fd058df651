import SwiftUI

/// A small app that links banks, shows their accounts, breaks a link and repairs it.
@main struct PocketLedgerApp: App {
  @StateObject private var ledger = Ledger()

  var body: some Scene {
    WindowGroup {
      BanksView(ledger: ledger)
    }
  }
}
