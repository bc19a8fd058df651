// Written by us, not by Google: see README.md.
package androidx.activity

import android.content.Context
import android.content.Intent
import android.os.Bundle
import android.webkit.WebView
import play.Played

open class ComponentActivity : Context() {
    var intent = Intent()
    val onBackPressedDispatcher = OnBackPressedDispatcher()

    protected open fun onCreate(savedInstanceState: Bundle?) {}

    protected open fun onNewIntent(intent: Intent) {}

    protected open fun onSaveInstanceState(outState: Bundle) {}

    protected open fun onDestroy() {}

    fun setContentView(view: WebView) {
        Played.web = view
    }

    fun startActivity(intent: Intent) = Played.does("outside", intent.data.toString())

    fun finish() = Played.does("finish", "")

    /** Of the stub: what the system does. */
    fun create(intent: Intent, saved: Bundle? = null) {
        this.intent = intent
        onCreate(saved)
    }

    fun save() = Bundle().also(::onSaveInstanceState)

    fun deliver(intent: Intent) = onNewIntent(intent)
}

abstract class OnBackPressedCallback

class OnBackPressedDispatcher {
    /** Of the stub. */
    var callback: () -> Unit = {}
}

fun OnBackPressedDispatcher.addCallback(
    owner: ComponentActivity? = null, enabled: Boolean = true, onBackPressed: OnBackPressedCallback.() -> Unit,
): OnBackPressedCallback {
    val added = object : OnBackPressedCallback() {}
    callback = { added.onBackPressed() }
    return added
}
