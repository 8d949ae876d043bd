import { useQuery } from '@tanstack/react-query'
import { query } from '../../api.ts'
import { TextLink } from '../../shell/links.tsx'
import { Section } from '../../ui/Page.tsx'
import { useWiki, type WikiPage } from './wiki-tree.tsx'

/** Pages that refer to this one. */
export const Backlinks = ({ page }: { page: WikiPage }) => {
  const { organizationId, addressOf } = useWiki()
  const { data } = useQuery(query(organizationId, 'listWikiBacklinks', { params: { pageId: page.id }, query: { perPage: 100 } }))
  if (!data || data.data.length === 0) return null
  return (
    <Section title="Linked from">
      <ul>
        {data.data.map(({ id, title, engagementId }) => (
          <li key={id}>
            <TextLink to={addressOf(id, engagementId)}>{title}</TextLink>
          </li>
        ))}
      </ul>
    </Section>
  )
}
