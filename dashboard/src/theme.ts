// How Mantine's parts behave here. Their colours are in styles/tokens.css.
import { createTheme, Drawer, Modal, Select, TextInput, Tooltip } from '@mantine/core'

export const theme = createTheme({
  primaryColor: 'teal',
  primaryShade: { light: 7, dark: 6 },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // Locking the scroll would need a style element, which the content policy forbids: styles/base.css does it.
    Modal: Modal.extend({ defaultProps: { lockScroll: false, centered: true, radius: 'lg', padding: 'lg' } }),
    Drawer: Drawer.extend({ defaultProps: { lockScroll: false } }),
    Tooltip: Tooltip.extend({ defaultProps: { openDelay: 300 } }),
    Select: Select.extend({ defaultProps: { allowDeselect: false, comboboxProps: { withinPortal: true } } }),
    TextInput: TextInput.extend({ defaultProps: { autoComplete: 'off' } }),
  },
})
