import Testing

@testable import ConnectCore

@Test func x() { #expect(JSONReader.read("{\"a\":[1,2.5,\"\\u00e9\"]}") == ["a": [1, 2.5, "é"]]) }
