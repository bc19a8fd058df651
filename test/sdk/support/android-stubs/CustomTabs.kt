// Written by us, not by Google: see README.md.
package androidx.browser.customtabs

import android.content.Context
import android.net.Uri
import play.Played

class CustomTabsIntent private constructor() {
    fun launchUrl(context: Context, url: Uri) = Played.does("tab", url.toString())

    class Builder {
        fun build() = CustomTabsIntent()
    }
}
