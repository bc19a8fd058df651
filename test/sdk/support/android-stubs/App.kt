// Written by us, not by Google: see README.md.
package android.app

import android.content.Context
import android.content.DialogInterface
import play.Played

class AlertDialog {
    class Builder(context: Context) {
        private val buttons = mutableMapOf<String, DialogInterface.OnClickListener>()

        fun setCancelable(cancelable: Boolean): Builder = this

        fun setMessage(message: CharSequence): Builder = this

        fun setPositiveButton(text: CharSequence, listener: DialogInterface.OnClickListener) = add(text, listener)

        fun setNegativeButton(text: CharSequence, listener: DialogInterface.OnClickListener) = add(text, listener)

        fun show(): AlertDialog {
            Played.buttons = buttons
            Played.does("dialog", buttons.keys.joinToString())
            return AlertDialog()
        }

        private fun add(text: CharSequence, listener: DialogInterface.OnClickListener): Builder {
            buttons[text.toString()] = listener
            return this
        }
    }
}
