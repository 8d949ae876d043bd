// oxlint-disable import/no-unassigned-import -- style sheets are imported for their side effects
import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import 'virtual:theme-variables.css'
import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import './ui/global.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueryClient } from './api/api.ts'
import { FEATURES } from './features.ts'
import { createAppRouter } from './routes.tsx'
import { FeaturesProvider } from './shell/context/features.ts'
import { theme } from './ui/theme.ts'
import { Toasts } from './ui/toasts/Toasts.tsx'

const queryClient = createQueryClient()
const router = createAppRouter(queryClient)

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={queryClient}>
        <Toasts />
        <FeaturesProvider value={FEATURES}>
          <RouterProvider router={router} />
        </FeaturesProvider>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
