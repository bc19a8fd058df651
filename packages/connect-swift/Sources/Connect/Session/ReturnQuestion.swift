#if canImport(UIKit)
  import ConnectCore
  import UIKit

  /// Asks the service whether an address that opened the app can still be continued: anyone can send
  /// one, and a system may deliver it again.
  @MainActor enum ReturnQuestion {
    /// Returns the status and the body of a response.
    typealias Send = @MainActor (URLRequest) async throws -> (status: Int, body: Data)

    static var send: Send = { request in
      let (body, response) = try await URLSession(configuration: .ephemeral).data(for: request)
      return ((response as? HTTPURLResponse)?.statusCode ?? 0, body)
    }
    static var sleep: FlowTimers.Sleep = { try await Task.sleep(for: $0) }

    /// The limit of one attempt, in seconds.
    private static let within: TimeInterval = 10
    /// In seconds, after an attempt without an answer. A phone that has just changed its app may be
    /// without a network.
    private static let pauses = [1, 2, 4, 8, 15]

    /// - Returns: false also when no attempt was answered
    static func ask(_ base: BaseAddress, url: String, token: String?) async -> Bool {
      guard let request = request(base, url, token) else { return false }
      for pause in [0] + pauses {
        if pause > 0 { try? await sleep(.seconds(pause)) }
        if let answer = await answer(request) { return answer }
      }
      return false
    }

    private static func request(_ base: BaseAddress, _ url: String, _ token: String?) -> URLRequest?
    {
      guard let address = URL(string: "\(base.text)/api/session/resumable") else { return nil }
      var request = URLRequest(url: address, timeoutInterval: within)
      request.httpMethod = "POST"
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
      let question: JSONValue = [
        "url": .string(url), "link_session_token": token.map(JSONValue.string) ?? .null,
      ]
      request.httpBody = Data(JSONWriter.write(question).utf8)
      return request
    }

    /// - Returns: nil when the service could not be reached, or was too busy
    private static func answer(_ request: URLRequest) async -> Bool? {
      guard let (status, body) = try? await send(request), status != 429, status < 500 else {
        return nil
      }
      let answer = JSONReader.read(String(decoding: body, as: UTF8.self))
      return status == 200 && answer?["resumable"] == true
    }
  }
#endif
