import { rows } from '../../../api/rows.ts'
import { rowsOf, ShowMore, useParts } from '../../../shell/reads/parts.tsx'
import { TextLink } from '../../../shell/routing/links.tsx'
import { Section } from '../../../ui/page/Page.tsx'
import { useWiki, type WikiPage } from '../wiki-tree.tsx'
import classes from '../wiki.module.css'

/** Pages that link to this one. */
export const Backlinks = ({ page }: { page: WikiPage }) => {
  const { organizationId, addressOf } = useWiki()
  const params = { pageId: page.id }
  const list = useParts(rows(organizationId, 'listWikiBacklinks', { params }))
  const pages = list.data && rowsOf(list.data)
  if (!pages || pages.length === 0) return null
  return (
    <Section title="Linked from">
      <ul className={classes.linked}>
        {pages.map(({ id, title, engagementId }) => (
          <li key={id}>
            <TextLink to={addressOf(id, engagementId)}>{title}</TextLink>
          </li>
        ))}
      </ul>
      <ShowMore list={list} />
    </Section>
  )
}
