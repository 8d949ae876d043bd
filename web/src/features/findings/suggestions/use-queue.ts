import type { Output } from '@sortie/client/calls.ts'
import { useQueryClient } from '@tanstack/react-query'
import { startTransition, useOptimistic } from 'react'
import { messageOf, query, useApiMutation } from '../../../api/api.ts'
import { staleFindingReads } from '../../../domain/finding-words.tsx'
import { SEVERITY_LABELS } from '../../../domain/vulnerability-words.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { toast, toastError } from '../../../ui/toasts/toast.ts'
import type { Suggestion } from './suggestion.ts'

type Finding = Output<'createFinding'>['data']

type Decision = 'accepted' | 'dismissed' | 'suggested again'

interface Decided {
  key: string
  decision: Decision
}

/** Writes of a queue are sent one after another, in the order of the keys. */
const inOrder = 'suggestions'

/**
 * The queue as it is after every decision so far: each one shows at once, so that the next key means the next
 * suggestion, however slow the server is. A decision that the server refuses is undone and reported.
 */
export const useQueue = (stored: readonly Suggestion[], engagementId: string) => {
  const organization = useOrganization()
  const cache = useQueryClient()
  const create = useApiMutation(organization.id, 'createFinding', { inOrder })
  const dismiss = useApiMutation(organization.id, 'dismissFindingSuggestion', { inOrder })
  const undismiss = useApiMutation(organization.id, 'undismissFindingSuggestion', { inOrder })
  const [suggestions, show] = useOptimistic(stored, afterDecision)

  const refresh = () =>
    Promise.all(
      [
        ...staleFindingReads(organization.id),
        [organization.id, 'listResults'] as const,
        [organization.id, 'countResults'] as const,
      ].map((queryKey) => cache.invalidateQueries({ queryKey })),
    )
  const report =
    (suggestion: Suggestion, decision: Decision) =>
    (error: unknown): undefined => {
      toastError(`“${suggestion.title}” is not ${decision}. ${messageOf(error)}`)
    }
  const createFinding = async (suggestion: Suggestion): Promise<Finding> => {
    const { title, resultFilter, libraryEntryId } = suggestion
    // With a library entry, the finding gets its texts.
    const body = { engagementId, title, resultFilter, ...(libraryEntryId !== null && { libraryEntryId }) }
    const { data } = await create.mutateAsync({ body })
    toast(createdWords(data, suggestion))
    return data
  }
  /** So that a confirmed decision stays, even if the list cannot be read again now. */
  const keep = (decided: Decided) => {
    const { queryKey } = query(organization.id, 'listFindingSuggestions', { query: { engagementId } })
    cache.setQueryData<Output<'listFindingSuggestions'>>(
      queryKey,
      (list) => list && { ...list, data: [...afterDecision(list.data, decided)] },
    )
  }
  const decide = (suggestion: Suggestion, decision: Decision, send: () => Promise<unknown>) =>
    startTransition(async () => {
      const decided = { key: suggestion.key, decision }
      show(decided)
      await send().then(() => keep(decided), report(suggestion, decision))
      // Reading the lists takes longer than a decision: once after keys that are pressed in a row.
      if (cache.isMutating({ predicate: ({ options }) => options.scope?.id === inOrder }) === 0) await refresh()
    })

  const accept = (suggestion: Suggestion) => decide(suggestion, 'accepted', () => createFinding(suggestion))
  /**
   * Accepts a suggestion whose finding is opened next: it stays in the queue until then.
   * @returns the finding; undefined if the server refused, which is reported
   */
  const acceptToOpen = async (suggestion: Suggestion): Promise<Finding | undefined> => {
    const finding = await createFinding(suggestion).catch(report(suggestion, 'accepted'))
    void refresh()
    return finding
  }
  const setDismissed = (suggestion: Suggestion, isDismissed: boolean) =>
    decide(suggestion, isDismissed ? 'dismissed' : 'suggested again', () =>
      (isDismissed ? dismiss : undismiss).mutateAsync({ body: { engagementId, key: suggestion.key } }),
    )
  return { suggestions, accept, acceptToOpen, setDismissed }
}

const afterDecision = (suggestions: readonly Suggestion[], { key, decision }: Decided): readonly Suggestion[] => {
  if (decision === 'accepted') return suggestions.filter((suggestion) => suggestion.key !== key)
  return suggestions
    .map((suggestion) => (suggestion.key === key ? { ...suggestion, dismissed: decision === 'dismissed' } : suggestion))
    .toSorted((a, b) => Number(a.dismissed) - Number(b.dismissed))
}

const createdWords = ({ number, title, severity }: Finding, suggestion: Suggestion): string => {
  const created = `Finding ${number} created: ${title}`
  if (severity === suggestion.severity) return created
  const [own, ofResults] = [severity, suggestion.severity].map((each) => SEVERITY_LABELS[each].toLowerCase())
  return `${created}. It is ${own} by its CVSS vector; the results are ${ofResults}.`
}
