import { call } from '../../api.ts'
import { TextLink } from '../../shell/links.tsx'
import { rowsOf, ShowMore, useParts } from '../../shell/parts.tsx'
import { Section } from '../../ui/Page.tsx'
import { useWiki, type WikiPage } from './wiki-tree.tsx'
import classes from './wiki.module.css'

/** Pages that refer to this one. */
export const Backlinks = ({ page }: { page: WikiPage }) => {
  const { organizationId, addressOf } = useWiki()
  const params = { pageId: page.id }
  const list = useParts([organizationId, 'listWikiBacklinks', { params }], (query, signal) =>
    call(organizationId, 'listWikiBacklinks', { params, query }, { signal }),
  )
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
