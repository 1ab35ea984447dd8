import { ActionIcon, Drawer } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { isError } from '../client.ts'
import { useBot, useBotId } from '../features/bots/use-bot.ts'
import { useTexts } from '../texts/texts.tsx'
import { Brand } from '../ui/brand.tsx'
import { Icon } from '../ui/icon.tsx'
import { LoadingRows } from '../ui/loading.tsx'
import { Notice } from '../ui/notice.tsx'
import { MissingBot } from './error-pages.tsx'
import { CONNECTION_EVENT, loadWhenReachable } from './load-screen.ts'
import { Sidebar } from './sidebar.tsx'

// Loaded later to keep the first load small.
const Reauthenticate = lazy(
  loadWhenReachable(async () => ({
    default: (await import('../features/account/reauthenticate.tsx')).Reauthenticate,
  })),
)
const WaitingNotifications = lazy(
  loadWhenReachable(async () => ({
    default: (await import('../features/inbox/waiting-notifications.tsx')).WaitingNotifications,
  })),
)
const Palette = lazy(loadWhenReachable(async () => ({ default: (await import('./palette.tsx')).Palette })))

export function Shell() {
  const { shell, palette, errors } = useTexts()
  const [open, { open: openMenu, close }] = useDisclosure()
  const botId = useBotId()
  const bot = useBot()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  useEffect(close, [path])
  const [searching, setSearching] = useState<boolean>()
  const search = () => {
    close()
    setSearching(true)
  }
  useHotkeys([['mod+K', search]], [])
  const isLost = useConnectionLost()
  const isMissing = useMissingBot()
  return (
    <div className="shell">
      <a className="skip" href="#main">
        {shell.skip}
      </a>
      <nav className="shell-top" aria-label={shell.header}>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={shell.menu} onClick={openMenu}>
          <Icon name="menu" />
        </ActionIcon>
        <Brand />
        {botId && <strong className="shell-bot">{bot.data?.name}</strong>}
        <ActionIcon
          className="top-search"
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={palette.button}
          onClick={search}
        >
          <Icon name="search" />
        </ActionIcon>
      </nav>
      <aside className="shell-side" aria-label={shell.navigation}>
        <Sidebar onSearch={search} isBotMissing={isMissing} />
      </aside>
      <Drawer.Root opened={open} onClose={close} size="18rem">
        <Drawer.Overlay />
        {/* `className` would also style the overlay. */}
        <Drawer.Content aria-label={shell.navigation} classNames={{ content: 'shell-drawer' }}>
          <Sidebar onSearch={search} isBotMissing={isMissing} />
        </Drawer.Content>
      </Drawer.Root>
      {searching !== undefined && (
        <Suspense>
          <Palette opened={searching} onClose={() => setSearching(false)} />
        </Suspense>
      )}
      <Suspense>
        <WaitingNotifications />
        <Reauthenticate />
      </Suspense>
      <main id="main" className="shell-main" tabIndex={-1}>
        {isLost && (
          <Notice tone="warn">
            <span role="status">{errors.waiting}</span>
          </Notice>
        )}
        <Suspense fallback={<LoadingRows />}>{isMissing ? <MissingBot /> : <Outlet />}</Suspense>
      </main>
    </div>
  )
}

/** Remembered by its id: its error is gone while it is read again, and the screens would come and go. */
function useMissingBot(): boolean {
  const botId = useBotId()
  const { error } = useBot()
  const [missingId, setMissingId] = useState('')
  useEffect(() => {
    if (isError(error, 'bot_not_found')) setMissingId(botId)
  }, [error, botId])
  return botId !== '' && missingId === botId
}

/** Whether a screen waits for the server to answer again. */
function useConnectionLost(): boolean {
  const [isLost, setLost] = useState(false)
  useEffect(() => {
    const listen = (event: Event) => setLost((event as CustomEvent<boolean>).detail)
    addEventListener(CONNECTION_EVENT, listen)
    return () => removeEventListener(CONNECTION_EVENT, listen)
  }, [])
  return isLost
}
