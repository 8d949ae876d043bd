import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { linkTo, query } from '../../api.ts'
import { PlainLink } from '../../shell/links.tsx'
import { objectAddress } from '../../shell/objects.ts'
import { useOrganization } from '../../shell/organization.tsx'
import { Markdown } from '../../ui/Markdown.tsx'
import { partsOf } from './text-parts.ts'
import classes from './wiki.module.css'
import { useWiki, type WikiPage } from './wiki-tree.tsx'

/** Rendered at once; the rest of a long text follows part by part, so that the page answers meanwhile. */
const FIRST_PARTS = 3
const NEXT_PART_MS = 30

/** The text of a page: links show current titles, pictures that hang on it stand in place. */
export const WikiText = ({ page, text }: { page: WikiPage; text: string }) => {
  const { slug } = useOrganization()
  const { organizationId } = useWiki()
  const params = { pageId: page.id }
  const { data } = useQuery(query(organizationId, 'listWikiLinks', { params }))
  const links = useMemo(() => new Map((data?.data ?? []).map((link) => [link.reference, link])), [data])
  const parts = useMemo(() => partsOf(text), [text])
  const [shown, setShown] = useState(FIRST_PARTS)
  useEffect(() => {
    if (shown >= parts.length) return undefined
    const timer = window.setTimeout(() => setShown(shown + 1), NEXT_PART_MS)
    return () => window.clearTimeout(timer)
  }, [shown, parts.length])
  const references = {
    link: (reference: string, label: string) => {
      const link = links.get(reference) ?? links.get(reference.trim().normalize('NFC').toLowerCase())
      const said = link?.title ?? label
      if (link?.deleted) return <del title="Deleted">{said}</del>
      // Without a title it is nothing yet, or nothing that this person may read.
      if (!link || link.id === null || link.title === null) return <span {...(data && { className: classes.open })}>{said}</span>
      return <PlainLink {...objectAddress(slug, { ...link, id: link.id })}>{said}</PlainLink>
    },
    file: (fileId: string) => linkTo(organizationId, 'downloadWikiPageFile', { params: { ...params, fileId } }),
  }
  return (
    <>
      {parts.slice(0, shown).map((part, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- parts have no other name
        <Markdown key={index} text={part} references={references} />
      ))}
    </>
  )
}
