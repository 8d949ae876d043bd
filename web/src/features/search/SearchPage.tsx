import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { SEARCH_TYPES } from '@sortie/contract/core/search.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { query } from '../../api/api.ts'
import { PLURALS } from '../../domain/objects.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { QueryView } from '../../shell/reads/QueryView.tsx'
import { useShortcuts } from '../../ui/commands/commands.ts'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { Choice } from '../../ui/fields/Choice.tsx'
import { IconSearch } from '../../ui/icons.tsx'
import { keepPrevious } from '../../ui/lists/keep-previous.ts'
import { Page } from '../../ui/page/Page.tsx'
import { Hits, useEngagementNames } from './Hits.tsx'
import classes from './search.module.css'
import { page as route } from './search.routes.ts'
import { useArrowKeys } from './use-arrow-keys.ts'

const DELAY_MS = 200

/** Full-text search over everything that the user may see. The query is in the address. */
export const SearchPage = () => {
  const { q = '', type, engagement } = route.useSearch()
  const engagements = useEngagementNames()
  const navigate = route.useNavigate()
  const frame = useArrowKeys<HTMLDivElement>()
  return (
    <Page title="Search" documentTitle={q ? `${q} · Search` : 'Search'} layout="list">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrow keys move between the links and fields in it */}
      <div ref={frame.ref} onKeyDown={frame.onKeyDown} role="search" className={classes.frame}>
        <div className={classes.fields}>
          <WordsField
            value={q}
            onChange={(words) =>
              void navigate({ search: ({ q: _, ...rest }) => (words ? { ...rest, q: words } : rest), replace: true })
            }
          />
          <Choice
            aria-label="Type"
            value={type ?? ''}
            onChange={(value) => {
              const chosen = SEARCH_TYPES.find((known) => known === value)
              void navigate({
                search: ({ type: _, ...rest }) => (chosen ? { ...rest, type: chosen } : rest),
                replace: true,
              })
            }}
            data={[
              { value: '', label: 'Everything' },
              ...SEARCH_TYPES.map((value) => ({ value, label: PLURALS[value] })),
            ]}
          />
          <Choice
            aria-label="Engagement"
            value={engagement ?? ''}
            onChange={(value) => {
              void navigate({
                search: ({ engagement: _, ...rest }) => (value ? { ...rest, engagement: value } : rest),
                replace: true,
              })
            }}
            data={[{ value: '', label: 'Every engagement' }, ...choicesOf(engagements, engagement)]}
          />
        </div>
        {q === '' ? <Teaching /> : <Answer q={q} type={type} engagementId={engagement} />}
      </div>
    </Page>
  )
}

/** Adds the engagement of the address if it is not among the most recently changed ones. */
const choicesOf = (names: ReadonlyMap<string, string>, chosen: string | undefined) => [
  ...[...names].map(([value, label]) => ({ value, label })),
  ...(chosen !== undefined && !names.has(chosen) ? [{ value: chosen, label: 'This engagement' }] : []),
]

/** The field is ahead of the address while the user types. It follows changes of the address, such as Back. */
const WordsField = ({ value, onChange }: { value: string; onChange: (words: string) => void }) => {
  const [text, setText] = useState(value)
  const field = useRef<HTMLInputElement>(null)
  const reported = useRef(value)
  const report = useDebouncedCallback((words: string) => {
    reported.current = words
    onChange(words)
  }, DELAY_MS)
  useEffect(() => {
    if (value === reported.current) return
    reported.current = value
    setText(value)
  }, [value])
  useShortcuts([
    {
      id: 'search-field',
      label: 'Type into the search field',
      group: 'This page',
      icon: IconSearch,
      shortcut: '/',
      run: () => field.current?.focus(),
    },
  ])
  return (
    <TextInput
      ref={field}
      className={classes.words}
      type="search"
      aria-label="Words to search for"
      placeholder="Words, names, addresses, CVE numbers"
      leftSection={<IconSearch size={16} aria-hidden />}
      value={text}
      maxLength={200}
      data-autofocus
      onChange={(event) => {
        setText(event.currentTarget.value)
        report(event.currentTarget.value.trim())
      }}
    />
  )
}

interface AnswerProps {
  q: string
  type: (typeof SEARCH_TYPES)[number] | undefined
  engagementId: string | undefined
}

const Answer = ({ q, type, engagementId }: AnswerProps) => {
  const organization = useOrganization()
  const found = useQuery({
    ...query(organization.id, 'search', {
      query: { q, ...(type && { type: [type] }), ...(engagementId && { engagementId }) },
    }),
    placeholderData: keepPrevious([organization.id, 'search']),
  })
  return (
    <QueryView query={found}>
      {({ data }) => (
        <>
          <p role="status" className={data.length === 0 ? 'visually-hidden' : classes.count}>
            {countOf(data.length)}
          </p>
          {data.length > 0 ? (
            <Hits hits={data} />
          ) : (
            <EmptyState title={`No match for “${q}”`}>
              Words match by their start, and all must match: try fewer or shorter ones
              {type || engagementId ? ', or search in everything' : ''}.
            </EmptyState>
          )}
        </>
      )}
    </QueryView>
  )
}

/** Maximum hits per response. */
const MAX_HITS = 50

const countOf = (count: number): string => {
  if (count >= MAX_HITS) return `The best ${MAX_HITS}. Add words to narrow them down.`
  return count === 1 ? '1 match' : `${count} matches`
}

const Teaching = () => (
  <EmptyState icon={<IconSearch size={32} stroke={1.4} />} title="Search everything that you can see">
    Engagements, wiki pages with their text, targets, tasks, results, saved requests, findings, library entries and
    retests. Words match by their start: <em>gate con</em> finds “Contoso gateway”. A whole address such as{' '}
    <em>10.0.0.5</em> finds objects about it, and <em>CVE-2021-44228</em> objects that mention it. Arrow keys move
    through the matches, Enter opens one.
  </EmptyState>
)
