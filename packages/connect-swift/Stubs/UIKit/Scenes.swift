// Written by us, not by Apple: see Stubs/README.md. What the README of the package uses.
import Foundation

@MainActor open class UIScene: UIResponder {}

@MainActor public final class UIOpenURLContext: NSObject {
  public let url: URL
  public init(url: URL) { self.url = url }
}

@MainActor public protocol UIWindowSceneDelegate {
  func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>)
}
