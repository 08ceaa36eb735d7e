import './ui/mantine.css'
import './ui/font.css'
import './ui/global.css'
import './ui/print.css'
import { DirectionProvider, MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { basePath } from './api/client.ts'
import { queryClient } from './api/hooks.ts'
import { preloadPage, router } from './router/router.ts'
import { prefetchSession } from './session/session.ts'
import { styleNonce } from './ui/style-nonce.ts'
import { cssVariables, theme } from './ui/theme.ts'

// Modals lock the page's scrolling with a style element, which needs the nonce too.
setNonce(styleNonce)

// The page of a link asks nobody to log in.
const isShared = location.pathname.startsWith(`${basePath}/shared/`)
const session = isShared ? undefined : prefetchSession()
preloadPage()

const root = document.getElementById('root')
if (!root) throw new Error('The page has no root element.')
const page = createRoot(root)
const app = (
  <StrictMode>
    <DirectionProvider>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        defaultColorScheme="auto"
        getStyleNonce={() => styleNonce}
      >
        <QueryClientProvider client={queryClient}>
          <Notifications position="bottom-right" />
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </DirectionProvider>
  </StrictMode>
)

/** Milliseconds. Without the session by then, the page shows that it is loading. */
const patience = 200
const isLate = new Promise((resolve) => setTimeout(resolve, patience))
void Promise.race([session, isLate]).then(() => page.render(app))
