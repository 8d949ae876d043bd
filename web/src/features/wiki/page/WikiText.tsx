import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { linkTo, query } from '../../../api/api.ts'
import { objectAddress } from '../../../domain/objects.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { PlainLink } from '../../../shell/routing/links.tsx'
import { Markdown } from '../../../ui/text/Markdown.tsx'
import { useWiki, type WikiPage } from '../wiki-tree.tsx'
import classes from '../wiki.module.css'

/** Text of a page: links show current titles, attached images are inline. */
export const WikiText = ({ page, text }: { page: WikiPage; text: string }) => {
  const { slug } = useOrganization()
  const { organizationId } = useWiki()
  const pageId = page.id
  const { data } = useQuery(query(organizationId, 'listWikiLinks', { params: { pageId } }))
  const links = useMemo(() => new Map((data?.data ?? []).map((link) => [link.reference, link])), [data])
  const references = useMemo(
    () => ({
      link: (reference: string, label: string) => {
        const link = links.get(reference) ?? links.get(reference.trim().normalize('NFC').toLowerCase())
        const text = link?.title ?? label
        if (link?.deleted) return <del title="Deleted">{text}</del>
        // Without a title the page does not exist yet, or the user may not read it.
        if (!link || link.id === null || link.title === null)
          return <span {...(data && { className: classes.open })}>{text}</span>
        return <PlainLink {...objectAddress(slug, { ...link, id: link.id })}>{text}</PlainLink>
      },
      file: (fileId: string) => linkTo(organizationId, 'downloadWikiPageFile', { params: { pageId, fileId } }),
    }),
    [data, links, slug, organizationId, pageId],
  )
  // Attachments of a trashed page are not available. The key reloads them after it is restored.
  return <Markdown key={page.trashedAt} text={text} references={references} />
}
