// How Mantine's parts behave here. Their colours are in styles/tokens.css.
import { createTheme, Drawer, Menu, Modal, Notification, Popover, Select, TextInput, Tooltip } from '@mantine/core'
import type { Messages } from './messages/messages-type.ts'

export function themeOf({ general }: Messages) {
  // Locking the scroll would need a style element, which the content policy forbids: styles/base.css does it.
  const modal = { lockScroll: false, centered: true, radius: 'lg', padding: 'lg' } as const
  return createTheme({
    primaryColor: 'teal',
    primaryShade: { light: 7, dark: 6 },
    defaultRadius: 'md',
    cursorType: 'pointer',
    respectReducedMotion: true,
    components: {
      Modal: Modal.extend({ defaultProps: { ...modal, closeButtonProps: { 'aria-label': general.close } } }),
      DrawerRoot: Drawer.Root.extend({ defaultProps: { lockScroll: false } }),
      ModalRoot: Modal.Root.extend({ defaultProps: { lockScroll: false, radius: 'lg' } }),
      Notification: Notification.extend({ defaultProps: { closeButtonProps: { 'aria-label': general.close } } }),
      // Within the page's landmark, where it is put last: what lies beside all landmarks is missed by who goes by them.
      Popover: Popover.extend({ defaultProps: { portalProps: { target: '#main' } } }),
      // The placeholder is no item, so it may not be in a menu.
      Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
      Tooltip: Tooltip.extend({ defaultProps: { openDelay: 300 } }),
      Select: Select.extend({ defaultProps: { allowDeselect: false, comboboxProps: { withinPortal: true } } }),
      TextInput: TextInput.extend({ defaultProps: { autoComplete: 'off' } }),
    },
  })
}
