// Defaults for Mantine components. Their colours are in styles/tokens.css.
import { createTheme, Drawer, Menu, Modal, Notification, Popover, Select, TextInput, Tooltip } from '@mantine/core'
import type { Texts } from './texts/texts-type.ts'

export function makeAppTheme({ general }: Texts) {
  // Mantine's scroll lock needs a style element, which the content security policy forbids. styles/base.css locks
  // instead.
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
      // Inside the main landmark: people who navigate by landmarks would miss anything outside.
      Popover: Popover.extend({ defaultProps: { portalProps: { target: '#main' } } }),
      // Mantine's focus placeholder is not a menu item, so it is invalid in a menu.
      Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
      Tooltip: Tooltip.extend({ defaultProps: { openDelay: 300 } }),
      Select: Select.extend({ defaultProps: { allowDeselect: false, comboboxProps: { withinPortal: true } } }),
      TextInput: TextInput.extend({ defaultProps: { autoComplete: 'off' } }),
    },
  })
}
