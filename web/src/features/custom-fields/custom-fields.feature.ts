import { feature } from '../../feature.ts'
import { isAdmin } from '../../shell/context/organization.tsx'
import { lazyPage } from '../../shell/routing/lazy-page.ts'
import { IconListDetails } from '../../ui/icons.tsx'
import { customFieldsPaths } from './custom-fields.paths.ts'
import { settingsPage } from './custom-fields.routes.ts'

export const customFields = feature({
  routes: { admins: [lazyPage(settingsPage, () => import('./CustomFieldsPage.tsx'), 'CustomFieldsPage')] },
  navigation: [
    {
      area: 'settings',
      label: 'Custom fields',
      to: ({ slug }) => customFieldsPaths.customFields(slug),
      icon: IconListDetails,
      keywords: 'properties metadata columns',
      isFor: isAdmin,
    },
  ],
  live: { setting: ['listFieldDefinitions'] },
})
