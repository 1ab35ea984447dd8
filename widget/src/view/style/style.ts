// One style sheet from the parts, in the order in which their rules build on each other.
import base from './base.css'
import entries from './entries.css'
import forms from './forms.css'
import launcher from './launcher.css'
import media from './media.css'
import panel from './panel.css'

export const style = base + launcher + panel + entries + forms + media
