/// Texts for moments when the hosted app is not available to show its own, in its languages.
package struct ConnectTexts: Sendable, Hashable {
  package let loading: String
  package let frameUnavailable: String
  package let bankUnreachable: String
  package let tryAgain: String
  package let close: String

  /// - Parameter language: a BCP 47 tag
  package init(language: String) {
    let code = language.lowercased().prefix { $0 != "-" && $0 != "_" }
    self = Self.languages[String(code)] ?? Self.english
  }

  private init(
    _ loading: String, _ frameUnavailable: String, _ bankUnreachable: String, _ tryAgain: String,
    _ close: String
  ) {
    self.loading = loading
    self.frameUnavailable = frameUnavailable
    self.bankUnreachable = bankUnreachable
    self.tryAgain = tryAgain
    self.close = close
  }

  private static let english = ConnectTexts(
    "Loading",
    "This could not be loaded. Check your connection and try again.",
    "Your bank’s page could not be opened here. Please try again in another window.",
    "Try again", "Close")

  private static let languages = [
    "en": english,
    "es": ConnectTexts(
      "Cargando",
      "No se ha podido cargar. Compruebe su conexión e inténtelo de nuevo.",
      "No se ha podido abrir aquí la página de su banco. Inténtelo en otra ventana.",
      "Intentar de nuevo", "Cerrar"),
    "fr": ConnectTexts(
      "Chargement",
      "Le chargement a échoué. Vérifiez votre connexion et réessayez.",
      "La page de votre banque n’a pas pu s’ouvrir ici. Essayez dans une autre fenêtre.",
      "Réessayer", "Fermer"),
    "de": ConnectTexts(
      "Wird geladen",
      "Das konnte nicht geladen werden. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.",
      "Die Seite Ihrer Bank konnte hier nicht geöffnet werden. "
        + "Bitte versuchen Sie es in einem anderen Fenster.",
      "Noch einmal versuchen", "Schließen"),
    "ar": ConnectTexts(
      "جارٍ التحميل", "تعذّر التحميل. تحقق من اتصالك وحاول مرة أخرى.",
      "تعذّر فتح صفحة مصرفك هنا. يُرجى المحاولة في نافذة أخرى.", "حاول مرة أخرى", "إغلاق"),
  ]

  func unavailable() -> ConnectError {
    ConnectError("connect_error.frame_unavailable", frameUnavailable)
  }

  func loginNotOpened() -> ConnectError {
    ConnectError("connect_error.popup_blocked", bankUnreachable)
  }
}
