import { Text } from '@mantine/core'
import type { Input } from '@sortie/client/calls.ts'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../../api/api.ts'
import { SeverityLabel } from '../../../domain/SeverityLabel.tsx'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { TextLink } from '../../../shell/routing/links.tsx'
import { ListSkeleton } from '../../../ui/feedback/ListSkeleton.tsx'
import type { Suggestion } from './suggestion.ts'
import classes from './suggestions.module.css'

const SHOWN = 20

/** The first results of a suggestion, worst first. */
export const SuggestedResults = ({ suggestion }: { suggestion: Suggestion }) => {
  const { id, slug } = useOrganization()
  const filter = suggestion.resultFilter as NonNullable<Input<'listResults'>['query']>
  const read = useQuery(
    query(id, 'listResults', { query: { ...filter, perPage: SHOWN, sort: 'severity', order: 'desc' } }),
  )
  return (
    <QueryView query={read} skeleton={<ListSkeleton rows={4} height={24} />}>
      {({ data }) => (
        <>
          <ul className={classes.results} aria-label="Results">
            {data.map(({ id: resultId, asset, title, severity }) => (
              <li key={resultId}>
                <SeverityLabel severity={severity} />
                <TextLink to={paths.result(slug, resultId)}>{asset}</TextLink>
                <span className={classes.name}>{title}</span>
              </li>
            ))}
          </ul>
          {suggestion.count > data.length && (
            <Text size="sm" c="dimmed">
              and {(suggestion.count - data.length).toLocaleString('en')} more
            </Text>
          )}
        </>
      )}
    </QueryView>
  )
}
