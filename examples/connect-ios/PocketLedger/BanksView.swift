import Connect
import SwiftUI

struct BanksView: View {
  @ObservedObject var ledger: Ledger

  var body: some View {
    NavigationStack {
      List {
        Button("Link a bank") { ledger.attempt { try await ledger.link() } }
        Text(ledger.message)
        ForEach(ledger.banks) { bank in
          BankSection(bank: bank, ledger: ledger)
        }
      }
      .navigationTitle("Pocket Ledger")
      .task { ledger.attempt { try await ledger.refresh() } }
    }
    .connectFlow($ledger.flow)
    // Also a bank that returned the user after the app was terminated.
    .onOpenURL { url in ledger.attempt { try ledger.returned(to: url) } }
  }
}

private struct BankSection: View {
  let bank: LinkedBank
  let ledger: Ledger

  var body: some View {
    Section(bank.link.institutionName) {
      ForEach(bank.accounts) { account in
        Text("\(account.name) \(account.accountMask ?? "")")
      }
      Button("Repair") { ledger.attempt { try await ledger.link(repairing: bank.id) } }
        .disabled(bank.link.state == "connected")
      Button("Break, as a bank would") { ledger.attempt { try await ledger.reset(bank.id) } }
      Button("Disconnect", role: .destructive) {
        ledger.attempt { try await ledger.disconnect(bank.id) }
      }
    }
  }
}
