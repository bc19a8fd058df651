// Written by us, not by Apple: see Stubs/README.md. What examples/connect-ios uses.

@MainActor @preconcurrency public protocol App {
  associatedtype Body: Scene
  @SceneBuilder var body: Body { get }
  init()
}

extension App {
  public static func main() {}
}

@MainActor @preconcurrency public protocol Scene {}

@MainActor @resultBuilder public enum SceneBuilder {
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

public struct WindowGroup<Content: View>: Scene {
  let content: () -> Content
  public init(@ViewBuilder content: @escaping () -> Content) { self.content = content }
}

/// A view that shows nothing here.
public protocol StubView: View where Body == Never {}

extension StubView {
  public var body: Never { fatalError("There is no body.") }
}

public struct Text: StubView {
  public init(_ text: String) {}
}

public struct Button: StubView {
  public enum Role: Sendable { case destructive }
  public init(_ title: String, role: Role? = nil, action: @escaping @MainActor () -> Void) {}
}

public struct List<Content: View>: StubView {
  public init(@ViewBuilder content: () -> Content) {}
}

public struct NavigationStack<Content: View>: StubView {
  public init(@ViewBuilder root: () -> Content) {}
}

public struct Section<Content: View>: StubView {
  public init(_ title: String, @ViewBuilder content: () -> Content) {}
}

public struct ForEach<Element: Identifiable, Content: View>: StubView {
  public init(_ data: [Element], @ViewBuilder content: @escaping (Element) -> Content) {}
}

extension View {
  public func navigationTitle(_ title: String) -> some View { modifier(title) }
  public func disabled(_ isDisabled: Bool) -> some View { modifier(isDisabled) }
  public func task(_ action: @escaping @MainActor @Sendable () async -> Void) -> some View {
    modifier(0)
  }
}
