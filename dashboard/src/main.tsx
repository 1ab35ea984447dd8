import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import { DocentError } from '@docent/sdk'
import { Button, MantineProvider } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: (count, error) => count < 2 && !(error instanceof DocentError) } },
})
const router = createRouter({ routeTree: createRootRoute({ component: Start }) })

function Start() {
  const [open, { toggle }] = useDisclosure()
  return (
    <main>
      <h1>Docent</h1>
      <Button onClick={toggle} component="a" href="/docs">
        {open ? 'API' : 'API docs'}
      </Button>
    </main>
  )
}

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <MantineProvider withCssVariables={false} withGlobalClasses={false}>
        <Notifications />
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  )
