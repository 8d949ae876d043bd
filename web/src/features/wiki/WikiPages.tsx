import { useOrganization } from '../../shell/context/organization.tsx'
import { useEngagementPlace } from './engagement-place.ts'
import { OpenPage } from './page/OpenPage.tsx'
import { WikiProvider } from './wiki-tree.tsx'
import { engagementHome, engagementPage, home as organizationHome, page as organizationPage } from './wiki.routes.ts'
import { WikiHome } from './WikiHome.tsx'

/** The wiki of the organization. */
export const OrganizationWiki = () => {
  const { name } = useOrganization()
  const { view } = organizationHome.useSearch()
  return (
    <WikiProvider value={{ engagementId: null, name, mayWrite: true }}>
      <WikiHome view={view} />
    </WikiProvider>
  )
}

export const OrganizationWikiPage = () => {
  const { name } = useOrganization()
  const { pageId } = organizationPage.useParams()
  const { view } = organizationPage.useSearch()
  return (
    <WikiProvider value={{ engagementId: null, name, mayWrite: true }}>
      <OpenPage key={pageId} pageId={pageId} view={view} />
    </WikiProvider>
  )
}

/** The wiki of an engagement. */
export const EngagementWiki = () => {
  const place = useEngagementPlace()
  const { view } = engagementHome.useSearch()
  return (
    <WikiProvider value={place}>
      <WikiHome view={view} />
    </WikiProvider>
  )
}

export const EngagementWikiPage = () => {
  const place = useEngagementPlace()
  const { pageId } = engagementPage.useParams()
  const { view } = engagementPage.useSearch()
  return (
    <WikiProvider value={place}>
      <OpenPage key={pageId} pageId={pageId} view={view} />
    </WikiProvider>
  )
}
