import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct LinkedBank: Decodable, Identifiable, Sendable {
  struct Link: Decodable, Sendable {
    let linkId: String
    let institutionName: String
    let state: String
  }

  struct Account: Decodable, Identifiable, Sendable {
    let accountId: String
    let name: String
    let accountMask: String?
    var id: String { accountId }
  }

  let link: Link
  let accounts: [Account]
  var id: String { link.linkId }
}

/// `examples/connect-web/sample-app.mjs`, which the examples share.
@MainActor final class BackEnd {
  /// The addresses that `npm run demo` prints; on a phone those of `npm run demo -- --lan`.
  static let address = URL(string: "http://localhost:4300")!
  static let connectBaseURL = URL(string: "http://localhost:4000/connect")!
  private static let redirectURI = "pocketledger://bank-return"

  struct Refusal: Decodable, LocalizedError {
    let error: String
    var errorDescription: String? { error }
  }

  private struct Nothing: Decodable {}

  func banks() async throws -> [LinkedBank] {
    try await ask("GET", "/api/links")
  }

  /// - Parameter linkID: of a link to repair; nil for a new one
  func linkSessionToken(repairing linkID: String?) async throws -> String {
    struct Session: Decodable { let linkSessionToken: String }
    var body = ["redirectUri": Self.redirectURI]
    body["linkId"] = linkID
    let session: Session = try await ask("POST", "/api/session", body)
    return session.linkSessionToken
  }

  /// - Parameter token: of a new link, or the confirmation token of a repair
  func exchange(_ token: String) async throws {
    let _: Nothing = try await ask("POST", "/api/links", ["exchangeableToken": token])
  }

  func repaired(_ existingLinkID: String?) async throws {
    let body = existingLinkID.map { ["existingLinkId": $0] } ?? [:]
    let _: Nothing = try await ask("POST", "/api/repairs", body)
  }

  func reset(_ linkID: String) async throws {
    let _: Nothing = try await ask("POST", "/api/links/\(linkID)/reset", [:])
  }

  func disconnect(_ linkID: String) async throws {
    let _: Nothing = try await ask("DELETE", "/api/links/\(linkID)")
  }

  /// Every phone is a user of its own; your app has its sign-in here, kept in the keychain. It outlives
  /// the app, which may be terminated while a bank's page is open.
  private var session = UserDefaults.standard.string(forKey: "session")

  private func signIn() async throws {
    struct SignedIn: Decodable { let session: String }
    let signedIn: SignedIn = try read(await send("POST", "/api/sign-in", [:]))
    session = signedIn.session
    UserDefaults.standard.set(session, forKey: "session")
  }

  private func ask<Answer: Decodable>(
    _ method: String, _ path: String, _ body: [String: String]? = nil
  ) async throws -> Answer {
    if session == nil { try await signIn() }
    var answer = try await send(method, path, body)
    // The sample back end keeps its users in memory, and was started again.
    if answer.status == 401 {
      try await signIn()
      answer = try await send(method, path, body)
    }
    return try read(answer)
  }

  private func send(
    _ method: String, _ path: String, _ body: [String: String]?
  ) async throws -> (status: Int, data: Data) {
    var request = URLRequest(url: Self.address.appending(path: path))
    request.httpMethod = method
    if let session { request.setValue("Bearer \(session)", forHTTPHeaderField: "Authorization") }
    if let body {
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
      request.httpBody = try JSONEncoder().encode(body)
    }
    let (data, response) = try await URLSession.shared.data(for: request)
    return ((response as? HTTPURLResponse)?.statusCode ?? 0, data)
  }

  private func read<Answer: Decodable>(_ answer: (status: Int, data: Data)) throws -> Answer {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    guard answer.status < 400 else { throw try decoder.decode(Refusal.self, from: answer.data) }
    return try decoder.decode(Answer.self, from: answer.data)
  }
}
