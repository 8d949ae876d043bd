import type { Output } from '@sortie/client/calls.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { query } from '../../api.ts'
import { objectAddress, SINGULARS } from '../../shell/objects.ts'
import { useOrganization } from '../../shell/organization.tsx'
import classes from './search.module.css'

type Hit = Output<'search'>['data'][number]

/** One below the other, each a link: its title, where it is, and the piece of its text that matched. */
export const Hits = ({ hits }: { hits: readonly Hit[] }) => {
  const { slug } = useOrganization()
  const names = useEngagementNames()
  return (
    <ul className={classes.hits} aria-label="Results">
      {hits.map((hit) => (
        <li key={hit.id}>
          <Link {...objectAddress(slug, hit)} className={classes.hit} data-hit>
            <span className={classes.title}>{hit.title}</span>
            <span className={classes.place}>
              {SINGULARS[hit.type]}
              {hit.type !== 'engagement' && ` · ${hit.engagementId === null ? 'Organization' : (names.get(hit.engagementId) ?? 'Engagement')}`}
            </span>
            {hit.excerpt.length > 0 && (
              <span className={classes.excerpt}>
                {/* oxlint-disable-next-line react/no-array-index-key -- pieces of one text have no other name */}
                {hit.excerpt.map(({ text, match }, index) => (match ? <mark key={index}>{text}</mark> : <span key={index}>{text}</span>))}
              </span>
            )}
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** Of the engagements that changed last, which the palette and the list read as well. */
export const useEngagementNames = (): Map<string, string> => {
  const organization = useOrganization()
  const { data } = useQuery({
    ...query(organization.id, 'listEngagements', { query: { perPage: 100, sort: 'updatedAt' } }),
    enabled: organization.permissions.readEngagements,
  })
  return new Map((data?.data ?? []).map(({ id, name }) => [id, name]))
}
