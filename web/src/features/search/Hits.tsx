import type { Output } from '@sortie/client/calls.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { query } from '../../api/api.ts'
import { objectAddress, SINGULARS } from '../../domain/objects.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import classes from './search.module.css'

type Hit = Output<'search'>['data'][number]

/** Search hits as a list of links: title, location and matching excerpt. */
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
              {hit.type !== 'engagement' &&
                ` · ${hit.engagementId === null ? 'Organization' : (names.get(hit.engagementId) ?? 'Engagement')}`}
            </span>
            {hit.excerpt.length > 0 && (
              <span className={classes.excerpt}>
                {hit.excerpt.map(({ text, match }, index) => {
                  const Piece = match ? 'mark' : 'span'
                  // oxlint-disable-next-line react/no-array-index-key -- pieces of one text have no other name
                  return <Piece key={index}>{text}</Piece>
                })}
              </span>
            )}
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** Names of the most recently changed engagements, the same read as in the palette and the list. */
export const useEngagementNames = (): Map<string, string> => {
  const organization = useOrganization()
  const { data } = useQuery({
    ...query(organization.id, 'listEngagements', { query: { perPage: 100, sort: 'updatedAt' } }),
    enabled: organization.permissions.readEngagements,
  })
  return new Map((data?.data ?? []).map(({ id, name }) => [id, name]))
}
