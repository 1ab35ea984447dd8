import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './styles/font.css'
import './styles/tokens.css'
import './styles/base.css'
import './styles/shell.css'
import './styles/page.css'
import './styles/rows.css'
import './styles/status.css'
import './styles/parts.css'
import './styles/lists.css'
import './styles/palette.css'
import './styles/inbox/chat.css'
import './styles/inbox/reply-help.css'
import './styles/inbox/inbox.css'
import './styles/inbox/threads.css'
import './styles/inbox/team-inbox.css'
import './styles/inbox/messages.css'
import './styles/inbox/conversation-details.css'
import './styles/inbox/inbox-narrow.css'
import './styles/charts.css'
import './styles/insights.css'
import './styles/actions.css'
import './styles/studio.css'
import './styles/home.css'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api.ts'
import { beginFirstScreen, router } from './router.tsx'
import { currentLanguage, loadTexts, TextsProvider } from './texts/texts.tsx'
import { makeAppTheme } from './theme.ts'

document.documentElement.lang = currentLanguage()
beginFirstScreen()
const texts = await loadTexts<typeof import('./texts/first-load/en.ts')>(
  (language) => import(`./texts/first-load/${language}.ts`),
)

// For the styles of dialogs. 0 if scrollbars overlay the page.
document.documentElement.style.setProperty(
  '--scrollbar-width',
  `${innerWidth - document.documentElement.clientWidth}px`,
)

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={makeAppTheme(texts)}
        defaultColorScheme="auto"
        withCssVariables={false}
        withGlobalClasses={false}
      >
        <TextsProvider value={texts}>
          <QueryClientProvider client={queryClient}>
            <RouterProvider router={router} />
          </QueryClientProvider>
          <Notifications position="bottom-right" />
        </TextsProvider>
      </MantineProvider>
    </StrictMode>,
  )
