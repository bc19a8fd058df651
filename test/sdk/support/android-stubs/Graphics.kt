// Written by us, not by Google: see README.md.
package android.graphics

class Bitmap
