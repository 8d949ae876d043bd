import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { query } from '../../../../api/api.ts'
import { objectPath, paths } from '../../../../paths.ts'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { PlainLink } from '../../../../shell/routing/links.tsx'
import { Markdown } from '../../../../ui/text/Markdown.tsx'
import classes from '../../findings.module.css'
import type { Finding } from '../../labels.ts'
import { ResultEmbed, RunEmbed } from './embeds.tsx'
import { useFileAddress } from './use-file-address.ts'

const PREFIXES = { wik: 'page', tgt: 'target', res: 'result', tsk: 'task', req: 'request', scn: 'scan' } as const
const OBJECT = /^([a-z]{3})_[0-9a-z]{26}$/
const EMBED = /^((run|res)_[0-9a-z]{26})(?:\|lines=([1-9]\d{0,5})-([1-9]\d{0,5}))?$/

/**
 * One text of a finding: `[[...]]` links objects, `![[...]]` shows a request or a proof, attached pictures are numbered
 * figures.
 */
export const FindingText = ({ finding, text }: { finding: Pick<Finding, 'id'>; text: string }) => {
  const { slug } = useOrganization()
  const file = useFileAddress(finding.id, text)
  const references = useMemo(
    () => ({
      hasFigures: true,
      link: (reference: string, label: string) => {
        const prefix = OBJECT.exec(reference)?.[1]
        if (prefix === 'fnd') return <FindingLink findingId={reference} label={label} />
        const type = prefix !== undefined && prefix in PREFIXES ? PREFIXES[prefix as keyof typeof PREFIXES] : undefined
        return type ? <PlainLink to={objectPath(slug, type, reference)}>{label}</PlainLink> : <span>{label}</span>
      },
      file,
      embed: (reference: string) => {
        const [, objectId, prefix, from, to] = EMBED.exec(reference) ?? []
        if (objectId === undefined) return <span className={classes.embed}>![[{reference}]]</span>
        const lines = from !== undefined && to !== undefined ? { from: Number(from), to: Number(to) } : undefined
        return prefix === 'run' ? (
          <RunEmbed runId={objectId} lines={lines} />
        ) : (
          <ResultEmbed resultId={objectId} lines={lines} />
        )
      },
    }),
    [slug, file],
  )
  return <Markdown text={text} references={references} />
}

/** Another finding, by number and title. */
const FindingLink = ({ findingId, label }: { findingId: string; label: string }) => {
  const { id, slug } = useOrganization()
  const { data } = useQuery({ ...query(id, 'getFinding', { params: { findingId } }), staleTime: 60_000 })
  const text = data && label === findingId ? `${data.data.number} ${data.data.title}` : label
  return <PlainLink to={paths.findingById(slug, findingId)}>{text}</PlainLink>
}
