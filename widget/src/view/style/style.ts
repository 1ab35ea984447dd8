// The style sheet. Order matters: later files override earlier ones.
import base from './base.css'
import entries from './entries.css'
import forms from './forms.css'
import launcher from './launcher.css'
import media from './media.css'
import panel from './panel.css'

export const style = base + launcher + panel + entries + forms + media
