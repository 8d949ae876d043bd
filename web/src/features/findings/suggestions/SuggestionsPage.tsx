import { Button, Group, Kbd, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { query } from '../../../api/api.ts'
import { SeverityLabel } from '../../../domain/SeverityLabel.tsx'
import { paths } from '../../../paths.ts'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { WithCrumbs } from '../../../shell/routing/breadcrumbs.tsx'
import { ButtonLink } from '../../../shell/routing/links.tsx'
import { useShortcuts } from '../../../ui/commands/commands.ts'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { ListSkeleton } from '../../../ui/feedback/ListSkeleton.tsx'
import { IconListSearch } from '../../../ui/icons.tsx'
import { Page } from '../../../ui/page/Page.tsx'
import { SuggestedResults } from './SuggestedResults.tsx'
import type { Suggestion } from './suggestion.ts'
import classes from './suggestions.module.css'
import { useQueue } from './use-queue.ts'

const REASONS: Record<Suggestion['reason'], string> = {
  entry_rule: 'A library entry names their rule.',
  entry_cwe: 'A library entry has their CWE.',
  tool_rule: 'One rule of a tool reported them.',
  manual: 'Added by hand.',
}

/** Groups of results that could each become a finding: a queue worked by keyboard. */
export const SuggestionsPage = () => {
  const organization = useOrganization()
  const { engagement, isArchived } = useEngagement()
  const read = useQuery(query(organization.id, 'listFindingSuggestions', { query: { engagementId: engagement.id } }))
  const list = paths.findings(organization.slug, engagement.id)
  return (
    <WithCrumbs crumbs={[{ label: 'Findings', to: list }]}>
      <Page
        title="Suggestions"
        documentTitle={`Suggestions · ${engagement.name}`}
        description="Vulnerabilities that are part of no finding, grouped by what causes them. Nothing becomes a finding without you."
        layout="full"
      >
        <QueryView query={read} skeleton={<ListSkeleton rows={8} height={32} />}>
          {({ data }) =>
            data.length === 0 ? (
              <NothingToSuggest />
            ) : (
              <Queue suggestions={data} engagementId={engagement.id} mayChange={!isArchived} />
            )
          }
        </QueryView>
      </Page>
    </WithCrumbs>
  )
}

interface QueueProps {
  suggestions: readonly Suggestion[]
  engagementId: string
  mayChange: boolean
}

const Queue = ({ suggestions: stored, engagementId, mayChange }: QueueProps) => {
  const organization = useOrganization()
  const { suggestions, accept, acceptToOpen, setDismissed } = useQueue(stored, engagementId)
  const [activeKey, setActiveKey] = useState(suggestions[0]?.key)
  const found = suggestions.findIndex(({ key }) => key === activeKey)
  // If others accepted it, the next one has its place.
  const place = useRef(0)
  const index = found >= 0 ? found : Math.min(place.current, suggestions.length - 1)
  place.current = Math.max(0, index)
  const active = suggestions[index]
  const list = useRef<HTMLUListElement>(null)
  const router = useRouter()
  const [isOpening, setIsOpening] = useState(false)
  useEffect(() => {
    // No return value: Chromium returns a promise, and React would call it as a cleanup.
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [index])
  const move = (by: number) => setActiveKey(suggestions[Math.max(0, Math.min(suggestions.length - 1, index + by))]?.key)
  const leave = () => move(index === suggestions.length - 1 ? -1 : 1)

  const acceptActive = () => {
    if (!active || isOpening) return
    leave()
    accept(active)
  }
  const openActive = async () => {
    if (!active || isOpening) return
    setIsOpening(true)
    const finding = await acceptToOpen(active)
    if (finding)
      await router.navigate({ href: `${paths.finding(organization.slug, engagementId, finding.id)}?view=edit` })
    setIsOpening(false)
  }
  const dismissActive = () => {
    if (!active || isOpening) return
    // A dismissed suggestion moves to the end of the queue.
    if (!active.dismissed) leave()
    setDismissed(active, !active.dismissed)
  }
  useShortcuts([
    {
      id: 'suggestion-next',
      label: 'Skip to the next suggestion',
      group: 'This page',
      shortcut: 'j',
      run: () => move(1),
    },
    { id: 'suggestion-before', label: 'Previous suggestion', group: 'This page', shortcut: 'k', run: () => move(-1) },
    ...(mayChange
      ? [
          {
            id: 'suggestion-accept',
            label: 'Make it a finding',
            group: 'This page',
            shortcut: 'a',
            run: acceptActive,
          },
          {
            id: 'suggestion-edit',
            label: 'Make it a finding and edit its texts',
            group: 'This page',
            shortcut: 'e',
            run: () => void openActive(),
          },
          {
            id: 'suggestion-dismiss',
            label: 'Dismiss the suggestion',
            group: 'This page',
            shortcut: 'd',
            run: dismissActive,
          },
        ]
      : []),
  ])
  if (!active) return <NothingToSuggest />
  return (
    <div className={classes.queue}>
      <ul ref={list} className={classes.list} aria-label="Suggestions">
        {suggestions.map((suggestion, at) => (
          <li key={suggestion.key}>
            <button
              type="button"
              className={classes.item}
              data-dismissed={suggestion.dismissed || undefined}
              {...(at === index && { 'aria-current': true })}
              onClick={() => setActiveKey(suggestion.key)}
            >
              <SeverityLabel severity={suggestion.severity} />
              <span className={classes.name}>{suggestion.title}</span>
              <span className={classes.number}>{suggestion.count.toLocaleString('en')}</span>
            </button>
          </li>
        ))}
      </ul>
      <section className={classes.detail} aria-label={active.title}>
        <Stack gap="md">
          <Title order={2}>{active.title}</Title>
          <Group gap="md">
            <SeverityLabel severity={active.severity} />
            <Text size="sm">
              {active.count === 1 ? '1 result' : `${active.count.toLocaleString('en')} results`}
              {active.tools.length > 0 && ` of ${active.tools.join(', ')}`}
            </Text>
            <Text size="sm" c="dimmed">
              {active.dismissed ? 'Dismissed.' : REASONS[active.reason]}
            </Text>
          </Group>
          {mayChange && (
            <Group gap="xs">
              <Button disabled={isOpening} rightSection={<Hint>A</Hint>} onClick={acceptActive}>
                Make it a finding
              </Button>
              <Button
                variant="default"
                loading={isOpening}
                rightSection={<Hint>E</Hint>}
                onClick={() => void openActive()}
              >
                And edit its texts
              </Button>
              <Button variant="default" disabled={isOpening} rightSection={<Hint>D</Hint>} onClick={dismissActive}>
                {active.dismissed ? 'Suggest again' : 'Dismiss'}
              </Button>
              <Button variant="default" rightSection={<Hint>J</Hint>} onClick={() => move(1)}>
                Skip
              </Button>
            </Group>
          )}
          <SuggestedResults key={active.key} suggestion={active} />
        </Stack>
      </section>
    </div>
  )
}

const NothingToSuggest = () => {
  const organization = useOrganization()
  const { engagement } = useEngagement()
  return (
    <EmptyState
      icon={<IconListSearch size={32} stroke={1.4} />}
      title="Nothing to suggest"
      action={
        <ButtonLink variant="default" to={paths.findings(organization.slug, engagement.id)}>
          All findings
        </ButtonLink>
      }
    >
      Every open vulnerability is part of a finding, or there are none yet.
    </EmptyState>
  )
}

const Hint = ({ children }: { children: string }) => (
  <Kbd size="xs" className={classes.hint} aria-hidden>
    {children}
  </Kbd>
)
