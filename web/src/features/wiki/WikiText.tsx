import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { linkTo, query } from '../../api.ts'
import { PlainLink } from '../../shell/links.tsx'
import { objectAddress } from '../../shell/objects.ts'
import { useOrganization } from '../../shell/organization.tsx'
import { Markdown } from '../../ui/Markdown.tsx'
import { useWiki, type WikiPage } from './wiki-tree.tsx'
import classes from './wiki.module.css'

/** The text of a page: links show current titles, pictures that hang on it stand in place. */
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
        const said = link?.title ?? label
        if (link?.deleted) return <del title="Deleted">{said}</del>
        // Without a title it is nothing yet, or nothing that this person may read.
        if (!link || link.id === null || link.title === null) return <span {...(data && { className: classes.open })}>{said}</span>
        return <PlainLink {...objectAddress(slug, { ...link, id: link.id })}>{said}</PlainLink>
      },
      file: (fileId: string) => linkTo(organizationId, 'downloadWikiPageFile', { params: { pageId, fileId } }),
    }),
    [data, links, slug, organizationId, pageId],
  )
  // Pictures of a page in the trash are not there; once it is back they are asked for anew.
  return <Markdown key={page.trashedAt} text={text} references={references} />
}
