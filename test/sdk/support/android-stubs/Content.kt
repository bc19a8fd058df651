// Written by us, not by Google: see README.md.
package android.content

import android.net.Uri

abstract class Context

open class ActivityNotFoundException : RuntimeException()

fun interface DialogInterface {
    fun dismiss()

    fun interface OnClickListener {
        fun onClick(dialog: DialogInterface?, which: Int)
    }
}

open class Intent() {
    private val extras = mutableMapOf<String, String>()
    var data: Uri? = null
    var action: String? = null
    var flags = 0

    constructor(action: String, uri: Uri) : this() {
        this.action = action
        data = uri
    }

    constructor(packageContext: Context, cls: Class<*>) : this()

    fun putExtra(name: String, value: String): Intent {
        extras[name] = value
        return this
    }

    fun getStringExtra(name: String): String? = extras[name]

    companion object {
        const val ACTION_VIEW = "android.intent.action.VIEW"
        const val FLAG_ACTIVITY_LAUNCHED_FROM_HISTORY = 0x00100000
    }
}
