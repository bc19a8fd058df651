// Written by us, not by Google: see README.md.
package android.net

class Uri private constructor(private val text: String) {
    val scheme: String? get() = text.substringBefore(':', "").ifEmpty { null }

    fun getQueryParameters(key: String): List<String> =
        text.substringBefore('#').substringAfter('?', "").split('&')
            .filter { it.startsWith("$key=") }.map { it.substringAfter('=') }

    override fun toString() = text

    companion object {
        @JvmStatic fun parse(uriString: String) = Uri(uriString)
    }
}
